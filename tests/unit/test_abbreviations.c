/* Job abbreviations, and option words of the jobs that take a list.  Method:
 * phases over lines in memory; the numbers are Kiss & Strunk's by hand. */
#include "job_case.h"

#include "folder.h"

/* Forty times "ca." and "stadt.", four times "Stadt" alone. */
static struct str
text_of(struct buf *text)
{
    for (int i = 0; i < 40; i++)
        buf_c(text, "Das ist ca. ein Haus (z.B.) im Dorf der Stadt.\n");
    for (int i = 0; i < 4; i++)
        buf_c(text, "Die Stadt 3.000 A_B ist ... ca. alt\n");
    return buf_view(text);
}

static struct str
learn(struct job_case *c, struct str lines)
{
    struct buf in = {0}, sums = {0};
    struct str mapped, line[4000];
    size_t n = 0;

    buf_str(&in, job_case_run(c, JOB_MAP, lines));
    mapped = buf_view(&in);
    while (n < 4000 && str_cut(&mapped, '\n', &line[n]))
        n++;
    qsort(line, n, sizeof *line, job_case_order);
    for (size_t i = 0; i < n; i++) {
        buf_str(&sums, line[i]);
        buf_char(&sums, '\n');
    }
    buf_free(&in);
    job_case_run(c, JOB_COMBINE, buf_view(&sums));
    buf_clear(&sums);
    buf_str(&sums, buf_view(&c->out));
    job_case_run(c, JOB_REDUCE, buf_view(&sums));
    buf_free(&sums);
    return buf_view(&c->out);
}

static void
what_collocates_with_its_stop_is_an_abbreviation(void)
{
    struct buf text = {0};
    struct job_case c;

    job_case_open(&c, "abbreviations", "");
    IS(learn(&c, text_of(&text)), "may: ca\nmay: z.b\n");
    CHECK(job_case_counter(&c, "lines") == 44);
    CHECK(job_case_counter(&c, "abbreviations") == 2);
    CHECK(job_case_counter(&c, "lines rejected") == 0);
    job_case_close(&c);
    buf_free(&text);
}

/* In documents, whose paragraphs are texts of several sentences. */
static void
what_stands_behind_stops_begins_sentences(void)
{
    struct buf text = {0};
    struct job_case c;

    for (int i = 0; i < 30; i++)
        buf_c(&text, "u\ts\tp\t<p heading=\"1\"><s>Das waren alle Probleme.</s>"
                     "<s>Dennoch kam Anna.</s></p><p>Alle lachten und Anna sah "
                     "Probleme und lachten Anna alle waren kam</p>\n");
    job_case_open(&c, "abbreviations", "");
    IS(learn(&c, buf_view(&text)), "starts: dennoch\n");
    CHECK(job_case_counter(&c, "words that begin sentences") == 1);
    job_case_close(&c);
    buf_free(&text);
}

#define TEXT "Er kam xyq. Baum und Haus waren da."

static void
learnt_words_are_used(void)
{
    struct job_case c;
    char option[600];

    job_case_open(&c, "sentence", "lang=de");
    IS(job_case_run(&c, JOB_MAP, S("u\ts\tp\t<p>" TEXT "</p>\n")),
       "u\ts\tp\t<p><s>Er kam xyq.</s><s>Baum und Haus waren da.</s></p>\n");
    job_case_close(&c);
    folder_put("words", S("may: xyq\n"));
    snprintf(option, sizeof option, "lang=de words=%s", in_folder("words"));
    job_case_open(&c, "sentence", option);
    IS(job_case_run(&c, JOB_MAP, S("u\ts\tp\t<p>" TEXT "</p>\n")),
       "u\ts\tp\t<p><s>" TEXT "</s></p>\n");
    job_case_close(&c);
    job_case_open(&c, "token", option);
    IS(job_case_run(&c, JOB_MAP, S("Er kam xyq. an.\n")), "Er kam xyq. an .\n");
    job_case_close(&c);
}

/* A file that is none, or no list, ends the phase. */
static void
a_list_that_is_none_is_a_fault(void)
{
    struct job_case c;
    struct job_io io = {&c, job_case_line, job_case_file, job_case_put, NULL};
    char option[600];

    folder_put("words", S("may: a\nnonsense\n"));
    for (int i = 0; i < 2; i++) {
        snprintf(option, sizeof option, "words=%s",
                 in_folder(i == 0 ? "words" : "none"));
        job_case_open(&c, "token", option);
        c.rest = S("Er kam.\n");
        CHECK(!job_run_phase(c.job, JOB_MAP, &c.settings, &io, &c.totals));
        CHECK(c.out.n == 0);
        job_case_close(&c);
    }
}

#define ROW(language, text)                                                    \
    "u\t<source><language>" language "</language></source>\t<process>"         \
    "</process>\t<p>" text "</p>\n"

/* Two different ones of its language's, as Gopher asks; a language without a
 * list is not asked. */
static void
running_text_has_stop_words(void)
{
    static const struct {
        const char *row;
        uint64_t passed;
    } rows[] = {
        {ROW("nl", "Fiets auto trein de huis het straat"), 1},
        {ROW("nl", "Fiets De auto de trein de huis"), 0},
        {ROW("nl", "the cat and the dog of that house"), 0},
        {ROW("en", "the cat and the dog of that house"), 1},
        {ROW("eu", "etxe bat"), 1},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct job_case c;

        job_case_open(&c, "quality", "rules=stop-words");
        job_case_run(&c, JOB_MAP, str_c(rows[i].row));
        CHECK(job_case_counter(&c, "documents passed") == rows[i].passed);
        CHECK(job_case_counter(&c, "stop-words") == 1 - rows[i].passed);
        job_case_close(&c);
    }
}

static const struct test tests[] = {
    TEST(what_collocates_with_its_stop_is_an_abbreviation),
    TEST(what_stands_behind_stops_begins_sentences),
    TEST(learnt_words_are_used),
    TEST(a_list_that_is_none_is_a_fault),
    TEST(running_text_has_stop_words),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
