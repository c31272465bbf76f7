/* What no line can be done with fails a job before it has written anything: a
 * language that no sentence can be of, a command that is not there. */
#include "job_case.h"

#include "folder.h"

#define NORWEGIAN                                                              \
    "u\t<source><language>no</language></source>\t<process></process>\t"       \
    "<p><s>Hun har ikke vært hjemme siden i går kveld.</s></p>\n"

/* Whether the phase is done; what it writes is in c->out. */
static bool
done(struct job_case *c, const char *job, const char *option, const char *lines)
{
    struct job_io io = {c, job_case_line, job_case_file, job_case_put, NULL};
    const char *why;

    job_case_open(c, job, "");
    CHECK(job_set(c->job, &c->settings, str_c(option), &why));
    c->rest = str_c(lines);
    return job_run_phase(c->job, JOB_MAP, &c->settings, &io, &c->totals);
}

static bool
annotates(const char *command)
{
    struct job_case c;
    bool good = done(&c, "annotate", command, "a\nb\n");

    CHECK(good || c.out.n == 0);
    job_case_close(&c);
    return good;
}

static void
a_command_that_is_not_there_fails_the_job(void)
{
    CHECK(!annotates("command=./no-such-program 2>&-"));
    CHECK(!annotates("command=/dev/null 2>&-")); /* may not be run */
    CHECK(annotates("command=echo; exit 127"));  /* has written something */
    CHECK(annotates("command=exit 1"));
}

static bool
is_norwegian(const char *lang)
{
    struct job_case c;
    bool good = done(&c, "language", lang, NORWEGIAN) && c.out.n > 0 &&
                memmem(c.out.p, c.out.n, "<s lang=\"nb\"", 12);

    job_case_close(&c);
    return good;
}

static void
a_language_has_several_names(void)
{
    CHECK(is_norwegian("lang=nb"));
    CHECK(is_norwegian("lang=no"));
    CHECK(is_norwegian("lang=no-NO"));
    CHECK(is_norwegian("lang=")); /* what the document says */
    CHECK(!is_norwegian("lang=da"));
}

static bool
wants(const char *lang)
{
    struct job_case c;
    bool good = done(&c, "language", lang, NORWEGIAN);

    CHECK(c.out.n == 0);
    job_case_close(&c);
    return good;
}

static void
a_language_that_no_sentence_can_be_of_is_refused(void)
{
    CHECK(wants("lang=de") && wants("lang=ja") && wants("lang=sr-Latn"));
    CHECK(!wants("lang=german"));
    CHECK(!wants("lang=deu"));
    CHECK(!wants("lang=und"));
    CHECK(!wants("lang=7"));
}

static const struct test tests[] = {
    TEST(a_command_that_is_not_there_fails_the_job),
    TEST(a_language_has_several_names),
    TEST(a_language_that_no_sentence_can_be_of_is_refused),
    {0}};

int
main(int argc, char **argv)
{
    return folder_main(tests, argc, argv);
}
