/* commands.c -- the program around its commands: see commands_main(). */
#include <errno.h>
#include <string.h>

#include "base/nearest.h"
#include "base/options/command.h"
#include "base/path.h"
#include "completion.h"
#include "manual.h"

static const char intro[] =
    "winnow crawls the web for one or more languages and cleans while it "
    "crawls.\n"
    "\nusage: winnow COMMAND [ARGUMENT]...\n";

static const char outro[] =
    "\n  winnow help COMMAND   what it does, its flags, examples\n"
    "  winnow config list    every option of a job file\n"
    "  winnow --version      the version\n";

static const struct command *
find(const struct command *const *table, struct str name)
{
    for (; *table; table++)
        if (str_eq(name, str_c((*table)->name)))
            return *table;
    return NULL;
}

static void
overview(const struct command *const *table, FILE *to)
{
    const char *group = "";

    fputs(intro, to);
    for (; *table; table++) {
        if (strcmp(group, (*table)->group) != 0)
            fprintf(to, "\n%s\n", group = (*table)->group);
        fprintf(to, "  %-10s %s\n", (*table)->name, (*table)->summary);
    }
    fputs(outro, to);
}

static int
unknown(const struct command *const *table, struct str name)
{
    struct nearest near;

    nearest_init(&near, name);
    nearest_offer(&near, S("help"));
    for (; *table; table++)
        nearest_offer(&near, str_c((*table)->name));
    if (nearest_best(&near).n > 0)
        fprintf(stderr, "winnow: no such command: %.*s, did you mean %.*s?\n",
                STRF(name), STRF(nearest_best(&near)));
    else
        fprintf(stderr,
                "winnow: no such command: %.*s (winnow help shows all)\n",
                STRF(name));
    return EXIT_USAGE;
}

static int
help(const struct command *const *table, int argc, char **argv)
{
    const struct command *c;

    if (argc < 3) {
        overview(table, stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[2], "--man") == 0) { /* for cmake --install */
        manual_write(table, stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[2], "--bash") == 0) { /* likewise */
        completion_write(table, stdout);
        return EXIT_DONE;
    }
    if ((c = find(table, str_c(argv[2]))) == NULL)
        return unknown(table, str_c(argv[2]));
    command_help(c, stdout);
    return EXIT_DONE;
}

/* The command that the program is called by, if it is called by another name
 * than its own: a link `tender` is `winnow tender`. */
static const struct command *
named_by_link(const struct command *const *table, const char *program)
{
    return find(table, path_base(str_c(program)));
}

static int
dispatch(const struct command *const *table, int argc, char **argv)
{
    struct str word = str_c(argc > 1 ? argv[1] : NULL);
    const struct command *c = named_by_link(table, argc > 0 ? argv[0] : NULL);

    if (c != NULL)
        return command_main(c, argc, argv);
    if (word.n == 0) {
        overview(table, stderr);
        return EXIT_USAGE;
    }
    if (str_eq(word, S("help")) || str_eq(word, S("--help")) ||
        str_eq(word, S("-h")))
        return help(table, argc, argv);
    if (str_eq(word, S("--version")) || str_eq(word, S("version"))) {
        printf("winnow %s\n", WINNOW_VERSION);
        return EXIT_DONE;
    }
    if ((c = find(table, word)) == NULL)
        return unknown(table, word);
    return command_main(c, argc - 1, argv + 1);
}

/* What has failed before and was not told then is told here, without why. */
int
command_flush(int code)
{
    int fault = fflush(stdout) != 0 ? errno : 0;

    if (fault == EPIPE || (fault == 0 && !ferror(stdout)))
        return code;
    if (fault != 0)
        fprintf(stderr, "winnow: writing to stdout: %s\n", strerror(fault));
    else if (code == EXIT_DONE)
        fputs("winnow: stdout could not be written\n", stderr);
    return code == EXIT_DONE ? EXIT_FAILED : code;
}

int
commands_main(const struct command *const *table, int argc, char **argv)
{
    return command_flush(dispatch(table, argc, argv));
}
