/* cmd_job.c -- `winnow job`: a phase of a batch job, or all of it here. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/file.h"
#include "base/log.h"
#include "base/nearest.h"
#include "corpus/lines/paths.h"
#include "job.h"
#include "job_fields.h"
#include "job_stdio.h"
#include "jobconf.h"
#include "local.h"

#define JOBCONF_BYTES_MAX ((size_t)1 << 20)

static void
describe(const struct corpus_job *j)
{
    printf("%s", j->name);
    for (size_t i = 0; i < JOB_PHASES_N; i++)
        if (j->phase[i] != NULL)
            printf(" %s", job_phase_name[i]);
    printf("%s\n  %s\n  %s\n", j->one_reduce ? " (one reduce)" : "", j->summary,
           j->lines);
    for (size_t i = 0; i < JOB_OPTIONS_MAX && j->options[i].name; i++) {
        const struct job_option *o = &j->options[i];

        printf("  -D %s=%s  %s%s%s\n", o->name, o->preset, o->help,
               o->words == NULL ? ""
               : o->list        ? " Of: "
                                : " One of: ",
               o->words != NULL ? o->words : "");
    }
    for (size_t i = 0; i < JOB_COUNTERS_MAX && j->counters[i]; i++)
        printf(i == 0 ? "  counters: %s" : ", %s", j->counters[i]);
    printf("\n");
}

static int
list(void)
{
    for (const struct corpus_job *const *j = job_table; *j != NULL; j++)
        describe(*j);
    return EXIT_DONE;
}

static int
unknown(const struct invocation *in, struct str name)
{
    struct nearest near;

    nearest_init(&near, name);
    for (const struct corpus_job *const *j = job_table; *j != NULL; j++)
        nearest_offer(&near, str_c((*j)->name));
    return nearest_best(&near).n > 0
               ? command_usage(in, "no job %.*s, did you mean %.*s?",
                               STRF(name), STRF(nearest_best(&near)))
               : command_usage(in, "no job %.*s (winnow job --list)",
                               STRF(name));
}

/* What a phase takes and a job of several phases cannot. */
static int
check_local(const struct invocation *in, const struct corpus_job *j,
            const struct paths *files)
{
    const char *fields = invocation_flag(in, "fields");
    bool paths = invocation_flag(in, "paths") != NULL;

    if (invocation_flag(in, "jobconf") != NULL)
        return command_usage(in, "--jobconf: local takes -D");
    if (invocation_flag(in, "count-lines") != NULL)
        return command_usage(in, "--count-lines: local has its counters on "
                                 "standard error only");
    if (paths && files->n > 0)
        return command_usage(in,
                             "--paths: the names are read from standard "
                             "input, take %s out or put it there",
                             files->path[0]);
    if (j->phase[JOB_MAP] == NULL && paths)
        return command_usage(in,
                             "--paths: %s has no map, give local the "
                             "files by -i",
                             j->name);
    if (j->phase[JOB_MAP] == NULL && fields != NULL && fields[0] != ':')
        return command_usage(in,
                             "--fields %s: %s has no map, its lines are "
                             "sorted first; local takes :OUT only",
                             fields, j->name);
    return EXIT_DONE;
}

/* webcorpus' settings: keys of other jobs are let be. */
static int
set_jobconf(const struct invocation *in, const struct corpus_job *j,
            struct arena *a, struct job_settings *s)
{
    const char *path = invocation_flag(in, "jobconf"), *reason;
    struct buf file = {.arena = a}, why = {.arena = a};
    struct jobconf c = {.defines_n = 0};

    if (path == NULL)
        return EXIT_DONE;
    if (file_read(&file, path, JOBCONF_BYTES_MAX) != ST_OK)
        return command_usage(in, "%s: %s", path, strerror(errno));
    if (!jobconf_read(&c, a, buf_view(&file), &why)) {
        jobconf_free(&c);
        return command_usage(in, "%s: %.*s", path, STRF(buf_view(&why)));
    }
    for (size_t i = 0; i < c.defines_n; i++)
        if (job_has_option(j, c.define[i]) &&
            !job_set(j, s, c.define[i], &reason)) {
            jobconf_free(&c);
            return command_usage(in, "%s: %.*s: %s", path, STRF(c.define[i]),
                                 reason);
        }
    fprintf(stderr, "%.*s", STRF(buf_view(&c.remarks)));
    jobconf_free(&c);
    return EXIT_DONE;
}

static int
settings(const struct invocation *in, const struct corpus_job *j,
         struct arena *a, struct job_settings *s)
{
    size_t n;
    const char *const *define = invocation_flag_all(in, "define", &n);
    const char *why;

    job_preset(j, s);
    s->data = in->opts.clean_data;
    s->set = invocation_flag_all(in, "set", &s->set_n);
    if (set_jobconf(in, j, a, s) != EXIT_DONE)
        return EXIT_USAGE;
    for (size_t i = 0; i < n; i++)
        if (!job_set(j, s, str_c(define[i]), &why))
            return command_usage(in, "-D %s: %s", define[i], why);
    return EXIT_DONE;
}

/* Behind the lines, for engines that keep no standard error. */
static void
put_counters(const struct corpus_job *j, const struct job_totals *t)
{
    for (size_t i = 0; i < JOB_COUNTERS_MAX && j->counters[i]; i++)
        if (t->counter[i] > 0)
            printf("\001%s\t%" PRIu64 "\n", j->counters[i], t->counter[i]);
    if (t->too_long > 0)
        printf("\001lines too long\t%" PRIu64 "\n", t->too_long);
}

/* A phase, and what it reads. */
struct phase_call {
    const struct corpus_job *job;
    const struct job_settings *settings;
    const struct str *files; /* none: standard input */
    size_t files_n;
    const char *fields; /* IN:OUT, or NULL */
    bool paths;         /* standard input has the names of the files */
    bool count_lines;
};

/* *rejected: lines that are no JSON. */
static bool
run_fields(const struct phase_call *c, enum job_phase phase,
           const struct job_io *lines, struct job_totals *totals,
           uint64_t *rejected)
{
    struct job_fields fields;
    struct job_io io;
    bool good;

    job_fields_open(&fields, &io, lines, str_c(c->fields));
    good = job_run_phase(c->job, phase, c->settings, &io, totals);
    *rejected = fields.rejected;
    if (fields.rejected > 0)
        fprintf(stderr,
                "reporter:counter:winnow %s,lines that are no JSON,%" PRIu64
                "\n",
                c->job->name, fields.rejected);
    job_fields_close(&fields);
    return good;
}

/* Of all lines none was one (reported): it is not what the job reads. */
static bool
none_was_read(const struct corpus_job *j, const struct job_totals *t)
{
    uint64_t rejected = 0;

    for (size_t i = 0; i < JOB_COUNTERS_MAX && j->counters[i]; i++)
        if (str_eq(str_c(j->counters[i]), S(JOB_LINES_REJECTED)))
            rejected = t->counter[i];
        else if (t->counter[i] > 0)
            return false;
    if (rejected > 0)
        log_error(
            "job",
            "job=%s fault=\"no line of the input is one that it reads: see "
            "winnow job %s --help\"",
            j->name, j->name);
    return rejected > 0;
}

/* EXIT_REJECTED: there were records or inputs that could not be read, or lines
 * but none of the job's. */
static int
run_phase(const struct phase_call *c, enum job_phase phase)
{
    struct job_totals totals = {.too_long = 0};
    struct job_stdio streams;
    struct job_io io;
    uint64_t unread = 0;
    bool good;

    job_stdio_open(&streams, &io, c->files, c->files_n, c->paths, &totals);
    good = c->fields == NULL
               ? job_run_phase(c->job, phase, c->settings, &io, &totals)
               : run_fields(c, phase, &io, &totals, &unread);
    job_stdio_close(&streams);
    job_totals_report(c->job, &totals);
    if (good && c->count_lines)
        put_counters(c->job, &totals);
    for (size_t i = 0; i < JOB_COUNTERS_MAX && c->job->counters[i]; i++)
        if (job_is_unread(str_c(c->job->counters[i])))
            unread += totals.counter[i];
    if (good && none_was_read(c->job, &totals))
        unread++;
    else if (c->fields == NULL && phase == JOB_MAP && streams.objects)
        log_warn("job",
                 "job=%s reads the lines as they are, and they look like JSON: "
                 "--fields NAME says which field is meant",
                 c->job->name);
    return !good ? EXIT_FAILED : unread > 0 ? EXIT_REJECTED : EXIT_DONE;
}

/* ---- all phases here ---- */

/* The first phase reads JSONL, the last one writes it. */
struct fields_of_phases {
    const char *in, *out; /* IN and :OUT, or NULL */
};

static struct fields_of_phases
part_fields(const char *fields, struct arena *a)
{
    struct fields_of_phases f = {NULL, NULL};
    size_t colon;

    if (fields == NULL)
        return f;
    colon = strcspn(fields, ":");
    if (colon > 0)
        f.in = arena_cstr(a, str_n(fields, colon));
    if (fields[colon] == ':')
        f.out = fields + colon;
    return f;
}

struct local_phases {
    struct phase_call call;
    struct fields_of_phases fields;
};

static int
local_phase(void *self, enum job_phase phase, bool first, bool last)
{
    const struct local_phases *l = self;
    struct phase_call c = l->call;

    if (!first) {
        c.files_n = 0;
        c.paths = false;
    }
    if (!first || !last)
        c.fields = first ? l->fields.in : last ? l->fields.out : NULL;
    return run_phase(&c, phase);
}

static int
run_local(const struct invocation *in, struct phase_call call, struct arena *a)
{
    const char *memory = invocation_flag(in, "memory");
    struct local_phases phases = {.fields = part_fields(call.fields, a)};
    struct local_job l = {.job = call.job,
                          .memory = memory != NULL ? memory : "512M",
                          .output = command_out(in, "output"),
                          .phase = local_phase,
                          .self = &phases};
    struct paths files = {0};
    struct str *file;
    int code = EXIT_USAGE;

    if (!paths_of_flag(&files, in, "input"))
        return EXIT_USAGE;
    for (size_t i = 0; i < call.files_n; i++)
        paths_add(&files, call.files[i].p);
    file = ARENA_ARRAY(a, struct str, files.n + 1);
    for (size_t i = 0; i < files.n; i++)
        file[i] = str_c(files.path[i]);
    call.files = file;
    call.files_n = files.n;
    l.file = files.path;
    l.files_n = files.n;
    phases.call = call;
    if (check_local(in, call.job, &files) == EXIT_DONE)
        code = local_run(&l);
    paths_free(&files);
    return code;
}

static int
run_job(const struct invocation *in, const struct corpus_job *j,
        struct arena *a)
{
    struct str phase = in->words_n > 1 ? in->words[1] : S("");
    struct job_settings s;
    struct phase_call c = {.job = j,
                           .settings = &s,
                           .files = in->words + 2,
                           .files_n = in->words_n > 2 ? in->words_n - 2 : 0,
                           .fields = invocation_flag(in, "fields"),
                           .paths = invocation_flag(in, "paths") != NULL,
                           .count_lines =
                               invocation_flag(in, "count-lines") != NULL};

    if (settings(in, j, a, &s) != EXIT_DONE)
        return EXIT_USAGE;
    if (str_eq(phase, S("local")))
        return run_local(in, c, a);
    for (enum job_phase p = JOB_MAP; p < JOB_PHASES_N; p++)
        if (str_eq(phase, str_c(job_phase_name[p])) && j->phase[p] != NULL)
            /* rejected input is no failure to Hadoop and Spark */
            return run_phase(&c, p) == EXIT_FAILED ? EXIT_FAILED : EXIT_DONE;
    return command_usage(in, "%s has no phase \"%.*s\" (winnow job --list)",
                         j->name, STRF(phase));
}

static int
run(struct invocation *in)
{
    const struct corpus_job *j;
    struct arena *a;
    int code;

    if (invocation_flag(in, "list") != NULL)
        return list();
    if (in->words_n == 0)
        return command_usage(in, "which job? (winnow job --list)");
    if ((j = job_find(in->words[0])) == NULL)
        return unknown(in, in->words[0]);
    a = arena_new();
    code = run_job(in, j, a);
    arena_free(a);
    return code;
}

static bool
help_of(const struct invocation *in)
{
    const struct corpus_job *j =
        in->words_n > 0 ? job_find(in->words[0]) : NULL;

    if (j != NULL)
        describe(j);
    return j != NULL;
}

static const struct flag flags[] = {
    SWITCH("list", "All jobs: phases, lines, options, counters."),
    FLAG("fields", "IN[:OUT]",
         "JSONL: names of fields that are the columns of lines, and names for "
         "those that come out (text:words,count)."),
    SWITCH("count-lines", "Counters on standard output, too: lines that begin "
                          "with byte 1; not with local."),
    SWITCH("paths", "Standard input has the names of the files to read."),
    FLAG("define,D", "KEY=VALUE", "An option of the job. Repeatable."),
    FLAG("jobconf", "FILE",
         "Options as webcorpus' jobconf.txt has them; not with local."),
    FLAG("input,i", "PATTERN",
         "local: files, beside FILE; without, standard input. Repeatable."),
    FLAG("output,o", "FILE",
         "local: where to write, else (and -) standard output."),
    FLAG("memory", "SIZE", "local: for sorting, as sort -S takes it (512M)."),
    {0},
};

const struct command command_job = {
    .name = "job",
    .group = COMMANDS_DOCUMENTS,
    .usage = "NAME map|combine|reduce|local [-D KEY=VALUE] [FILE...]",
    .summary = "Run one batch job, lines to lines, here or in Hadoop Streaming "
               "or Spark.",
    .help =
        "A phase reads lines on standard input and writes lines on standard "
        "output, key,\nTAB, value; whoever runs the job sorts between map "
        "and reduce. With local the\nwhole job runs here.\n\n"
        "  winnow job shingle-pairs local -i '*.tender.gz' |\n"
        "      winnow job pair-count local | winnow job near-stars local",
    .flags = flags,
    .run = run,
    .help_of = help_of,
};
