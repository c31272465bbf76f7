/* cmd_config.c -- `winnow config`: check a job file, dump all options, list
 * what there is.  The work is in base/options/opt.c, whose faults were already
 * reported when run() is reached, and in rules.c. */
#include "rules.h"
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/options/command.h"
#include "base/options/job_dir.h"

static struct str *
path_of(struct opts *o, const struct opt *row)
{
    return (struct str *)(void *)((char *)o + row->offset);
}

/* Can a file be made there?  Its folder is not made for it. */
static bool
may_be_made(struct str path)
{
    size_t n = path.n;
    char folder[PATH_MAX];

    while (n > 0 && path.p[n - 1] != '/')
        n--;
    if (n == 0 || n >= sizeof folder)
        return true;
    memcpy(folder, path.p, n);
    folder[n] = '\0';
    return access(folder, W_OK) == 0;
}

/* Files and folders named in the options that are not there; *o does without
 * them from then on, so that what has been said of one is not said again. */
static unsigned
missing_paths(const struct invocation *in, struct opts *o)
{
    unsigned missing = 0;

    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];
        struct str *path = path_of(o, row);
        bool made = row->offset == offsetof(struct opts, log_stats_file);

        if (strcmp(row->type, "path") != 0 || path->n == 0 ||
            (row->change == OPT_ASIDE && !made) ||
            (made ? may_be_made(*path) : access(path->p, R_OK) == 0))
            continue;
        fprintf(stderr, "%s: %s.%s = %.*s: %s\n", in->job.p, row->section,
                row->key, STRF(*path), strerror(errno));
        *path = S("");
        missing++;
    }
    return missing;
}

/* A job of winnow clean names its input (texrex's do): it has no seeds. */
static enum status
check_rules(const struct opts *o, bool no_seeds)
{
    struct cleaner *cleaner = NULL;
    struct scope *scope = NULL;
    enum status st, scope_st;

    if (o->input_path.n == 0)
        return crawl_check(o, no_seeds);
    st = cleaner_open(&cleaner, o);
    scope_st = scope_open(&scope, o);
    cleaner_close(cleaner);
    scope_close(scope);
    return st == ST_OK ? scope_st : st;
}

/* Everything that is wrong with the job, not only what is found first. */
static bool
is_wrong(const struct invocation *in)
{
    struct opts o = in->opts; /* strings stay the invocation's */
    unsigned missing = missing_paths(in, &o);
    bool no_seeds = in->faults_n > 0 || missing > 0;
    enum status st = check_rules(&o, no_seeds);

    return in->faults_n > 0 || missing > 0 || st != ST_OK;
}

static int
check(const struct invocation *in)
{
    struct buf mine = {0}, preset = {0};
    struct opts presets;
    unsigned changed = 0;

    if (in->job.n == 0)
        return command_usage(in, "which job file? its name ends in .ini");
    if (is_wrong(in))
        return EXIT_USAGE;
    opts_init(&presets);
    for (size_t i = 0; i < opt_table_n; i++) {
        buf_clear(&mine);
        buf_clear(&preset);
        opts_show(&in->opts, &opt_table[i], &mine);
        opts_show(&presets, &opt_table[i], &preset);
        if (str_eq(buf_view(&mine), buf_view(&preset)))
            continue;
        changed++;
        printf("%s.%s = %.*s\n", opt_table[i].section, opt_table[i].key,
               STRF(buf_view(&mine)));
    }
    printf("%s: ok, %u of %zu options differ from their presets\n", in->job.p,
           changed, opt_table_n);
    opts_free(&presets);
    buf_free(&mine);
    buf_free(&preset);
    return EXIT_DONE;
}

/* A job that would not begin is not run at every boot either. */
static int
unit(const struct invocation *in)
{
    static const char *const commands[] = {"crawl", "frontier", "dedup",
                                           "publish"};
    const char *dir = invocation_flag(in, "dir"),
               *as = invocation_flag(in, "as");
    struct path preset = path_printf("%.*s", STRF(job_dir(in->job)));
    struct unit_setup setup = {.opts = &in->opts,
                               .job = in->job.p,
                               .dir = dir != NULL ? dir : preset.z};
    struct buf out = {0};
    enum status st;

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(as != NULL ? as : "crawl", commands[i]) == 0)
            setup.command = commands[i];
    if (in->job.n == 0)
        return command_usage(in, "which job file? its name ends in .ini");
    if (setup.command == NULL)
        return command_usage(in, "--as crawl, frontier, dedup or publish?");
    if (is_wrong(in))
        return EXIT_USAGE;
    setup.set = invocation_flag_all(in, "set", &setup.set_n);
    if ((st = unit_write(&setup, &out)) == ST_OK)
        fwrite(out.p, 1, out.n, stdout);
    buf_free(&out);
    return command_exit(st);
}

static int
run(struct invocation *in)
{
    struct str word = in->words_n > 0 ? in->words[0] : S("");

    if (in->words_n > 1)
        return command_usage(in, "what is %s? job files end in .ini",
                             in->words[1].p);
    if (str_eq(word, S("check")))
        return check(in);
    if (str_eq(word, S("unit")))
        return unit(in);
    if (in->faults_n > 0)
        return EXIT_USAGE;
    if (str_eq(word, S("dump"))) {
        opts_dump(&in->opts, stdout);
        return EXIT_DONE;
    }
    if (!str_eq(word, S("list")))
        return command_usage(in, "check, dump, list or unit?");
    if (invocation_flag(in, "json"))
        opts_list_json(stdout);
    else if (invocation_flag(in, "markdown"))
        opts_list_markdown(stdout);
    else
        opts_list(stdout);
    return EXIT_DONE;
}

static const struct flag flags[] = {
    SWITCH("json", "List: as a JSON array."),
    SWITCH("markdown", "List: as tables for the manual."),
    FLAG_ON_DISK("dir", "DIR", "Unit: the folder; else the job's name."),
    FLAG("as", "COMMAND",
         "Unit: of crawl (preset), frontier, dedup or publish."),
    {0},
};

const struct command command_config = {
    .name = "config",
    .group = COMMANDS_JOB_FILES,
    .usage = "check JOB.ini | dump [JOB.ini] | list [--json | --markdown] | "
             "unit JOB.ini [--dir DIR] [--as COMMAND]",
    .summary = "Check a job file, print its options or a systemd unit for it, "
               "list all options.",
    .help =
        "check  reads a job file, reports every fault in it (file, line, key,\n"
        "       allowed range), refuses what winnow crawl would refuse "
        "(seeds,\n"
        "       languages, models, files, no contact unless seeds or\n"
        "       fetch.hosts_file are of this machine) or, with input.path,\n"
        "       what winnow clean would, and prints what differs from the\n"
        "       presets.\n"
        "dump   prints a whole job file: every option with its meaning and\n"
        "       value; it reads back equal.  Without JOB.ini: the presets.\n"
        "list   prints every option with type, range and preset.\n"
        "unit   checks, then prints a unit for systemd that does in this "
        "folder,\n"
        "       with the same --set, what `winnow COMMAND JOB.ini --dir DIR` "
        "does,\n"
        "       as the user that DIR (or, before it is made, the folder "
        "around it)\n"
        "       belongs to; it may write there only.\n"
        "\n"
        "Options come from --set section.key=value, then the environment\n"
        "(WINNOW_SECTION_KEY), then the job file, then the presets.\n"
        "\n"
        "Examples:\n"
        "  winnow config dump --set seeds.url=http://localhost/ > job.ini\n"
        "  winnow config check job.ini --set limits.pages=1000\n"
        "  winnow config unit job.ini --dir crawl > winnow.service\n",
    .flags = flags,
    .job_first = true,
    .job_at = 1,
    .despite_faults = true,
    .run = run,
};
