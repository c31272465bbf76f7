/* Rows that are none: each job counts them by name, and does the others.
 * Method: every job of the table over a row that it cannot take, before and
 * behind one that it can. */
#include "job_case.h"

#include "folder.h"

#define DOC(text) "http://a.de/1\t<source></source>\t<process></process>\t" text
#define GOOD DOC("<p><s>Das ist ein Haus.</s></p>")

static const struct bad_row {
    const char *job;
    enum job_phase phase;
    const char *options, *bad, *good; /* good: NULL: not tried */
    const char *counter;
} rows[] = {
    {"document", JOB_MAP, "", "no record", "{\"url\":\"u\",\"text\":\"a\"}",
     "records rejected"},
    {"deduplication", JOB_MAP, "", "no columns", GOOD, "lines rejected"},
    {"dedup-by-host", JOB_MAP, "", "u\ts\tp", GOOD, "lines rejected"},
    {"utf8", JOB_MAP, "", "", GOOD, "lines rejected"},
    {"mask", JOB_MAP, "", "a\tb", GOOD, "lines rejected"},
    {"quality", JOB_MAP, "rules=words-max", "a\tb", GOOD, "lines rejected"},
    {"abbreviations", JOB_REDUCE, "", "word", "ab .\t7", "lines rejected"},
    {"abbreviations", JOB_REDUCE, "", "word .\tx", "ab .\t7", "lines rejected"},
    {"sentence", JOB_MAP, "", "\t\t\t<p>a</p>", GOOD, "lines rejected"},
    {"language", JOB_MAP, "lang=de", "a", GOOD, "lines rejected"},
    {"token", JOB_MAP, "lang=de", "", "ein Haus", "lines rejected"},
    {"annotate", JOB_MAP, "lang=de", "\t7", "ein Haus\t7", "lines rejected"},
    {"vertical", JOB_MAP, "", DOC("no paragraph"), GOOD, "lines rejected"},
    {"jsonl", JOB_MAP, "", DOC("no paragraph"), GOOD, "lines rejected"},
    {"sentence-extract", JOB_MAP, "", "a\tb", GOOD, "lines rejected"},
    {"sentence-extract-compact", JOB_REDUCE, "", "a", "a\tu\td",
     "lines rejected"},
    {"ngram", JOB_MAP, "column=3", "a\tb", "a\tb\tc", "lines rejected"},
    {"ngram", JOB_MAP, "weight-column=2", "a\tx", "a\t2", "lines rejected"},
    {"ngram", JOB_REDUCE, "", "a", "a\t2", "lines rejected"},
    {"ngram-with-pos", JOB_MAP, "", "a b", "a/<X>", "sentences without tags"},
    {"pos-ngram", JOB_REDUCE, "", "a\t-1", "a\t2", "lines rejected"},
    {"cooccurrence", JOB_MAP, "column=2", "a", "a\tb c", "lines rejected"},
    {"association", JOB_MAP, "", "a\t2", "a b\t2", "lines rejected"},
    {"association", JOB_REDUCE, "", "a b", "\001\t2", "lines rejected"},
    {"association", JOB_REDUCE, "", "a b\t2", NULL, "pairs without sums"},
    {"shingle-pairs", JOB_MAP, "", "a", NULL, "lines rejected"},
    {"pair-count", JOB_REDUCE, "limit=1", "a", "a b\t2", "lines rejected"},
    {"near-stars", JOB_REDUCE, "", "a", NULL, "lines rejected"},
};

enum { ROWS_N = sizeof rows / sizeof *rows };

/* A file, for the job that reads files. */
static struct str
run(struct job_case *c, const struct bad_row *r, struct str lines)
{
    if (c->job->input != JOB_FILES)
        return job_case_run(c, r->phase, lines);
    folder_put("in", lines);
    c->path = in_folder("in");
    return job_case_run(c, r->phase, S(""));
}

static void
rows_that_are_none_are_counted_and_the_others_done(void)
{
    for (size_t i = 0; i < ROWS_N; i++) {
        const struct bad_row *r = &rows[i];
        struct buf in = {0}, alone = {0};
        struct job_case c;

        job_case_open(&c, r->job, r->options);
        if (c.job->input == JOB_FILES) /* the first line says what it is */
            buf_c(&in, "{\"url\":\"u\"}\n");
        buf_printf(&in, "%s\n%s%s", r->bad, r->good ? r->good : "",
                   r->good ? "\n" : "");
        run(&c, r, buf_view(&in));
        if (job_case_counter(&c, r->counter) != 1) {
            fprintf(stderr, "%s: %s\n", r->job, r->bad);
            CHECK(false);
        }
        buf_str(&alone, buf_view(&c.out));
        if (r->good != NULL) {
            buf_clear(&in);
            buf_printf(&in, "%s\n", r->good);
            CHECK(str_eq(run(&c, r, buf_view(&in)), buf_view(&alone)));
        }
        job_case_close(&c);
        buf_free(&in);
        buf_free(&alone);
    }
}

static void
every_job_has_a_row(void)
{
    for (const struct corpus_job *const *j = job_table; *j != NULL; j++) {
        size_t i = 0;

        while (i < ROWS_N && strcmp(rows[i].job, (*j)->name) != 0)
            i++;
        if (i == ROWS_N)
            fprintf(stderr, "no bad row of %s\n", (*j)->name);
        CHECK(i < ROWS_N);
    }
}

/* Bytes that are no UTF-8 stay where they are, in one token or several. */
static void
broken_bytes_are_not_lost(void)
{
    static const char *const jobs[] = {"sentence", "token", "language",
                                       "vertical", "mask"};

    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct job_case c;
        struct str out;
        size_t n = 0;

        job_case_open(&c, jobs[i], i < 4 ? "lang=de" : "");
        out = job_case_run(&c, JOB_MAP,
                           S(DOC("<p><s>Das ist \xff\xfe ein Haus\xc3 hier."
                                 "</s></p>") "\n"));
        for (size_t k = 0; k < out.n; k++)
            n += out.p[k] == '\xff' || out.p[k] == '\xfe' || out.p[k] == '\xc3';
        if (strcmp(jobs[i], "vertical") == 0)
            CHECK(n >= 3); /* words, and their lemmas */
        else
            CHECK(n == 3);
        job_case_close(&c);
    }
}

static const struct test tests[] = {
    TEST(rows_that_are_none_are_counted_and_the_others_done),
    TEST(every_job_has_a_row),
    TEST(broken_bytes_are_not_lost),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
