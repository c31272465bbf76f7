/* cmd_run.c -- `winnow run`: a pipeline of jobs, here or elsewhere. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/options/command.h"
#include "corpus/job/jobconf.h"
#include "corpus/lines/paths.h"
#include "pipeline.h"
#include "run_local.h"
#include "run_plan.h"

#define PIPELINE_BYTES_MAX ((size_t)1 << 20)
#define THREADS_MAX 64

static int
usage(const struct invocation *in, const char *what, struct buf *why)
{
    int code = command_usage(in, "%s%s%.*s", what, what[0] ? ": " : "",
                             STRF(buf_view(why)));

    buf_free(why);
    return code;
}

/* ---- settings ---- */

static bool
read_pipeline(struct pipeline *p, const char *name, struct buf *why)
{
    const char *text = pipeline_built_in(str_c(name));
    struct buf file = {.arena = p->arena};

    if (text != NULL)
        return pipeline_read(p, str_c(text), why);
    if (file_read(&file, name, PIPELINE_BYTES_MAX) != ST_OK) {
        buf_printf(why, "%s (a pipeline is a file, webcorpus or vertical)",
                   strerror(errno));
        return false;
    }
    return pipeline_read(p, buf_view(&file), why);
}

static bool
set_jobconf(struct pipeline *p, const char *path, struct buf *why)
{
    struct jobconf c = {.defines_n = 0};
    struct buf file = {.arena = p->arena};
    bool good;

    if (file_read(&file, path, PIPELINE_BYTES_MAX) != ST_OK) {
        buf_printf(why, "%s", strerror(errno));
        return false;
    }
    good = jobconf_read(&c, p->arena, buf_view(&file), why);
    for (size_t i = 0; good && i < c.defines_n; i++) {
        struct buf none = {0};

        if (!pipeline_set(p, c.define[i], &none))
            fprintf(stderr, "winnow run: %s: %.*s\n", path,
                    STRF(buf_view(&none)));
        buf_free(&none);
    }
    if (good)
        fprintf(stderr, "%.*s", STRF(buf_view(&c.remarks)));
    jobconf_free(&c);
    return good;
}

static bool
is_of_cleaning(const struct opt *row)
{
    static const char *const sections[] = {"scope", "clean", "convert"};

    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strcmp(row->section, sections[i]) == 0)
            return true;
    return false;
}

/* What a flag or the environment has set of cleaning, for who cleans on another
 * machine as well. */
static void
set_clean(const struct opts *o, struct pipeline *p)
{
    const char **set = ARENA_ARRAY(p->arena, const char *, opt_table_n);
    size_t n = 0;

    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];
        struct buf text = {.arena = p->arena};

        if (!is_of_cleaning(row) || !opts_given(o, row->section, row->key))
            continue;
        opts_show_assignment(o, row, &text);
        buf_char(&text, '\0');
        set[n++] = text.p;
    }
    pipeline_set_clean(p, o->clean_data, set, n);
}

static int
settings(const struct invocation *in, struct pipeline *p)
{
    const char *name = in->words[0].p;
    const char *conf = invocation_flag(in, "jobconf");
    struct buf why = {0};
    const char *const *define;
    size_t n;

    if (!read_pipeline(p, name, &why))
        return usage(in, name, &why);
    if (conf != NULL && !set_jobconf(p, conf, &why))
        return usage(in, conf, &why);
    set_clean(&in->opts, p);
    define = invocation_flag_all(in, "define", &n);
    for (size_t i = 0; i < n; i++)
        if (!pipeline_set(p, str_c(define[i]), &why))
            return usage(in, "-D", &why);
    return EXIT_DONE;
}

/* 512, 512K, 512M, 2G. */
static bool
size_of(const char *text, size_t *out)
{
    struct str s = str_c(text);
    size_t unit = 1;
    uint64_t n;

    if (s.n > 1 && !ascii_digit(s.p[s.n - 1])) {
        char c = ascii_lower(s.p[s.n - 1]);

        unit = c == 'k'   ? (size_t)1 << 10
               : c == 'm' ? (size_t)1 << 20
               : c == 'g' ? (size_t)1 << 30
                          : 0;
        s.n--;
    }
    if (!str_u64(s, &n) || unit == 0 || n > SIZE_MAX / unit)
        return false;
    *out = (size_t)n * unit;
    return *out >= (size_t)1 << 16;
}

/* ---- engines ---- */

static int
run_spark(const struct invocation *in, const struct pipeline *p,
          const struct paths *input, const char *folder)
{
    const char *submit = invocation_flag(in, "spark-submit");
    const char *driver = invocation_flag(in, "driver");
    char self[4096], plan[4096];
    struct buf json = {0};
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    enum status st;

    if (driver == NULL)
        return command_usage(in, "--engine spark needs --driver: the path of "
                                 "winnow_spark.py");
    self[n > 0 ? n : 0] = '\0';
    snprintf(plan, sizeof plan, "%s.plan.json", folder);
    plan_json(p, input, &json);
    st = file_write(plan, buf_view(&json));
    buf_free(&json);
    if (st != ST_OK) {
        fprintf(stderr, "winnow run: %s: %s\n", plan, strerror(errno));
        return EXIT_FAILED;
    }
    submit = submit != NULL ? submit : "spark-submit";
    execlp(submit, submit, driver, "--plan", plan, "--output", folder,
           "--winnow", self, (char *)NULL);
    fprintf(stderr, "winnow run: %s: %s\n", submit, strerror(errno));
    return EXIT_FAILED;
}

static int
print(void (*plan)(const struct pipeline *, const struct paths *, const char *,
                   struct buf *),
      const struct pipeline *p, const struct paths *input, const char *folder)
{
    struct buf out = {0};

    if (plan != NULL)
        plan(p, input, folder, &out);
    else
        plan_json(p, input, &out);
    fwrite(out.p, 1, out.n, stdout);
    buf_free(&out);
    return EXIT_DONE;
}

/* Before anything is read; once, though several stages may name a file. */
static int
check_files(const struct invocation *in, const struct pipeline *p)
{
    struct buf why = {0};
    int code = EXIT_DONE;

    for (size_t i = 0; i < p->n && code == EXIT_DONE; i++)
        if (!job_check_files(p->stage[i].job, &p->stage[i].settings, &why))
            code = usage(in, p->stage[i].name, &why);
    buf_free(&why);
    return code;
}

/* A setting that a late stage does not begin with is not to be met after hours
 * of the stages before it. */
static bool
stages_begin(const struct pipeline *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (!job_begins(p->stage[i].job, &p->stage[i].settings)) {
            log_error("run", "stage=%s fault=\"does not begin\"",
                      p->stage[i].name);
            return false;
        }
    return true;
}

static int
run_here(const struct invocation *in, const struct pipeline *p,
         const struct paths *input, const char *folder)
{
    const char *memory = invocation_flag(in, "memory");
    const char *threads = invocation_flag(in, "threads");
    struct run_local r = {.pipeline = p,
                          .input = input,
                          .folder = folder,
                          .memory = (size_t)512 << 20};
    uint64_t n = machine_processors(), unread = 0;

    if (threads != NULL && (!str_u64(str_c(threads), &n) || n == 0))
        return command_usage(in, "--threads %s: no number of threads", threads);
    r.threads = n < THREADS_MAX ? (size_t)n : THREADS_MAX;
    if (memory != NULL && !size_of(memory, &r.memory))
        return command_usage(in,
                             "--memory %s: not a size of 64K or more "
                             "(512M, 2G)",
                             memory);
    if (check_files(in, p) != EXIT_DONE)
        return EXIT_USAGE;
    if (!stages_begin(p) || !run_local(&r, &unread))
        return EXIT_FAILED;
    if (unread > 0)
        log_warn("run", "unread=%" PRIu64 " file=%s/counters.tsv", unread,
                 folder);
    return unread > 0 ? EXIT_REJECTED : EXIT_DONE;
}

static int
run_engine(const struct invocation *in, const struct pipeline *p,
           const struct paths *input)
{
    const char *name = invocation_flag(in, "engine");
    const char *folder = invocation_flag(in, "output");
    struct str engine = str_c(name != NULL ? name : "local");

    if (str_eq(engine, S("plan")))
        return print(NULL, p, input, "");
    if (folder == NULL)
        return command_usage(in, "where to? (--output FOLDER)");
    if (str_eq(engine, S("local")))
        return run_here(in, p, input, folder);
    if (str_eq(engine, S("spark")))
        return run_spark(in, p, input, folder);
    if (str_eq(engine, S("hadoop")))
        return print(plan_hadoop, p, input, folder);
    return command_usage(in, "no engine %s (local, spark, hadoop, plan)", name);
}

static bool
reads_input(const struct pipeline *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->stage[i].inputs_n; k++)
            if (p->stage[i].input[k].stage == SIZE_MAX &&
                p->stage[i].input[k].pattern.n == 0)
                return true;
    return false;
}

static int
run(struct invocation *in)
{
    struct pipeline *p;
    struct paths input = {0};
    int code;

    if (in->words_n != 1)
        return command_usage(in, "one pipeline: a file, webcorpus or vertical");
    p = calloc(1, sizeof *p);
    if (p == NULL)
        return EXIT_FAILED;
    p->arena = arena_new();
    code = settings(in, p);
    if (code == EXIT_DONE && invocation_flag(in, "show") != NULL) {
        const char *text = pipeline_built_in(in->words[0]);

        printf("%s", text != NULL ? text : "");
    } else if (code == EXIT_DONE) {
        if (reads_input(p) && invocation_flag(in, "input") == NULL)
            code = command_usage(in, "it reads input: which? (--input FILE)");
        else if (!paths_of_flag(&input, in, "input"))
            code = EXIT_USAGE;
        else
            code = run_engine(in, p, &input);
    }
    paths_free(&input);
    arena_free(p->arena);
    free(p);
    return code;
}

static const struct flag flags[] = {
    FLAG("input,i", "PATTERN",
         "Files that the pipeline calls input. Repeatable."),
    FLAG_ON_DISK("output,o", "FOLDER", "Where the stages' parts go."),
    FLAG("define,D", "KEY=VALUE",
         "An option of all stages that have it, or STAGE.KEY=VALUE. "
         "Repeatable."),
    FLAG("jobconf", "FILE", "Options as webcorpus' jobconf.txt has them."),
    FLAG("memory", "SIZE", "For sorting (512M)."),
    FLAG("threads", "N", "So many at once; preset: as there are cores."),
    FLAG("engine", "NAME",
         "local, spark, hadoop (prints commands), plan (JSON)."),
    FLAG("spark-submit", "PROGRAM", "What runs the driver on Spark."),
    FLAG("driver", "FILE", "winnow_spark.py, for Spark."),
    SWITCH("show", "The text of a pipeline that is built in."),
    {0},
};

const struct command command_run = {
    .name = "run",
    .group = COMMANDS_DOCUMENTS,
    .usage = "PIPELINE -i INPUT -o FOLDER [-D KEY=VALUE]",
    .summary = "Run a pipeline of batch jobs: sentences, tags, n-grams ...",
    .help =
        "PIPELINE is a file, webcorpus or vertical. Its lines are stages:\n\n"
        "  documents = document < input\n"
        "  unique = deduplication test-length=500 < documents\n"
        "  words = ngram n=1 column=4 < unique\n\n"
        "winnow job --list says which jobs there are. A stage's lines are in\n"
        "FOLDER/STAGE/part-*.zst, its counters in FOLDER/counters.tsv. "
        "Started\n"
        "again it goes on where it was: stages that were finished, and whose\n"
        "options, input and files that options name (words=FILE) are the "
        "same,\n"
        "are not done again.\n\n"
        "Archives and HTML are cleaned on the way, as --set clean.KEY=VALUE,\n"
        "scope.KEY and convert.KEY have it. A run that goes on does not "
        "clean\n"
        "again what it has cleaned: kept=N of the files, says its log.\n\n"
        "With records rejected or inputs damaged, also of a stage that was\n"
        "done before, it ends with 3.\n\n"
        "  winnow run webcorpus -i 'crawl/*.jsonl.gz' -o corpus --memory 2G\n"
        "  winnow run webcorpus --engine spark --driver winnow_spark.py "
        "-i a.jsonl -o out",
    .flags = flags,
    .run = run,
};
