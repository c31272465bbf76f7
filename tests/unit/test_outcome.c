/* test_outcome.c -- aim: every way a visit can end has one meaning for the
 * frontier.  Method: visits made by hand, a table of cases. */
#include "crawler/admit/robots.h"
#include "crawler/visit/cookies.h"
#include "crawler/visit/outcome.h"
#include "crawler/visit/visit_report.h"

#include "test.h"

static struct opts options;
static struct scope *scope;
static struct arena *arena;
static struct robots *rules;

struct outcome_row {
    enum verdict fault;
    unsigned status;
    const char *type, *location, *body;
    enum frontier_outcome what;
    const char *verdict; /* its name */
};

static struct visit *
visit(enum frontier_kind kind, const struct outcome_row *r)
{
    struct frontier_lease lease = {.url = S("http://a.test/dir/page"),
                                   .authority = S("a.test"),
                                   .owner = S("a.test"),
                                   .kind = kind};
    struct visit *v = visit_new(&lease);

    v->fault = r->fault;
    v->reply.status = r->status;
    buf_c(&v->reply.content_type, r->type ? r->type : "text/html");
    buf_c(&v->reply.body, r->body ? r->body : "");
    v->reply.has_location = r->location != NULL;
    buf_c(&v->reply.location, r->location ? r->location : "");
    return v;
}

static struct outcome
judge(const struct visit *v)
{
    struct outcome out;

    outcome_of(&out, v, scope, &options, S("winnow"), arena);
    robots_free(rules); /* of the visit before */
    rules = out.rules;
    return out;
}

static void
check_rows(enum frontier_kind kind, const struct outcome_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct visit *v = visit(kind, &rows[i]);
        struct outcome out = judge(v);

        if (out.what != rows[i].what ||
            strcmp(verdict_name(out.verdict), rows[i].verdict) != 0)
            fprintf(stderr, "row %zu: %d %s\n", i, (int)out.what,
                    verdict_name(out.verdict));
        CHECK(out.what == rows[i].what);
        CHECK(strcmp(verdict_name(out.verdict), rows[i].verdict) == 0);
        visit_free(v);
    }
}

static void
every_end_of_a_page_has_one_outcome(void)
{
    static const struct outcome_row rows[] = {
        {0, 200, NULL, NULL, "<p>x", OUTCOME_FETCHED, "kept"},
        {0, 200, "application/pdf", NULL, "x", OUTCOME_FAILED, "not_html"},
        {0, 200, NULL, NULL, "%PDF-1.4", OUTCOME_FAILED, "not_html"},
        {0, 200, "text/xml", NULL, "<urlset>", OUTCOME_FAILED, "not_html"},
        {0, 200, "text/xml", NULL,
         "<html xmlns='http://www.w3.org/1999/xhtml'>", OUTCOME_FETCHED,
         "kept"},
        {0, 204, NULL, NULL, NULL, OUTCOME_FAILED, "http_204"},
        {0, 206, NULL, NULL, NULL, OUTCOME_FAILED, "http_206"},
        {0, 301, NULL, "/x", NULL, OUTCOME_REDIRECT, "redirect"},
        {0, 308, NULL, "//b.test/", NULL, OUTCOME_REDIRECT, "redirect"},
        {0, 302, NULL, NULL, NULL, OUTCOME_FAILED, "http_302"},
        {0, 304, NULL, "/x", NULL, OUTCOME_FAILED, "http_304"},
        {0, 302, NULL, "page#x", NULL, OUTCOME_FAILED, "redirect_to_itself"},
        {0, 302, NULL, "http://b.nl/", NULL, OUTCOME_FAILED,
         "redirect_out_of_scope"},
        {0, 302, NULL, "mailto:x@a.test", NULL, OUTCOME_FAILED,
         "redirect_invalid"},
        {0, 302, NULL, "file:///etc/passwd", NULL, OUTCOME_FAILED,
         "redirect_invalid"},
        {0, 400, NULL, NULL, NULL, OUTCOME_FAILED, "http_400"},
        {0, 404, NULL, NULL, NULL, OUTCOME_FAILED, "http_404"},
        {0, 408, NULL, NULL, NULL, OUTCOME_RETRY, "http_408"},
        {0, 429, NULL, NULL, NULL, OUTCOME_RETRY, "http_429"},
        {0, 503, NULL, NULL, NULL, OUTCOME_RETRY, "http_503"},
        {VERDICT_DISALLOWED, 0, NULL, NULL, NULL, OUTCOME_DISALLOWED,
         "disallowed"},
        {VERDICT_OUT_OF_SCOPE, 0, NULL, NULL, NULL, OUTCOME_OUT_OF_SCOPE,
         "out_of_scope"},
        {VERDICT_PRIVATE_ADDRESS, 0, NULL, NULL, NULL, OUTCOME_OUT_OF_SCOPE,
         "private_address"},
        {VERDICT_CONNECT, 0, NULL, NULL, NULL, OUTCOME_RETRY, "connect"},
        {VERDICT_NO_SUCH_HOST, 0, NULL, NULL, NULL, OUTCOME_RETRY,
         "no_such_host"},
        {VERDICT_GARBAGE, 0, NULL, NULL, NULL, OUTCOME_FAILED, "garbage"},
        {VERDICT_TLS_VERIFY, 0, NULL, NULL, NULL, OUTCOME_RETRY, "tls_verify"},
        {VERDICT_RETURNED, 0, NULL, NULL, NULL, OUTCOME_RETURNED, "returned"},
        {VERDICT_PARTIAL, 200, NULL, NULL, "<p>x", OUTCOME_RETRY,
         "partial_body"},
    };

    check_rows(FRONTIER_PAGE, rows, sizeof rows / sizeof rows[0]);
}

static void
every_end_of_robots_txt_has_one_outcome(void)
{
    static const struct outcome_row rows[] = {
        {0, 200, "text/plain", NULL, "User-agent: *", OUTCOME_ROBOTS_DONE,
         "robots"},
        {0, 404, NULL, NULL, NULL, OUTCOME_ROBOTS_DONE, "http_404"},
        {0, 403, NULL, NULL, NULL, OUTCOME_ROBOTS_DONE, "http_403"},
        {0, 301, NULL, "/r", NULL, OUTCOME_REDIRECT, "redirect"},
        {0, 301, NULL, "http://b.nl/r", NULL, OUTCOME_REDIRECT, "redirect"},
        {0, 500, NULL, NULL, NULL, OUTCOME_ROBOTS_DONE, "http_500"},
        {0, 429, NULL, NULL, NULL, OUTCOME_ROBOTS_DONE, "http_429"},
        {VERDICT_CONNECT, 0, NULL, NULL, NULL, OUTCOME_ROBOTS_DONE, "connect"},
        {VERDICT_GARBAGE, 0, NULL, NULL, NULL, OUTCOME_ROBOTS_DONE, "garbage"},
        {VERDICT_NO_SUCH_HOST, 0, NULL, NULL, NULL, OUTCOME_FAILED,
         "no_such_host"},
        {VERDICT_PRIVATE_ADDRESS, 0, NULL, NULL, NULL, OUTCOME_OUT_OF_SCOPE,
         "private_address"},
        {VERDICT_RETURNED, 0, NULL, NULL, NULL, OUTCOME_RETURNED, "returned"},
    };

    check_rows(FRONTIER_ROBOTS, rows, sizeof rows / sizeof rows[0]);
}

static void
a_tdmrep_json_is_read_or_says_nothing(void)
{
    static const struct outcome_row rows[] = {
        {0, 200, "application/json", NULL, "[]", OUTCOME_ROBOTS_DONE, "tdmrep"},
        {0, 200, "text/html", NULL, "<p>404", OUTCOME_ROBOTS_DONE, "tdmrep"},
        {0, 404, NULL, NULL, NULL, OUTCOME_FAILED, "http_404"},
        {0, 503, NULL, NULL, NULL, OUTCOME_RETRY, "http_503"},
        {0, 301, NULL, "/t", NULL, OUTCOME_REDIRECT, "redirect"},
        {0, 301, NULL, "http://b.nl/t", NULL, OUTCOME_REDIRECT, "redirect"},
        {VERDICT_CONNECT, 0, NULL, NULL, NULL, OUTCOME_RETRY, "connect"},
        {VERDICT_DISALLOWED, 0, NULL, NULL, NULL, OUTCOME_DISALLOWED,
         "disallowed"},
    };
    struct outcome_row row = {
        .status = 200, .body = "[{\"location\":\"/\",\"tdm-reservation\":1}]"};
    struct visit *v = visit(FRONTIER_TDMREP, &row);
    struct outcome out = judge(v);

    CHECK(str_eq(out.robots.body, S("\x1e"
                                    "1/\t\n\x1e")));
    visit_free(v);
    check_rows(FRONTIER_TDMREP, rows, sizeof rows / sizeof rows[0]);
}

static void
a_sitemap_is_followed_inside_the_scope(void)
{
    static const struct outcome_row rows[] = {
        {0, 301, NULL, "/s", NULL, OUTCOME_REDIRECT, "redirect"},
        {0, 301, NULL, "http://b.test/s", NULL, OUTCOME_REDIRECT, "redirect"},
        {0, 301, NULL, "http://b.nl/s", NULL, OUTCOME_FAILED,
         "redirect_out_of_scope"},
    };

    check_rows(FRONTIER_SITEMAP, rows, sizeof rows / sizeof rows[0]);
}

static bool
unreachable(enum verdict fault, unsigned status)
{
    struct outcome_row row = {.fault = fault, .status = status};
    struct visit *v = visit(FRONTIER_ROBOTS, &row);
    struct outcome out = judge(v);

    visit_free(v);
    return out.robots.unreachable;
}

static void
only_server_errors_and_silence_make_robots_unreachable(void)
{
    CHECK(unreachable(VERDICT_NONE, 500));
    CHECK(unreachable(VERDICT_NONE, 429));
    CHECK(unreachable(VERDICT_TIMEOUT, 0));
    CHECK(unreachable(VERDICT_TLS, 0));
    CHECK(!unreachable(VERDICT_NONE, 404));
    CHECK(!unreachable(VERDICT_NONE, 410));
    CHECK(!unreachable(VERDICT_NONE, 200));
    CHECK(!unreachable(VERDICT_NO_SUCH_HOST, 0));
}

static void
a_target_that_is_too_long_is_none(void)
{
    const uint64_t usual = options.frontier_url_size_max;
    char path[120];
    struct outcome_row row = {
        0, 301, NULL, path, NULL, OUTCOME_REDIRECT, "redirect"};

    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    options.frontier_url_size_max = strlen("http://a.test") + strlen(path);
    check_rows(FRONTIER_PAGE, &row, 1);
    options.frontier_url_size_max--;
    row.what = OUTCOME_FAILED;
    row.verdict = "redirect_too_long";
    check_rows(FRONTIER_PAGE, &row, 1);
    options.frontier_url_size_max = usual;
}

static void
hops_are_bounded(void)
{
    struct outcome_row row = {.status = 302, .location = "/next"};
    struct visit *page = visit(FRONTIER_PAGE, &row);
    struct visit *robots = visit(FRONTIER_ROBOTS, &row);
    struct outcome out;

    page->lease.redirects = (uint32_t)options.fetch_redirects_max - 1;
    CHECK(judge(page).what == OUTCOME_REDIRECT);
    page->lease.redirects++;
    out = judge(page);
    CHECK(out.what == OUTCOME_FAILED && out.verdict == VERDICT_REDIRECTS);
    robots->lease.redirects = ROBOTS_REDIRECTS_MAX;
    out = judge(robots);
    CHECK(out.what == OUTCOME_ROBOTS_DONE && !out.robots.unreachable);
    visit_free(page);
    visit_free(robots);
}

static void
a_redirect_carries_its_target(void)
{
    struct outcome_row row = {.status = 301, .location = "../x?y#z"};
    struct visit *v = visit(FRONTIER_PAGE, &row);
    struct outcome out = judge(v);

    CHECK(str_eq(out.target.url, S("http://a.test/x?y")));
    visit_free(v);
}

static void
a_redirect_asks_for_the_bytes_that_were_sent(void)
{
    static const struct {
        const char *location, *url;
    } rows[] = {
        {"/caf\xe9?q=\xe8", "http://a.test/caf%E9?q=%E8"}, /* ISO 8859-1 */
        {"/caf\xc3\xa9", "http://a.test/caf%C3%A9"},
        {"/caf%e9", "http://a.test/caf%e9"},
        {"http://b\xc3\xbc.test/", "http://xn--b-eha.test/"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct outcome_row row = {.status = 302,
                                        .location = rows[i].location};
        struct visit *v = visit(FRONTIER_PAGE, &row);
        struct outcome out = judge(v);

        CHECK(out.what == OUTCOME_REDIRECT);
        CHECK(str_eq(out.target.url, str_c(rows[i].url)));
        visit_free(v);
    }
}

static void
crawl_delay_body_and_rules_of_robots_travel(void)
{
    struct outcome_row row = {
        .status = 200,
        .body = "User-agent: winnow\nCrawl-delay: 2\nDisallow: /x"};
    struct visit *v = visit(FRONTIER_ROBOTS, &row);
    struct outcome out = judge(v);

    CHECK(out.robots.crawl_delay_ms == 2000 && out.robots.status == 200);
    CHECK(str_eq(out.robots.body, str_c(row.body)));
    CHECK(out.rules != NULL && !robots_allowed(out.rules, S("/x")) &&
          robots_allowed(out.rules, S("/y")));
    visit_free(v);
}

static bool
counts(enum frontier_kind kind, enum frontier_outcome what, bool contacted,
       uint32_t attempts)
{
    struct frontier_done d = {
        .kind = kind, .outcome = what, .contacted = contacted};
    struct frontier_lease l = {.attempts = attempts};

    return outcome_is_page(&d, &l, &options);
}

static void
pages_and_final_errors_count_for_the_budget(void)
{
    CHECK(counts(FRONTIER_PAGE, OUTCOME_FETCHED, true, 0));
    CHECK(counts(FRONTIER_PAGE, OUTCOME_FAILED, true, 0));
    CHECK(!counts(FRONTIER_PAGE, OUTCOME_FAILED, false, 0));
    CHECK(!counts(FRONTIER_PAGE, OUTCOME_RETRY, true, 0));
    CHECK(counts(FRONTIER_PAGE, OUTCOME_RETRY, true,
                 (uint32_t)options.politeness_retries));
    CHECK(!counts(FRONTIER_PAGE, OUTCOME_REDIRECT, true, 0));
    CHECK(!counts(FRONTIER_PAGE, OUTCOME_DISALLOWED, false, 0));
    CHECK(!counts(FRONTIER_ROBOTS, OUTCOME_ROBOTS_DONE, true, 0));
}

static void
a_page_that_is_as_it_was_does_not_count_again(void)
{
    struct frontier_done d = {.kind = FRONTIER_PAGE,
                              .outcome = OUTCOME_FETCHED,
                              .contacted = true,
                              .verdict = VERDICT_EXACT_DUPLICATE};
    struct frontier_lease l = {.revisit = 1};

    CHECK(!outcome_is_page(&d, &l, &options));
    d.verdict = VERDICT_KEPT;
    CHECK(outcome_is_page(&d, &l, &options));
    d.verdict = VERDICT_EXACT_DUPLICATE;
    l.revisit = 0; /* of another page */
    CHECK(outcome_is_page(&d, &l, &options));
}

/* Else the text that the frontier keeps would be asked for, to say so. */
static void
a_robots_txt_that_is_not_there_has_rules_too(void)
{
    static const unsigned statuses[] = {404, 403, 204};

    for (size_t i = 0; i < 3; i++) {
        struct outcome_row row = {.status = statuses[i]};
        struct visit *v = visit(FRONTIER_ROBOTS, &row);
        struct outcome out = judge(v);

        CHECK(out.what == OUTCOME_ROBOTS_DONE && !out.robots.unreachable);
        CHECK(out.rules != NULL && robots_allowed(out.rules, S("/x")));
        visit_free(v);
    }
}

/* It may wait for a service with thousands of others, whose bytes are bounded
 * by what they say they hold. */
static void
what_is_read_holds_no_bytes_that_it_does_not_count(void)
{
    static const enum frontier_kind kinds[] = {FRONTIER_PAGE, FRONTIER_ROBOTS};
    static const char text[100000] = "x";

    for (size_t i = 0; i < 2; i++) {
        struct outcome_row row = {.status = 403};
        struct visit *v = visit(kinds[i], &row);
        struct visit_report *r;
        size_t body;

        buf_add(&v->reply.body, text, sizeof text);
        buf_add(&v->reply.refusal, text, sizeof text);
        buf_add(&v->reply.request, text, sizeof text);
        buf_add(&v->html, text, sizeof text);
        r = visit_report_new(v, &options, scope, S("winnow"));
        visit_report_read(r);
        body = v->reply.body.cap;
        CHECK((body > 0) == frontier_is_rules(kinds[i]));
        CHECK(r->bytes >= body && r->bytes < body + 50000);
        CHECK(v->reply.refusal.cap + v->reply.request.cap + v->html.cap == 0);
        robots_free(r->outcome.rules);
        visit_free(v);
    }
}

/* ---- cookies ---- */

static void
a_page_that_sets_a_cookie_may_redirect_to_itself(void)
{
    static const struct {
        const char *to, *header, *sent, *cookies;
        unsigned hops;
        enum frontier_outcome what;
    } rows[] = {
        {"page", "Set-Cookie: a=1", "", "a=1; Domain=a.test\n", 0,
         OUTCOME_REDIRECT},
        {"page", "set-cookie:  a=2;Path=/ ", "b=1\n",
         "b=1\na=2;Path=/; Domain=a.test\n", 1, OUTCOME_REDIRECT},
        {"page", "Set-Cookie: a=1", "", NULL, 2, OUTCOME_FAILED},
        {"page", "Set-Cookie:", "", "", 0, OUTCOME_FAILED},
        {"page", "X: y", "b=1\n", "", 1, OUTCOME_FAILED},
        {"/x", "Set-Cookie: a=1", "", "a=1; Domain=a.test\n", 0,
         OUTCOME_REDIRECT},
        {"//b.test/", "Set-Cookie: a=1; Domain=.test", "", "", 0,
         OUTCOME_REDIRECT},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct outcome_row row = {.status = 302, .location = rows[i].to};
        struct visit *v = visit(FRONTIER_PAGE, &row);
        struct outcome out;

        buf_printf(&v->reply.head, "HTTP/1.1 302 Found\r\n%s\r\n\r\n",
                   rows[i].header);
        v->cookies = str_c(rows[i].sent);
        v->cookie_hops = rows[i].hops;
        out = judge(v);
        CHECK(out.what == rows[i].what);
        CHECK(rows[i].cookies == NULL ||
              str_eq(out.cookies, str_c(rows[i].cookies)));
        visit_free(v);
    }
}

static void
cookies_off_means_that_none_are_kept(void)
{
    const struct outcome_row row = {.status = 302, .location = "page"};
    struct visit *v = visit(FRONTIER_PAGE, &row);
    struct outcome out;

    buf_c(&v->reply.head, "HTTP/1.1 302 Found\r\nSet-Cookie: a=1\r\n\r\n");
    options.fetch_cookies = false;
    out = judge(v);
    options.fetch_cookies = true;
    CHECK(out.verdict == VERDICT_REDIRECT_TO_ITSELF && out.cookies.n == 0);
    visit_free(v);
}

static void
cookies_wait_for_their_target_and_are_taken_once(void)
{
    const struct outcome_row row = {.status = 302, .location = "page"};
    struct visit *v = visit(FRONTIER_PAGE, &row);
    struct cookies *c = cookies_new();
    char url[32];

    cookies_keep(c, v, S("http://a.test/other"), S("a=1\n"));
    cookies_take(c, v);
    CHECK(v->cookies.n == 0 && v->cookie_hops == 0);
    cookies_keep(c, v, v->lease.url, S("b=1\n"));
    cookies_take(c, v);
    CHECK(str_eq(v->cookies, S("b=1\n")) && v->cookie_hops == 1);
    v->cookies = S("");
    cookies_take(c, v);
    CHECK(v->cookies.n == 0);
    for (int i = 0; i < 10000; i++) { /* what is kept is bounded */
        snprintf(url, sizeof url, "http://a.test/%d", i);
        cookies_keep(c, v, str_c(url), S("c=1\n"));
    }
    cookies_free(c);
    visit_free(v);
}

/* An answer of too many leaves room for no more. */
static void
cookies_of_an_answer_are_bounded(void)
{
    const struct outcome_row row = {.status = 302, .location = "page"};
    struct visit *v = visit(FRONTIER_PAGE, &row);

    for (int i = 0; i < 1000; i++)
        buf_printf(&v->reply.head, "Set-Cookie: a%d=%0100d\r\n", i, i);
    CHECK(cookies_of(v, arena).n > 3000 && cookies_of(v, arena).n <= 4096);
    visit_free(v);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_tdmrep_json_is_read_or_says_nothing),
        TEST(a_sitemap_is_followed_inside_the_scope),
        TEST(every_end_of_a_page_has_one_outcome),
        TEST(every_end_of_robots_txt_has_one_outcome),
        TEST(only_server_errors_and_silence_make_robots_unreachable),
        TEST(a_target_that_is_too_long_is_none),
        TEST(hops_are_bounded),
        TEST(a_redirect_carries_its_target),
        TEST(what_is_read_holds_no_bytes_that_it_does_not_count),
        TEST(a_redirect_asks_for_the_bytes_that_were_sent),
        TEST(crawl_delay_body_and_rules_of_robots_travel),
        TEST(a_robots_txt_that_is_not_there_has_rules_too),
        TEST(pages_and_final_errors_count_for_the_budget),
        TEST(a_page_that_is_as_it_was_does_not_count_again),
        TEST(a_page_that_sets_a_cookie_may_redirect_to_itself),
        TEST(cookies_off_means_that_none_are_kept),
        TEST(cookies_wait_for_their_target_and_are_taken_once),
        TEST(cookies_of_an_answer_are_bounded),
        {0},
    };
    int rc;

    opts_init(&options);
    CHECK(opts_read_text(&options, "test", S("[scope]\ntld = test\n")) ==
          ST_OK);
    CHECK(scope_open(&scope, &options) == ST_OK);
    arena = arena_new();
    rc = test_main(table, argc, argv);
    robots_free(rules);
    arena_free(arena);
    scope_close(scope);
    opts_free(&options);
    return rc;
}
