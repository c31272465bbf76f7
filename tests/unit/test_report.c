/* test_report.c -- figures of a crawl from made-up logs; a random log is
 * counted by a naive model.  How they are printed: test_report_print.c. */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/random.h"
#include "report_case.h"

static void
pages_are_counted_and_the_rest_is_not(void)
{
    struct report *r;

    small_crawl();
    r = report();
    CHECK(r->fetched == 5 && r->kept == 2 && r->errors == 1);
    CHECK(r->fetched_bytes == 4000 && r->kept_bytes == 600);
    CHECK(r->received == 2040); /* robots.txt, redirects and tries as well */
    CHECK(r->redirects == 1 && r->robots == 1 && r->disallowed == 1);
    CHECK(r->retries == 1 && r->other_bytes == 80);
    CHECK(r->reasons_n == 2);
    CHECK(str_eq(r->reasons[0].name, S("badness")));
    CHECK(r->reasons[0].pages == 2 && r->reasons[0].bytes == 2000);
    CHECK(str_eq(r->reasons[1].name, S("timeout")));
    CHECK(r->hosts_n == 2 && str_eq(r->hosts[0].name, S("a.nl")));
    CHECK(r->hosts[0].fetched == 3 && r->hosts[0].kept == 2);
    CHECK(r->hosts[1].fetched == 2 && r->hosts[1].kept == 0);
    report_free(r);
    remove_crawl();
}

/* A page that no link led to; the same line twice is one page. */
static void
home_page(const char *url, const char *verdict)
{
    struct crawl_log_entry e = {.time_ms = 1795169730123,
                                .url = str_c(url),
                                .host = S("c.nl"),
                                .kind = CRAWL_LOG_PAGE,
                                .outcome = OUTCOME_FETCHED,
                                .verdict = verdict_of(verdict),
                                .home_page = true};
    struct buf line = {0};

    crawl_log_line(&e, &line);
    fwrite(line.p, 1, line.n, lines);
    buf_free(&line);
}

/* As the crawl counts: outcome_is_page(). */
static void
a_page_whose_server_was_not_asked_is_no_fetch(void)
{
    struct crawl_log_entry e = {.time_ms = 1795169730123,
                                .url = S("http://gone.nl/"),
                                .host = S("gone.nl"),
                                .kind = CRAWL_LOG_PAGE,
                                .outcome = OUTCOME_FAILED,
                                .verdict = verdict_of("dns"),
                                .not_contacted = true};
    struct buf line = {0};
    struct report *r;
    uint64_t before, errors, told = 0;

    small_crawl();
    r = report();
    before = r->fetched;
    errors = r->errors;
    report_free(r);
    crawl_log_line(&e, &line);
    fwrite(line.p, 1, line.n, lines);
    buf_free(&line);
    r = report();
    CHECK(r->fetched == before && r->errors == errors);
    for (size_t i = 0; i < r->refused_n; i++)
        if (r->refused[i].verdict == verdict_of("dns"))
            told = r->refused[i].pages;
    CHECK(told == 1);
    report_free(r);
    remove_crawl();
}

static void
documents_that_longer_ones_replaced_are_counted(void)
{
    struct report *r;
    char *text;

    small_crawl();
    r = report();
    text = printed(r, report_text);
    CHECK(r->replaced == 0 && strstr(text, "replaced") == NULL);
    free(text);
    report_free(r);
    folder_put("corpus/part-000001.jsonl.gz", S(""));
    folder_put("replaced/part-000002.tail-1.ids", S("a b 0.9\nb c 0.8\n"));
    r = report();
    text = printed(r, report_text);
    CHECK(r->replaced == 2 && strstr(text, "\nreplaced       2 of them"));
    free(text);
    report_free(r);
    remove_crawl();
}

/* One receipt is of what is not done yet. */
static void
documents_that_were_forgotten_are_counted(void)
{
    struct report *r;
    char *text;

    small_crawl();
    r = report();
    text = printed(r, report_text);
    CHECK(r->forgotten == 0 && strstr(text, "forgotten") == NULL);
    free(text);
    report_free(r);
    folder_put(
        "forgotten.jsonl",
        S("{\"forgotten\":\"a.nl\",\"state\":\"begun\",\"documents\":1}\n"
          "{\"forgotten\":\"a.nl\",\"state\":\"done\",\"documents\":1}\n"
          "{\"forgotten\":\"b.nl\",\"state\":\"begun\",\"documents\":9}\n"
          "{\"forgotten\":\".c.nl\",\"state\":\"done\",\"documents\":2}"
          "\n"));
    r = report();
    text = printed(r, report_text);
    CHECK(r->forgotten == 3 && strstr(text, "\nforgotten      3 of them"));
    free(text);
    report_free(r);
    remove_crawl();
}

static void
home_pages_that_no_link_led_to_are_counted(void)
{
    struct report *r;
    char *text;

    small_crawl();
    r = report();
    text = printed(r, report_text);
    CHECK(r->home_pages == 0 && strstr(text, "home pages") == NULL);
    free(text);
    report_free(r);
    home_page("http://c.nl/", "kept");
    home_page("http://d.nl/", "badness");
    home_page("http://d.nl/", "badness");
    r = report();
    CHECK(r->fetched == 7 && r->kept == 3);
    CHECK(r->home_pages == 2 && r->home_pages_kept == 1);
    text = printed(r, report_text);
    CHECK(strstr(text, "\nhome pages     2 that no link led to, 1 kept\n"));
    free(text);
    text = printed(r, report_json);
    CHECK(strstr(text, "\"home_pages\":2,\"home_pages_kept\":1,"));
    free(text);
    report_free(r);
    remove_crawl();
}

/* A robots.txt counts when it was read, or is known not to be there. */
static void
robots_are_counted_as_the_frontier_does(void)
{
    static const struct {
        enum frontier_outcome outcome;
        const char *verdict;
        uint64_t counts;
    } row[] = {{OUTCOME_ROBOTS_DONE, "robots", 1},
               {OUTCOME_REDIRECT, "redirect", 0}, /* its target will */
               {OUTCOME_ROBOTS_DONE, "redirects", 1},
               {OUTCOME_ROBOTS_DONE, "http_503", 0}, /* nobody knows */
               {OUTCOME_ROBOTS_DONE, "connect", 0},
               {OUTCOME_FAILED, "no_such_host", 0},
               {OUTCOME_OUT_OF_SCOPE, "private_address", 0}};
    struct report *r;

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        new_crawl();
        fetched("http://a.nl/robots.txt", "a.nl", CRAWL_LOG_ROBOTS,
                row[i].outcome, row[i].verdict, 9, 0);
        r = report();
        CHECK(r->robots == row[i].counts);
        report_free(r);
        remove_crawl();
    }
}

static void
the_last_line_of_a_url_counts(void)
{
    struct report *r;

    new_crawl();
    fetched("http://a.nl/1", "a.nl", CRAWL_LOG_PAGE, OUTCOME_RETRY, "http_503",
            7, 0);
    page("http://a.nl/2", "a.nl", "kept");
    page("http://a.nl/1", "a.nl", "kept");
    page("http://a.nl/2", "a.nl", "kept"); /* again after a crash */
    page("http://c.nl/2", "c.nl", "badness");
    fetched("http://c.nl/2", "c.nl", CRAWL_LOG_PAGE, OUTCOME_RETRY, "x", 0, 0);
    r = report();
    CHECK(r->fetched == 2 && r->kept == 2 && r->repeated == 3);
    CHECK(r->retries == 2);
    CHECK(r->hosts_n == 1 && r->reasons_n == 0);
    report_free(r);
    remove_crawl();
}

/* A page whose document is `id`, or duplicates `of`. */
static void
document(const char *url, const char *host, const char *verdict, const char *id,
         const char *of)
{
    struct crawl_log_entry e = {.time_ms = 1795169730123,
                                .url = str_c(url),
                                .host = str_c(host),
                                .kind = CRAWL_LOG_PAGE,
                                .outcome = OUTCOME_FETCHED,
                                .verdict = verdict_of(verdict),
                                .bytes = 100,
                                .id = str_c(id),
                                .of = str_c(of)};
    struct buf line = {0};

    crawl_log_line(&e, &line);
    fwrite(line.p, 1, line.n, lines);
    buf_free(&line);
}

static void
pages_saved_are_told_from_the_first_half(void)
{
    static const struct {
        const char *pages; /* in the order of the log: d a duplicate */
        uint64_t saved;
    } cases[] = {{"ddddkkkk", 4},  {"dkdkdkdk", 0}, {"kkkkdddd", 0},
                 {"ddkkkkkdk", 1}, {"d", 0},        {"dk", 1}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct report *r;
        char url[64];

        new_crawl();
        for (size_t k = 0; cases[i].pages[k] != '\0'; k++) {
            snprintf(url, sizeof url, "http://a.nl/%zu", k);
            document(url, "a.nl",
                     cases[i].pages[k] == 'd' ? "exact_duplicate" : "kept", url,
                     cases[i].pages[k] == 'd' ? "X" : "");
        }
        r = report();
        CHECK(r->duplicates_saved == cases[i].saved);
        report_free(r);
        remove_crawl();
    }
}

/* What was kept stays in the corpus, whatever its later visits bring. */
static void
a_page_that_is_fetched_again_takes_nothing_away(void)
{
    struct report *r;

    new_crawl();
    document("http://a.nl/1", "a.nl", "kept", "A1", "");
    document("http://a.nl/2", "a.nl", "kept", "A2", "");
    document("http://a.nl/3", "a.nl", "kept", "A3", "");
    document("http://a.nl/1", "a.nl", "exact_duplicate", "X1", "A1"); /* same */
    document("http://a.nl/2", "a.nl", "kept", "X2", "");    /* another text */
    document("http://a.nl/3", "a.nl", "badness", "X3", ""); /* ruined */
    document("http://a.nl/2", "a.nl", "kept", "X2", "");    /* after a crash */
    r = report();
    CHECK(r->fetched == 5 && r->kept == 4 && r->repeated == 1);
    CHECK(r->reasons_n == 1 && r->reasons[0].pages == 1);
    report_free(r);
    remove_crawl();
}

/* ... as over months: a server that is out of order, a page that is gone, one
 * that robots.txt forbids, one that leads elsewhere. */
static void
a_page_that_fails_later_takes_nothing_away(void)
{
    struct report *r;

    new_crawl();
    document("http://a.nl/1", "a.nl", "kept", "A1", "");
    document("http://a.nl/2", "a.nl", "kept", "A2", "");
    document("http://a.nl/3", "a.nl", "kept", "A3", "");
    document("http://a.nl/4", "a.nl", "kept", "A4", "");
    fetched("http://a.nl/1", "a.nl", CRAWL_LOG_PAGE, OUTCOME_RETRY, "http_503",
            7, 0);
    document("http://a.nl/1", "a.nl", "exact_duplicate", "X1", "A1");
    fetched("http://a.nl/2", "a.nl", CRAWL_LOG_PAGE, OUTCOME_RETRY, "http_503",
            7, 0);
    fetched("http://a.nl/2", "a.nl", CRAWL_LOG_PAGE, OUTCOME_FAILED, "http_503",
            7, 0);
    document("http://a.nl/2", "a.nl", "exact_duplicate", "X2", "A2");
    fetched("http://a.nl/3", "a.nl", CRAWL_LOG_REDIRECT, OUTCOME_REDIRECT,
            "redirect", 7, 0);
    fetched("http://a.nl/4", "a.nl", CRAWL_LOG_PAGE, OUTCOME_DISALLOWED,
            "disallowed", 0, 0);
    r = report();
    CHECK(r->kept == 4 && r->fetched == 5 && r->exact == 0);
    CHECK(r->errors == 1 && r->reasons_n == 1 && r->reasons[0].pages == 1);
    CHECK(r->retries == 2 && r->redirects == 1 && r->disallowed == 1);
    CHECK(r->fetched_bytes == 407 && r->other_bytes == 221);
    report_free(r);
    remove_crawl();
}

/* What is found unchanged is no other page, but came in, and later. */
static void
an_unchanged_page_has_its_bytes_and_its_time(void)
{
    struct crawl_log_entry e = {.time_ms = 1795169730123 + 86400000,
                                .url = S("http://a.nl/1"),
                                .host = S("a.nl"),
                                .kind = CRAWL_LOG_PAGE,
                                .outcome = OUTCOME_UNCHANGED,
                                .verdict = VERDICT_UNCHANGED,
                                .status = 304,
                                .received = 180};
    struct buf line = {0};
    struct report *r;

    new_crawl();
    page("http://a.nl/1", "a.nl", "kept");
    crawl_log_line(&e, &line);
    fwrite(line.p, 1, line.n, lines);
    buf_free(&line);
    r = report();
    CHECK(r->fetched == 1 && r->kept == 1 && r->repeated == 0);
    CHECK(r->received == 680);
    CHECK(r->last_ms - r->first_ms == 86400000);
    report_free(r);
    remove_crawl();
}

static void
duplicates_are_shown_by_host_and_kind_and_hosts_that_mirror(void)
{
    struct report *r;
    char *text;

    new_crawl();
    document("http://a.nl/1", "a.nl", "kept", "A1", "");
    document("http://a.nl/2", "a.nl", "kept", "A2", "");
    document("http://b.nl/1", "b.nl", "exact_duplicate", "B1", "A1");
    document("http://b.nl/2", "b.nl", "near_duplicate", "B2", "A2");
    document("http://b.nl/3", "b.nl", "kept", "B3", "");
    document("http://a.nl/3", "a.nl", "near_duplicate", "A3", "B3");
    document("http://a.nl/4", "a.nl", "exact_duplicate", "A4", "A1"); /* own */
    document("http://c.nl/1", "c.nl", "near_duplicate", "C1", "B3");
    document("http://c.nl/2", "c.nl", "near_duplicate", "C2", "gone");
    document("http://c.nl/3", "c.nl", "near_duplicate", "C3", "");
    r = report();
    CHECK(r->exact == 2 && r->near == 5 && r->duplicate_bytes == 700);
    CHECK(str_eq(r->hosts[0].name, S("a.nl")) && r->hosts[0].exact == 1 &&
          r->hosts[0].near == 1 && r->hosts[1].exact == 1 &&
          r->hosts[1].near == 1);
    CHECK(r->mirrors_n == 2);
    CHECK(str_eq(r->mirrors[0].a, S("a.nl")) &&
          str_eq(r->mirrors[0].b, S("b.nl")) && r->mirrors[0].shared == 3 &&
          r->mirrors[0].of == 3);
    CHECK(str_eq(r->mirrors[1].b, S("c.nl")) && r->mirrors[1].shared == 1);
    text = printed(r, report_text);
    CHECK(strstr(text, "Duplicates: 2 exact, 5 near") != NULL);
    CHECK(strstr(text, "3  1.0000  a.nl b.nl") != NULL);
    free(text);
    text = printed(r, report_json);
    CHECK(strstr(text, "\"mirrors\":[{\"a\":\"a.nl\",\"b\":\"b.nl\","
                       "\"shared\":3,") != NULL);
    CHECK(strstr(text, "\"near_duplicates\":5,") != NULL);
    free(text);
    report_free(r);
    remove_crawl();
}

static void
folders_that_are_no_crawl_are_refused(void)
{
    struct report *r = NULL;
    int saved = dup(2), nowhere = open("/dev/null", O_WRONLY);

    folder_open();
    dup2(nowhere, 2); /* the log lines about it */
    CHECK(report_read(&r, "/nowhere/at/all") == ST_NONE && r == NULL);
    CHECK(report_read(&r, folder) == ST_NONE && r == NULL);
    dup2(saved, 2);
    close(saved);
    close(nowhere);
    folder_close();
    report_free(NULL);
}

static void
a_growing_log_gives_what_is_whole(void)
{
    struct report *r;

    new_crawl();
    page("http://a.nl/1", "a.nl", "kept");
    fputs("{\"time\":\"2026", lines);
    r = report();
    CHECK(r->fetched == 1 && r->skipped == 0);
    report_free(r);
    fputs("\nrubbish\n", lines);
    page("http://a.nl/2", "a.nl", "short");
    r = report();
    CHECK(r->fetched == 2 && r->skipped == 2);
    report_free(r);
    remove_crawl();
}

/* Every URL's last verdict, in the order of the last lines. */
static void
a_random_crawl_agrees_with_a_naive_count(void)
{
    enum { URLS = 400, LINES = 1500 };
    static int last_line[URLS], verdict[LINES], url_of[LINES];
    static const char *const verdicts[] = {"kept", "badness", "short", "dns"};
    uint64_t pages[4] = {0}, curve_kept = 0, n = 0;
    struct random rng = random_seed(11);
    struct report *r;
    struct report_point p[7];
    size_t points;

    new_crawl();
    for (int i = 0; i < LINES; i++) {
        char url[64], host[32];

        url_of[i] = (int)(random_u64(&rng) % URLS);
        verdict[i] = (int)(random_u64(&rng) % 4);
        last_line[url_of[i]] = i;
        snprintf(host, sizeof host, "h%d.nl", url_of[i] % 13);
        snprintf(url, sizeof url, "http://%s/%d", host, url_of[i]);
        page(url, host, verdicts[verdict[i]]);
    }
    r = report();
    points = report_curve(r, p, 7);
    CHECK(points == 7);
    for (int i = 0; i < LINES; i++) {
        if (last_line[url_of[i]] != i)
            continue;
        pages[verdict[i]]++;
        curve_kept += verdict[i] == 0;
        n++;
        for (size_t k = 0; k < points; k++)
            if (p[k].fetched == n)
                CHECK(p[k].kept == curve_kept);
    }
    CHECK(r->fetched == n && r->kept == pages[0]);
    CHECK(p[6].fetched == n && p[6].kept == pages[0]);
    for (size_t i = 0; i < r->reasons_n; i++)
        for (int v = 1; v < 4; v++)
            if (str_eq(r->reasons[i].name, str_c(verdicts[v])))
                CHECK(r->reasons[i].pages == pages[v]);
    CHECK(r->reasons_n == 3 && r->hosts_n == 13);
    report_free(r);
    remove_crawl();
}

/* The folder was copied, and with it the times of its files. */
static void
a_rotated_log_comes_before_what_followed_it(void)
{
    static const char *const name[] = {CRAWL_LOG_FILE, "log/crawl.jsonl.1",
                                       "log/crawl.jsonl.10",
                                       "log/crawl.jsonl.9"};
    static const unsigned day[] = {4, 3, 1, 2}; /* the newest line counts */
    struct report *r;

    new_crawl();
    for (size_t i = 0; i < 4; i++) {
        struct crawl_log_entry e = {
            .time_ms = 1795169730123 + day[i] * (uint64_t)86400000,
            .url = S("http://a.nl/1"),
            .host = S("a.nl"),
            .kind = CRAWL_LOG_PAGE,
            .outcome = OUTCOME_FETCHED,
            .verdict = day[i] == 4 ? VERDICT_KEPT : VERDICT_BADNESS,
            .bytes = 100};
        struct buf line = {0};
        struct timespec copied[2] = {{.tv_sec = 1800000000 + (time_t)i},
                                     {.tv_sec = 1800000000 + (time_t)i}};

        crawl_log_line(&e, &line);
        folder_put(name[i], buf_view(&line));
        CHECK(utimensat(AT_FDCWD, in_folder(name[i]), copied, 0) == 0);
        buf_free(&line);
    }
    r = report();
    CHECK(r->lines == 4 && r->fetched == 1 && r->kept == 1);
    report_free(r);
    remove_crawl();
}

static void
hosts_rank_by_yield_and_by_how_sure_it_is(void)
{
    const struct report_host *host[8];
    struct report *r;
    char url[64];
    size_t n;

    new_crawl();
    for (int i = 0; i < 10; i++) {
        static const struct {
            const char *name;
            int pages, kept;
        } hosts[] = {{"good.nl", 10, 8},
                     {"mid.nl", 6, 3},
                     {"none.nl", 10, 0},
                     {"few.nl", 2, 2},
                     {"bad.nl", 5, 0}};

        for (int h = 0; h < 5; h++) {
            snprintf(url, sizeof url, "http://%s/%d", hosts[h].name, i);
            if (i < hosts[h].pages)
                page(url, hosts[h].name, i < hosts[h].kept ? "kept" : "short");
        }
    }
    r = report();
    CHECK(report_hosts_by_yield(r, host, &n) == 5);
    CHECK(n == 4); /* two pages are too few to judge */
    CHECK(str_eq(host[0]->name, S("good.nl")));
    CHECK(str_eq(host[1]->name, S("mid.nl")));
    CHECK(str_eq(host[2]->name, S("bad.nl")));
    CHECK(str_eq(host[3]->name, S("none.nl")));
    report_free(r);
    remove_crawl();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(pages_saved_are_told_from_the_first_half),
        TEST(a_page_that_is_fetched_again_takes_nothing_away),
        TEST(a_page_that_fails_later_takes_nothing_away),
        TEST(a_rotated_log_comes_before_what_followed_it),
        TEST(an_unchanged_page_has_its_bytes_and_its_time),
        TEST(duplicates_are_shown_by_host_and_kind_and_hosts_that_mirror),
        TEST(pages_are_counted_and_the_rest_is_not),
        TEST(a_page_whose_server_was_not_asked_is_no_fetch),
        TEST(documents_that_longer_ones_replaced_are_counted),
        TEST(documents_that_were_forgotten_are_counted),
        TEST(home_pages_that_no_link_led_to_are_counted),
        TEST(robots_are_counted_as_the_frontier_does),
        TEST(the_last_line_of_a_url_counts),
        TEST(folders_that_are_no_crawl_are_refused),
        TEST(a_growing_log_gives_what_is_whole),
        TEST(a_random_crawl_agrees_with_a_naive_count),
        TEST(hosts_rank_by_yield_and_by_how_sure_it_is),
        {0}};

    return test_main(table, argc, argv);
}
