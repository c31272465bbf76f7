/* Job association.  Method: counts of a small corpus, whose measures were
 * worked out by hand (natural logarithms for the likelihood). */
#include "job_case.h"

#include "folder.h"

#define HEAD                                                                   \
    "left\tright\tdistance\tn\tn_left\tn_right\tlog_likelihood\tdice\tpmi\t"   \
    "t_score\n"

/* nieuwe fiets: 4 of 5 and 8, 20 in all, so 2 are expected; its cells 4 1 4 11
 * stand beside 2 3 6 9: 2 * (4 ln 2 + ln 1/3 + 4 ln 2/3 + 11 ln 11/9). */
static void
measures_are_those_of_the_formulas(void)
{
    struct job_case c;

    job_case_open(&c, "association", "");
    IS(job_case_all(&c, S("nieuwe fiets\t3\nnieuwe fiets\t1\nnieuwe auto\t1\n"
                          "oude fiets\t4\noude auto\t11\nkapot\t3\na b c\t1\n"
                          "x y\tz\n")),
       HEAD "nieuwe\tfiets\t1\t4\t5\t8\t4.5190\t0.615385\t1.0000\t1.0000\n"
            "oude\tauto\t1\t11\t15\t12\t4.5190\t0.814815\t0.2895\t0.6030\n"
            "oude\tfiets\t1\t4\t15\t8\t4.5190\t0.347826\t-0.5850\t-1.0000\n");
    CHECK(job_case_counter(&c, "lines rejected") == 3);
    CHECK(job_case_counter(&c, "pairs") == 4);
    CHECK(job_case_counter(&c, "pairs written") == 3);
    job_case_close(&c);
    job_case_open(&c, "association", "likelihood-min=20");
    IS(job_case_all(&c, S("nieuwe fiets\t4\noude auto\t4\nx y\t9\n")),
       HEAD "x\ty\t1\t9\t9\t9\t23.5081\t1\t0.9175\t1.4118\n");
    job_case_close(&c);
}

/* A word on the right is no other one on the left, however alike: none of these
 * pairs has a word in common with another. */
static void
alike_words_count_by_themselves(void)
{
    struct job_case c;

    job_case_open(&c, "association", "min-count=1");
    IS(job_case_all(&c, S("mit den\t5\ndem Haus\t7\nx b\t2\nc y\t3\n")),
       HEAD "c\ty\t1\t3\t3\t3\t15.8440\t1\t2.5025\t1.4264\n"
            "dem\tHaus\t1\t7\t7\t7\t23.0348\t1\t1.2801\t1.5563\n"
            "mit\tden\t1\t5\t5\t5\t20.5971\t1\t1.7655\t1.5784\n"
            "x\tb\t1\t2\t2\t2\t12.3152\t1\t3.0875\t1.2478\n");
    job_case_close(&c);
}

/* The sums of one distance are not those of another one. */
static void
distances_count_by_themselves(void)
{
    struct job_case c;

    job_case_open(&c, "association", "");
    IS(job_case_all(&c, S("a@@-1 b@@+1\t2\na@@-1 c@@+1\t1\nd@@-1 c@@+1\t2\n"
                          "a@@-2 b@@+2\t7\n")),
       HEAD "a\tb\t1\t2\t3\t2\t2.9110\t0.8\t0.7370\t0.5657\n"
            "a\tb\t2\t7\t7\t7\t0.0000\t1\t0.0000\t0.0000\n"
            "d\tc\t1\t2\t2\t3\t2.9110\t0.8\t0.7370\t0.5657\n");
    job_case_close(&c);
}

/* Words of a text may look as if they said a distance. */
static void
a_mark_in_a_word_is_no_distance(void)
{
    struct job_case c;
    struct str out;

    job_case_open(&c, "association", "min-count=1");
    IS(job_case_all(&c, S("a@@-x b\t3\na@@-2 b\t3\nc b@@+2\t2\n")),
       HEAD "a@@-2\tb\t1\t3\t3\t6\t2.2672\t0.666667\t0.4150\t0.4330\n"
            "a@@-x\tb\t1\t3\t3\t6\t2.2672\t0.666667\t0.4150\t0.4330\n"
            "c\tb@@+2\t1\t2\t2\t2\t8.9974\t1\t2.0000\t1.0607\n");
    job_case_close(&c);
    job_case_open(&c, "association", "form=sql min-count=1");
    out = job_case_all(&c, S("a@@-1);DROP b@@+1);DROP\t1\n"));
    CHECK(memmem(out.p, out.n, "'a@@-1);DROP','b@@+1);DROP',1,", 30) != NULL);
    job_case_close(&c);
}

static void
sql_has_its_quotes_twice(void)
{
    struct job_case c;
    struct str out;

    job_case_open(&c, "association", "form=sql min-count=1");
    out = job_case_all(&c, S("l'an neuf\t2\n"));
    CHECK(str_starts(out, S("BEGIN;\nCREATE TABLE IF NOT EXISTS pairs(left ")));
    CHECK(str_ends(out, S("\nINSERT INTO pairs VALUES('l''an','neuf',1,2,2,2,"
                          "0.0000,1,0.0000,0.0000);\nCOMMIT;\n")));
    job_case_close(&c);
}

static const struct test tests[] = {
    TEST(measures_are_those_of_the_formulas),
    TEST(alike_words_count_by_themselves),
    TEST(distances_count_by_themselves),
    TEST(a_mark_in_a_word_is_no_distance),
    TEST(sql_has_its_quotes_twice),
    {0},
};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
