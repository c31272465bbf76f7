/* command.c -- see command.h: one command's words, flags and options.
 *
 * Faults of flags, job file, environment and --set are all collected before
 * the command is refused.  Options apply in the order of their precedence,
 * whatever the order on the command line. */
#include "base/options/command.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/nearest.h"
#include "base/progress.h"

const struct flag command_common_flags[] = {
    FLAG("set", "SECTION.KEY=VALUE",
         "Set an option; wins over environment and job file. Repeatable."),
    FLAG("log", "LEVEL", "What goes to stderr: error, warn, info, debug."),
    SWITCH("help,h", "This text."),
    {0},
};

/* Of commands that take a job file. */
const struct flag command_job_flags[] = {
    FLAG("job,j", "JOB.ini",
         "The job file, as its first word would be; of texrex, too."),
    {0},
};

static const struct flag no_flags[] = {{0}};

struct given {
    const struct flag *flag;
    const char *value;
};

struct invocation_flags {
    struct given *item;
    size_t n;
    struct arena *arena; /* of what invocation_flag_all() gives out */
};

struct parse {
    struct invocation *in;
    struct invocation_flags *flags;
    FILE *faults;
    unsigned faults_n;
    bool help;
};

static bool
flag_named(const struct flag *f, struct str name)
{
    struct str names = str_c(f->name), one;

    while (str_cut(&names, ',', &one))
        if (str_eq(one, name))
            return true;
    return false;
}

static const struct flag *
flag_find(const struct command *c, struct str name)
{
    const struct flag *tables[3] = {
        c->flags ? c->flags : no_flags, command_common_flags,
        c->job_first ? command_job_flags : no_flags};

    for (int i = 0; i < 3; i++)
        for (const struct flag *f = tables[i]; f->name; f++)
            if (flag_named(f, name))
                return f;
    return NULL;
}

static void fault(struct parse *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
fault(struct parse *p, const char *format, ...)
{
    va_list args;

    p->faults_n++;
    fprintf(p->faults, "winnow %s: ", p->in->command->name);
    va_start(args, format);
    vfprintf(p->faults, format, args);
    va_end(args);
    fputc('\n', p->faults);
}

static void
unknown_flag(struct parse *p, const char *arg, struct str name)
{
    const struct flag *tables[2] = {command_common_flags,
                                    p->in->command->flags};
    struct nearest near;

    nearest_init(&near, name);
    for (int i = 0; i < 2; i++)
        for (const struct flag *f = tables[i]; f && f->name; f++) {
            struct str names = str_c(f->name), one;

            str_cut(&names, ',', &one);
            nearest_offer(&near, one);
        }
    if (nearest_best(&near).n > 0)
        fault(p, "no such flag: %s, did you mean --%.*s?", arg,
              STRF(nearest_best(&near)));
    else
        fault(p, "no such flag: %s (winnow %s --help shows all)", arg,
              p->in->command->name);
}

static void
take_value(struct parse *p, const struct flag *f, const char *arg,
           const char *value)
{
    if (f->on_disk && strcmp(value, "-") == 0)
        fault(p,
              "%s: standard output or input is no %s; ./- is one of that "
              "name",
              arg, f->value);
    p->flags->item[p->flags->n++] = (struct given){f, value};
}

/* `arg` is a flag; `next` the argument after it or NULL.  Returns how many
 * arguments were used. */
static int
take_flag(struct parse *p, const char *arg, const char *next)
{
    const bool longish = arg[1] == '-';
    struct str rest = str_c(arg + (longish ? 2 : 1));
    size_t equals = longish ? str_find(rest, '=', 0) : rest.n;
    struct str name = str_sub(rest, 0, equals);
    const struct flag *f = flag_find(p->in->command, name);
    const char *value = NULL;

    if (f == NULL || (longish && name.n < 2) || (!longish && name.n != 1)) {
        unknown_flag(p, arg, name);
        return 1;
    }
    if (flag_named(f, S("help")))
        p->help = true;
    if (equals < rest.n)
        value = rest.p + equals + 1;
    if (f->value == NULL && value) {
        fault(p, "--%.*s takes no value", STRF(name));
    } else if (f->value && value == NULL && next == NULL) {
        fault(p, "%s needs a value: %s", arg, f->value);
    } else {
        bool uses_next = f->value && value == NULL;

        take_value(p, f, arg, f->value ? (value ? value : next) : "");
        return uses_next ? 2 : 1;
    }
    return 1;
}

static void
take_arguments(struct parse *p, int argc, char **argv)
{
    bool flags = true;

    for (int i = 0; i < argc;) {
        const char *arg = argv[i];

        if (flags && strcmp(arg, "--") == 0) {
            flags = false;
            i++;
        } else if (flags && arg[0] == '-' && arg[1] != '\0') {
            i += take_flag(p, arg, i + 1 < argc ? argv[i + 1] : NULL);
        } else {
            p->in->words[p->in->words_n++] = str_c(arg);
            i++;
        }
    }
}

static void
take_job(struct invocation *in)
{
    const char *flag = invocation_flag(in, "job");
    size_t at = in->command->job_at;

    if (flag != NULL) {
        in->job = str_c(flag);
        return;
    }
    if (!in->command->job_first || in->words_n <= at ||
        !str_ends(in->words[at], S(".ini")))
        return;
    in->job = in->words[at];
    in->words_n--;
    memmove(in->words + at, in->words + at + 1,
            (in->words_n - at) * sizeof *in->words);
}

static void
take_options(struct parse *p)
{
    struct opts *o = &p->in->opts;
    const char *level = invocation_flag(p->in, "log");
    unsigned before = p->faults_n; /* of the flags */
    bool readable = true;
    const char *const *set;
    enum status st;
    size_t n;

    o->faults = p->faults;
    if (p->in->job.n > 0) {
        st = opts_read_file(o, p->in->job.p);
        readable = st != ST_IO;
        p->faults_n += st != ST_OK;
    }
    p->faults_n += opts_read_env(o) != ST_OK;
    set = invocation_flag_all(p->in, "set", &n);
    for (size_t i = 0; i < n; i++)
        p->faults_n += opts_set(o, "--set", str_c(set[i])) != ST_OK;
    if (level) {
        struct buf assignment = {0};

        buf_printf(&assignment, "log.level=%s", level);
        p->faults_n += opts_set(o, "--log", buf_view(&assignment)) != ST_OK;
        buf_free(&assignment);
    }
    o->faults = NULL;
    if (p->in->command->despite_faults && before == 0 && readable)
        p->in->faults_n = p->faults_n;
}

static void
set_log(const struct opts *o)
{
    static const char *const levels[] = {"error", "warn", "info", "debug"};

    for (unsigned i = 0; i < 4; i++)
        if (str_eq(o->log_level, str_c(levels[i])))
            log_threshold = (enum log_level)i;
    progress_every_ms =
        log_threshold >= LOG_INFO ? o->log_status_seconds * 1000 : PROGRESS_OFF;
}

int
command_main(const struct command *c, int argc, char **argv)
{
    struct arena *a = arena_new();
    size_t room = (size_t)argc + 1;
    struct invocation_flags flags = {.item = ARENA_ARRAY(a, struct given, room),
                                     .arena = a};
    struct invocation in = {.command = c,
                            .job = S(""),
                            .words = ARENA_ARRAY(a, struct str, room),
                            .flags = &flags};
    struct parse p = {.in = &in, .flags = &flags};
    char *report = NULL;
    size_t report_n = 0;
    int code;

    if ((p.faults = open_memstream(&report, &report_n)) == NULL) {
        arena_free(a);
        return EXIT_FAILED;
    }
    opts_init(&in.opts);
    take_arguments(&p, argc - 1, argv + 1);
    if (!p.help) {
        take_job(&in);
        take_options(&p);
    }
    fclose(p.faults);
    if (p.help) {
        if (c->help_of == NULL || !c->help_of(&in))
            command_help(c, stdout);
        code = EXIT_DONE;
    } else if (p.faults_n > in.faults_n) {
        fwrite(report, 1, report_n, stderr);
        code = EXIT_USAGE;
    } else {
        set_log(&in.opts);
        if (p.faults_n > 0 || log_threshold >= LOG_INFO) /* or remarks */
            fwrite(report, 1, report_n, stderr);
        code = c->run(&in);
    }
    free(report);
    opts_free(&in.opts);
    arena_free(a);
    return code;
}

const char *const *
invocation_flag_all(const struct invocation *in, const char *name, size_t *n)
{
    const struct invocation_flags *flags = in->flags;
    const char **all = ARENA_ARRAY(flags->arena, const char *, flags->n + 1);

    *n = 0;
    for (size_t i = 0; i < flags->n; i++)
        if (flag_named(flags->item[i].flag, str_c(name)))
            all[(*n)++] = flags->item[i].value;
    return all;
}

bool
command_is_address(struct str given)
{
    return str_has(given, S("://"));
}

const char *
invocation_flag(const struct invocation *in, const char *name)
{
    const char *last = NULL;

    for (size_t i = 0; i < in->flags->n; i++)
        if (flag_named(in->flags->item[i].flag, str_c(name)))
            last = in->flags->item[i].value;
    return last;
}

const char *
command_out(const struct invocation *in, const char *name)
{
    const char *path = invocation_flag(in, name);

    return path != NULL && strcmp(path, "-") == 0 ? NULL : path;
}

int
command_usage(const struct invocation *in, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "winnow %s: ", in->command->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nusage: winnow %s %s\n", in->command->name,
            in->command->usage);
    return EXIT_USAGE;
}

static void
help_flags(const char *title, const struct flag *f, FILE *to)
{
    if (f == NULL || f->name == NULL)
        return;
    fprintf(to, "\n%s\n", title);
    for (; f->name; f++) {
        struct str names = str_c(f->name), one;
        int width = 0;

        for (const char *sep = "  "; str_cut(&names, ',', &one); sep = ", ")
            width +=
                fprintf(to, "%s%s%.*s", sep, one.n > 1 ? "--" : "-", STRF(one));
        if (f->value)
            width += fprintf(to, " %s", f->value);
        fprintf(to, width < 24 ? "%*s%s\n" : "\n%*s%s\n",
                width < 24 ? 26 - width : 26, "", f->help);
    }
}

void
command_help(const struct command *c, FILE *to)
{
    fprintf(to, "usage: winnow %s %s\n\n%s\n", c->name,
            c->usage ? c->usage : "", c->summary);
    if (c->help && c->help[0])
        fprintf(to, "\n%s%s", c->help,
                str_ends(str_c(c->help), S("\n")) ? "" : "\n");
    help_flags("Flags:", c->flags, to);
    help_flags("Job file:", c->job_first ? command_job_flags : NULL, to);
    help_flags("Flags of every command:", command_common_flags, to);
    fprintf(to, "\nExit: 0 done, 1 failed, 2 wrong usage, 3 some input was "
                "rejected, 130 interrupted.\n");
}
