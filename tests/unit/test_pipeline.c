/* Pipelines and jobconf.txt.  Method: texts that are right, and such that are
 * wrong in one place. */
#include "corpus/run/pipeline.h"

#include <math.h>

#include "corpus/job/jobconf.h"
#include "test.h"

static struct pipeline p;
static struct buf why;

static bool
reads(const char *text)
{
    arena_free(p.arena);
    memset(&p, 0, sizeof p);
    p.arena = arena_new();
    buf_clear(&why);
    return pipeline_read(&p, str_c(text), &why);
}

static bool
fails(const char *text, const char *what)
{
    bool is = !reads(text);

    buf_char(&why, '\0');
    if (is && strstr(why.p, what) != NULL)
        return true;
    fprintf(stderr, "%s: \"%s\", expected %s\n", text, why.p, what);
    return false;
}

static void
stages_read_what_stands_above_them(void)
{
    CHECK(reads("# a comment\n\n"
                "docs = document input-format=jsonl < input # the rest\n"
                "words = ngram n=2 \"separator=a b\" < docs /tmp/*.zst\n"));
    CHECK(p.n == 2 && p.stage[0].is_read && !p.stage[1].is_read);
    CHECK(p.stage[0].inputs_n == 1 && p.stage[0].input[0].stage == SIZE_MAX &&
          p.stage[0].input[0].pattern.n == 0);
    CHECK(p.stage[1].inputs_n == 2 && p.stage[1].input[0].stage == 0);
    CHECK(str_eq(p.stage[1].input[1].pattern, S("/tmp/*.zst")));
    CHECK(p.stage[1].defines_n == 2 &&
          strcmp(p.stage[1].define[1], "separator=a b") == 0);
    CHECK(reads("\xef\xbb\xbf" /* a byte order mark */
                "a = document < input\r\n"));
}

static void
what_is_wrong_is_said_with_its_line(void)
{
    CHECK(fails("", "no stage"));
    CHECK(fails("\na = documents < input", "line 2: no such job: documents"));
    CHECK(fails("a = document", "reads nothing"));
    CHECK(fails("a = document < b", "neither a stage above nor a file: b"));
    CHECK(fails("a = document < a", "neither"));
    CHECK(fails("input = document < input", "no name"));
    CHECK(fails("a/b = document < input", "no name"));
    CHECK(fails("a = utf8 < input\na = utf8 < input", "line 2: a stage has"));
    CHECK(fails("a utf8 < input", "not NAME = JOB"));
    CHECK(fails("a = utf8 n=2 < input", "no such option: n=2"));
    CHECK(fails("a = ngram n=0 < input", "bounds: n=0"));
    CHECK(fails("a = utf8 < \"input", "quote"));
    CHECK(fails("a = utf8 < i i i i i i i i i i i i i i i i", "neither"));
    CHECK(fails("a = utf8 < input input input input input input input input "
                "input input input input input input input input input",
                "too many inputs"));
}

static void
options_go_to_the_stages_that_have_them(void)
{
    CHECK(reads("a = deduplication < input\nb = dedup-by-host < a\n"
                "c = ngram < b\nd = ngram n=3 < b"));
    CHECK(pipeline_set(&p, S("test-length=7"), &why));
    CHECK(p.stage[0].settings.value[0] == 7 &&
          p.stage[1].settings.value[0] == 7);
    CHECK(pipeline_set(&p, S("d.n=5"), &why));
    CHECK(p.stage[2].settings.value[0] == 1 &&
          p.stage[3].settings.value[0] == 5);
    CHECK(!pipeline_set(&p, S("a.n=5"), &why));
    CHECK(!pipeline_set(&p, S("n=x"), &why));
    CHECK(!pipeline_set(&p, S("n"), &why));
    CHECK(!pipeline_set(&p, S("e.n=1"), &why));
    CHECK(!pipeline_set(&p, S(""), &why));
}

static void
an_option_may_be_called_as_a_stage_is(void)
{
    CHECK(reads("words = sentence < input\nb = token < words"));
    CHECK(pipeline_set(&p, S("words=a.txt"), &why));
    CHECK(p.stage[0].defines_n == 1 && p.stage[1].defines_n == 1);
    CHECK(pipeline_set(&p, S("words.words=b.txt"), &why));
    CHECK(p.stage[0].defines_n == 2 && p.stage[1].defines_n == 1);
    CHECK(!pipeline_set(&p, S("words"), &why));
}

static void
webcorpus_is_built_in(void)
{
    CHECK(reads(pipeline_built_in(S("webcorpus"))));
    CHECK(reads(pipeline_built_in(S("vertical"))));
    CHECK(pipeline_built_in(S("webcorpora")) == NULL);
}

/* ---- jobconf.txt ---- */

static bool
conf(struct jobconf *c, struct arena *a, const char *text)
{
    *c = (struct jobconf){.defines_n = 0};
    buf_clear(&why);
    return jobconf_read(c, a, str_c(text), &why);
}

static void
keys_of_webcorpus_are_options_here(void)
{
    struct arena *a = arena_new();
    struct jobconf c;

    CHECK(conf(&c, a,
               "# webcorpus\n queueName = default\ndedupTestLength=500\n"
               "dropFilteredItems: false\nkeySeparator @@\n"
               "sentenceSeparator = <s>\nmaximumUnknownLanguageLength 100\n"
               "dedupBloomVectorSize=256\ndedupBloomNbHash = 7\n"
               "dedupBloomHashFunction=murmur\nuseCompression=true\n"
               "numberOfMapTasks=80\nnumberOfReduceTasks=80\n"
               "tokenizerOptions=\n"));
    CHECK(c.defines_n == 5);
    CHECK(str_eq(c.define[0], S("test-length=500")));
    CHECK(str_eq(c.define[1], S("drop=0")));
    CHECK(str_eq(c.define[2], S("mark=@@")));
    CHECK(str_eq(c.define[3], S("separator=<s>")));
    CHECK(str_eq(c.define[4], S("unknown-max=100")));
    buf_char(&c.remarks, '\0');
    CHECK(strstr(c.remarks.p, "queueName: no meaning here") != NULL);
    CHECK(strstr(c.remarks.p, "are right for 25 keys") != NULL);
    jobconf_free(&c);
    CHECK(!conf(&c, a, "dropFilteredItems=perhaps"));
    jobconf_free(&c);
    CHECK(!conf(&c, a, "noSuchKey=1"));
    jobconf_free(&c);
    CHECK(!conf(&c, a, "dedupTestLength"));
    jobconf_free(&c);
    arena_free(a);
}

static void
the_error_of_a_bloom_filter_is_derived(void)
{
    CHECK(fabs(bloom_error(1024, 100, 7) - 0.0073) < 0.00005);
}

static const struct test tests[] = {
    TEST(stages_read_what_stands_above_them),
    TEST(what_is_wrong_is_said_with_its_line),
    TEST(options_go_to_the_stages_that_have_them),
    TEST(an_option_may_be_called_as_a_stage_is),
    TEST(webcorpus_is_built_in),
    TEST(keys_of_webcorpus_are_options_here),
    TEST(the_error_of_a_bloom_filter_is_derived),
    {0},
};

int
main(int argc, char **argv)
{
    int code = test_main(tests, argc, argv);

    arena_free(p.arena);
    buf_free(&why);
    return code;
}
