/* test_job.c -- DIR/job: what a crawl folder knows of its own job.  Method:
 * folders with a job, a log or a frontier; then a run that differs. */
#include "folder.h"

#include "base/json.h"
#include "base/log.h"
#include "crawler/job/job.h"

static struct buf said;

static struct opts
options(const char *const *settings)
{
    struct opts o;

    opts_init(&o);
    for (; *settings != NULL; settings++)
        CHECK(opts_set(&o, "test", str_c(*settings)) == ST_OK);
    return o;
}

#define OPTIONS(...) options((const char *const[]){__VA_ARGS__, NULL})

/* job_settle() in the scratch folder, what it says in `said`; on success the
 * folder gets the job, as a crawl would do it. */
static enum status
settle(struct opts *o, bool file, bool change)
{
    const struct job_request r = {
        .dir = folder, .file = file, .change = change};
    struct job *job;
    enum status st;

    buf_clear(&said);
    log_capture(&said);
    st = job_settle(&job, o, &r);
    log_capture(NULL);
    if (st == ST_OK)
        CHECK(job_write(job, folder) == ST_OK);
    job_free(job);
    return st;
}

static bool
says(const char *words)
{
    return memmem(said.p, said.n, words, strlen(words)) != NULL;
}

/* A crawl that has fetched something. */
static void
crawled(struct opts o)
{
    CHECK(settle(&o, true, false) == ST_OK);
    folder_put("log/crawl.jsonl", S("{}\n"));
    opts_free(&o);
}

static void
over(void)
{
    folder_close();
    folder_open();
}

static void
a_job_reads_back_as_it_was_written(void)
{
    struct opts o = OPTIONS("clean.language=nl de", "limits.pages=7",
                            "scope.visit=a # \"b\" ; c", "log.level=debug",
                            "fetch.user_agent= x/1 (+https://x.example/) ");
    struct buf once = {0}, twice = {0};
    struct job *job;

    crawled(o);
    CHECK(job_read(&job, folder) == ST_OK);
    CHECK(job->opts.clean_language.n == 2 && job->opts.limits_pages == 7);
    CHECK(str_eq(job->opts.scope_visit, S("a # \"b\" ; c")));
    CHECK(str_eq(job->opts.log_level, S("info"))); /* no part of a job */
    CHECK(str_eq(job->version, S(WINNOW_VERSION)));
    CHECK(job->models.n >= 3 && job->changes_n == 0);
    job_add_change(job, S("2026-11-23T10:00:00Z"), S("x: a # b -> \"c\""));
    job_render(job, &once);
    job_free(job);
    CHECK(job_parse(&job, "test", buf_view(&once)) == ST_OK);
    CHECK(str_eq(job->change[0].what, S("x: a # b -> \"c\"")));
    job_render(job, &twice);
    CHECK(str_eq(buf_view(&once), buf_view(&twice)));
    job_free(job);
    buf_free(&once);
    buf_free(&twice);
    over();
}

/* The presets of another version may differ. */
static void
what_makes_the_corpus_is_written_out_in_full(void)
{
    struct opts o = OPTIONS(NULL);
    const char *text;

    crawled(o);
    text = folder_text("job");
    CHECK(strstr(text, "\nboilerplate_max = 0.5\n") != NULL);
    CHECK(strstr(text, "\nbadness_max = 12\n") != NULL);
    CHECK(strstr(text, "parallel") == NULL && strstr(text, "level") == NULL);
    over();
}

static void
the_folder_alone_is_the_job(void)
{
    struct opts o;

    crawled(OPTIONS("clean.language=nl", "limits.pages=7", "scope.tld=be"));
    o = OPTIONS(NULL);
    CHECK(settle(&o, false, false) == ST_OK);
    CHECK(o.limits_pages == 7 && o.scope_tld.n == 1 && o.clean_language.n == 1);
    opts_free(&o);
    o = OPTIONS("limits.pages=9");
    CHECK(settle(&o, false, false) == ST_OK);
    CHECK(o.limits_pages == 9 && o.scope_tld.n == 1);
    CHECK(says("limits.pages: 7 -> 9"));
    opts_free(&o);
    o = OPTIONS(NULL); /* what was harmless stays */
    CHECK(settle(&o, false, false) == ST_OK && o.limits_pages == 9);
    opts_free(&o);
    over();
}

static void
what_would_mix_corpora_is_refused(void)
{
    static const char *const mixing[] = {
        "clean.language=de",     "clean.boilerplate_max=0.3",
        "clean.badness_max=20",  "clean.badness=words",
        "scope.tld=be",          "frontier.scorer=bfs",
        "dedup.near=0.5",        "output.fields=dolma",
        "politeness.robots=off", "clean.chars_min=10",
    };

    crawled(OPTIONS("clean.language=nl"));
    for (size_t i = 0; i < sizeof mixing / sizeof *mixing; i++) {
        struct opts o = OPTIONS(mixing[i]);

        CHECK(settle(&o, false, false) == ST_USAGE);
        CHECK(says("two corpora") && says("--change") && says("--dir"));
        CHECK(memmem(said.p, said.n, mixing[i], strcspn(mixing[i], "=")) !=
              NULL);
        opts_free(&o);
    }
    over();
}

static void
a_crawl_whose_log_was_moved_is_one_all_the_same(void)
{
    static const char *const left[] = {"log/crawl.jsonl.1",
                                       "corpus/part-00001.jsonl.gz"};

    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        struct opts o = OPTIONS("clean.language=de");

        crawled(OPTIONS("clean.language=nl"));
        unlink(in_folder("log/crawl.jsonl"));
        folder_put(left[i], S("x"));
        CHECK(settle(&o, false, false) == ST_USAGE && says("two corpora"));
        opts_free(&o);
        over();
    }
}

static void
what_a_change_cannot_bring_back_is_said(void)
{
    struct opts o;

    crawled(OPTIONS("limits.depth=3"));
    o = OPTIONS("limits.depth=2");
    CHECK(settle(&o, false, false) == ST_OK && !says("were not kept"));
    CHECK(says("links that wait already are followed"));
    opts_free(&o);
    o = OPTIONS("limits.depth=0", "recrawl.interval_seconds=60");
    CHECK(settle(&o, false, false) == ST_OK);
    CHECK(says("links beyond 2 were not kept"));
    CHECK(!says("links that wait already"));
    CHECK(says("recrawl.interval_seconds: pages that were kept"));
    opts_free(&o);
    over();
    crawled(OPTIONS("fetch.user_agent=alpha/1"));
    o = OPTIONS("fetch.user_agent=Alpha/2");
    CHECK(settle(&o, false, false) == ST_OK && !says("stay refused"));
    opts_free(&o);
    o = OPTIONS("fetch.user_agent=alpha/1", "politeness.robots_agent=beta");
    CHECK(settle(&o, false, false) == ST_OK);
    CHECK(says("has refused to Alpha stay refused"));
    opts_free(&o);
    over();
    crawled(OPTIONS("fetch.hosts_file=/hosts"));
    o = OPTIONS("fetch.hosts_file=/hosts", "limits.pages=5");
    CHECK(settle(&o, false, false) == ST_OK && !says("no_contact"));
    opts_free(&o);
    o = OPTIONS("fetch.hosts_file=/more");
    CHECK(settle(&o, false, false) == ST_OK && says("no_contact"));
    opts_free(&o);
    o = OPTIONS("fetch.hosts_file=/more", "fetch.user_agent=a (http://a.nl)");
    CHECK(settle(&o, false, false) == ST_OK && says("no_contact"));
    opts_free(&o);
    over();
    crawled(OPTIONS("scope.tld=be"));
    o = OPTIONS("scope.tld=be nl", "fetch.allow_private=a.nl");
    CHECK(settle(&o, false, true) == ST_OK);
    CHECK(says("links that were out of it were not kept"));
    CHECK(says("refused for their address"));
    opts_free(&o);
    o = OPTIONS("clean.language=nl");
    CHECK(settle(&o, false, true) == ST_OK && !says("not kept") &&
          !says("refused for"));
    opts_free(&o);
    over();
    crawled(OPTIONS(NULL)); /* all hosts: nothing was left out */
    o = OPTIONS("scope.tld=be");
    CHECK(settle(&o, false, true) == ST_OK && !says("not kept"));
    opts_free(&o);
    over();
}

static void
a_job_file_is_the_whole_job(void)
{
    struct opts o;

    crawled(OPTIONS("clean.language=nl", "scope.tld=be", "limits.pages=7"));
    o = OPTIONS("clean.language=nl");
    CHECK(settle(&o, true, false) == ST_USAGE);
    CHECK(says("scope.tld: be -> (empty)"));
    opts_free(&o);
    o = OPTIONS("clean.language=nl", "scope.tld=be");
    CHECK(settle(&o, true, false) == ST_OK);
    CHECK(o.limits_pages == 0 && says("limits.pages: 7 -> 0"));
    opts_free(&o);
    over();
}

static void
a_change_is_recorded_with_its_time(void)
{
    struct opts o;
    struct job *job;

    crawled(OPTIONS("clean.language=nl"));
    o = OPTIONS("clean.language=nl de", "limits.pages=7");
    CHECK(settle(&o, false, true) == ST_OK);
    opts_free(&o);
    o = OPTIONS("clean.badness_max=20");
    CHECK(settle(&o, false, true) == ST_OK);
    CHECK(o.clean_language.n == 2);
    opts_free(&o);
    CHECK(job_read(&job, folder) == ST_OK);
    CHECK(job->changes_n == 2);
    CHECK(str_eq(job->change[0].what, S("clean.language: nl -> nl de")));
    CHECK(job->change[0].time.n == 20 && job->change[0].time.p[19] == 'Z');
    CHECK(str_eq(job->change[1].what, S("clean.badness_max: 12 -> 20")));
    job_free(job);
    over();
}

static void
before_anything_is_fetched_nothing_is_mixed(void)
{
    struct opts o = OPTIONS("clean.language=nl");

    CHECK(settle(&o, true, false) == ST_OK);
    opts_free(&o);
    o = OPTIONS("clean.language=de");
    CHECK(settle(&o, true, false) == ST_OK);
    opts_free(&o);
    over();
}

/* Under the same name, in a folder that the operator keeps. */
static void
another_model_is_another_job(void)
{
    char set[600];
    struct opts o;
    struct job *job;

    folder_put("words.tsv", S("a\tb\n"));
    snprintf(set, sizeof set, "clean.replacements=%s", in_folder("words.tsv"));
    crawled(OPTIONS(set));
    CHECK(job_read(&job, folder) == ST_OK);
    CHECK(str_eq(job->models.item[job->models.n - 1].name, S("words.tsv")));
    CHECK(str_eq(job->models.item[job->models.n - 1].digest,
                 S("sha256:5dd1197866f479824d9b483e1b7ae9ad3e518f3b4fd447c6b92d"
                   "127dda6178c5"))); /* as sha256sum has it */
    job_free(job);
    o = OPTIONS(NULL);
    CHECK(settle(&o, false, false) == ST_OK);
    opts_free(&o);
    folder_put("words.tsv", S("a\tc\n"));
    o = OPTIONS(NULL);
    CHECK(settle(&o, false, false) == ST_USAGE && says("model words.tsv") &&
          says("clean.data") && says("--change") && !says("its own job"));
    CHECK(settle(&o, false, true) == ST_OK);
    opts_free(&o);
    over();
}

static void
a_folder_of_an_older_version_wants_its_job_file_once(void)
{
    struct opts o;

    folder_put("frontier/data.mdb", S("x"));
    o = OPTIONS(NULL);
    CHECK(settle(&o, false, false) == ST_USAGE && says("JOB.ini"));
    opts_free(&o);
    o = OPTIONS("clean.language=nl");
    CHECK(settle(&o, true, false) == ST_OK);
    opts_free(&o);
    over();
}

static void
seeds_that_are_in_the_frontier_need_no_file(void)
{
    char set[600];
    struct opts o;

    folder_put("seeds.txt", S("http://a.nl/\n"));
    folder_put("frontier/data.mdb", S("x"));
    snprintf(set, sizeof set, "seeds.file=%s", in_folder("seeds.txt"));
    crawled(OPTIONS(set));
    unlink(in_folder("seeds.txt"));
    o = OPTIONS(NULL);
    CHECK(settle(&o, false, false) == ST_OK && o.seeds_file.n == 0);
    opts_free(&o);
    over();
}

static void
passwords_are_not_stored(void)
{
    struct opts o = OPTIONS("seeds.url=http://u:secret@a.nl/@x "
                            "https://secret@b.nl http://c.nl/?q=@ d.nl");

    CHECK(settle(&o, true, false) == ST_OK);
    CHECK(strstr(folder_text("job"), "url = http://a.nl/@x https://b.nl "
                                     "http://c.nl/?q=@ d.nl\n") != NULL);
    CHECK(settle(&o, true, false) == ST_OK && said.n == 0);
    opts_free(&o);
    over();
}

static void
a_damaged_job_is_refused_not_guessed(void)
{
    static const char *const texts[] = {
        "",
        "[clean]\nlanguage = nl\n",
        "[job]\nversion = 1\n[clean]\nboilerplate_max = 7\n",
        "[job]\nversion = 1\nmodel = crc32:00 x\n",
        "[job]\nversion = 1\n[clean\nlanguage = nl\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct opts o = OPTIONS(NULL);

        folder_put("job", str_c(texts[i]));
        CHECK(settle(&o, false, false) == ST_USAGE && says("/job"));
        opts_free(&o);
    }
    over();
}

static void
a_corpus_names_what_made_it(void)
{
    struct opts o;
    struct buf text = {0};
    struct json j = {.out = &text};
    struct job *job;

    crawled(
        OPTIONS("clean.language=nl", "frontier.scorer=host", "limits.pages=7"));
    o = OPTIONS("clean.badness_max=20");
    CHECK(settle(&o, false, true) == ST_OK);
    opts_free(&o);
    CHECK(job_read(&job, folder) == ST_OK);
    job_json(job, "", &j);
    buf_char(&text, '\0');
    CHECK(strstr(text.p, "\"language\":[\"nl\"],\"scorer\":\"host\"") != NULL);
    CHECK(strstr(text.p, "\"version\":\"" WINNOW_VERSION "\"") != NULL);
    CHECK(strstr(text.p, "\"boilerplate.net\":\"sha256:") != NULL);
    CHECK(strstr(text.p, "\"profiles\":\"sha256:") != NULL);
    CHECK(strstr(text.p, "\"limits.pages\":\"7\"") != NULL);
    CHECK(strstr(text.p, "clean.badness_max: 12 -> 20\"}]") != NULL);
    CHECK(strstr(text.p, "boilerplate_max") == NULL);
    job_free(job);
    buf_free(&text);
    over();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_job_reads_back_as_it_was_written),
        TEST(what_makes_the_corpus_is_written_out_in_full),
        TEST(the_folder_alone_is_the_job),
        TEST(what_would_mix_corpora_is_refused),
        TEST(a_crawl_whose_log_was_moved_is_one_all_the_same),
        TEST(what_a_change_cannot_bring_back_is_said),
        TEST(a_job_file_is_the_whole_job),
        TEST(a_change_is_recorded_with_its_time),
        TEST(before_anything_is_fetched_nothing_is_mixed),
        TEST(another_model_is_another_job),
        TEST(a_folder_of_an_older_version_wants_its_job_file_once),
        TEST(seeds_that_are_in_the_frontier_need_no_file),
        TEST(passwords_are_not_stored),
        TEST(a_damaged_job_is_refused_not_guessed),
        TEST(a_corpus_names_what_made_it),
        {0},
    };
    int code = folder_main(table, argc, argv);

    buf_free(&said);
    return code;
}
