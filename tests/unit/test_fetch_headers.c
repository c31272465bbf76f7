/* test_fetch_headers.c -- aim: a request says which languages it wants, who
 * asks, and on what condition, and nothing that its options cannot mean. */
#include "fetch_case.h"

static void
ask_with(const char *job, const struct fetch_request *conditions)
{
    struct fetch_request q = {.url = "http://some.test/",
                              .address = server.address,
                              .body_max = 1000,
                              .cookies = conditions->cookies,
                              .etag = conditions->etag,
                              .last_modified = conditions->last_modified};
    struct fetch_reply r = {0};
    bool done = false;

    open_fetch(job);
    buf_clear(&answer);
    buf_c(&answer, HTML "Content-Length: 0\r\n\r\n");
    server_told();
    fetch_start(fetch, &q, &r, clock_steady_ms(), set_flag, &done);
    while (!done)
        turn();
    CHECK(requested("\r\nAccept: text/html,application/xhtml+xml,*/*;q=0.1"));
    fetch_reply_free(&r);
    close_fetch();
}

static const struct fetch_request none;

static void
target_languages_are_asked_for(void)
{
    ask_with("", &none);
    CHECK(!requested("Accept-Language"));
    ask_with("[clean]\nlanguage = nl\n", &none);
    CHECK(requested("\r\nAccept-Language: nl, *;q=0.1\r\n"));
    ask_with("[clean]\nlanguage = nl fy\n", &none);
    CHECK(requested("\r\nAccept-Language: nl, fy, *;q=0.1\r\n"));
}

static void
other_languages_or_none_by_option(void)
{
    ask_with("[clean]\nlanguage = nl\n"
             "[fetch]\naccept_language = nl-BE, nl;q=0.8\n",
             &none);
    CHECK(requested("\r\nAccept-Language: nl-BE, nl;q=0.8\r\n"));
    ask_with("[clean]\nlanguage = nl\n[fetch]\naccept_language =\n", &none);
    CHECK(!requested("Accept-Language"));
}

static void
who_asks_is_said_when_it_is_known(void)
{
    ask_with("", &none);
    CHECK(!requested("\r\nFrom:"));
    ask_with("[fetch]\nfrom = crawl@uni.example\n", &none);
    CHECK(requested("\r\nFrom: crawl@uni.example\r\n"));
}

static void
conditions_stand_beside_the_others(void)
{
    const struct fetch_request page = {
        .etag = STR("\"v1\""),
        .last_modified = STR("Thu, 20 Nov 2025 23:06:40 GMT")};
    const struct fetch_request bad = {.etag = STR("\"v\r\nHost: b\"")};

    ask_with("[clean]\nlanguage = nl\n[fetch]\nfrom = a@b.example\n", &page);
    CHECK(requested("\r\nIf-None-Match: \"v1\"\r\n"));
    CHECK(
        requested("\r\nIf-Modified-Since: Thu, 20 Nov 2025 23:06:40 GMT\r\n"));
    CHECK(requested("\r\nAccept-Language: nl, *;q=0.1\r\n"));
    CHECK(requested("\r\nFrom: a@b.example\r\n"));
    ask_with("[clean]\nlanguage = nl\n", &bad);
    CHECK(!requested("If-None-Match") && !requested("Host: b"));
    CHECK(requested("\r\nAccept-Language: nl, *;q=0.1\r\n"));
}

/* For this request alone. */
static void
cookies_are_sent_that_fit_the_url(void)
{
    const struct fetch_request page = {
        .cookies = STR("a=1; HttpOnly; Domain=some.test\n"
                       "b=2; Domain=.test; Path=/; Domain=some.test\n"
                       "c=3; Path=/other; Domain=some.test\n"
                       "d=4; Domain=other.test\n"
                       "e=5; Secure; Domain=some.test\n"
                       "f=6; Max-Age=0; Domain=some.test\n"
                       "a=7; Domain=some.test\n"
                       "g=\x01"
                       "8; Domain=some.test\n")};

    ask_with("", &page);
    CHECK(requested("\r\nCookie: ") && requested("a=7") && requested("b=2"));
    CHECK(!requested("a=1") && !requested("c=3") && !requested("d=4"));
    CHECK(!requested("e=5") && !requested("f=6") && !requested("g="));
    ask_with("", &none);
    CHECK(!requested("Cookie"));
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(target_languages_are_asked_for),
        TEST(other_languages_or_none_by_option),
        TEST(who_asks_is_said_when_it_is_known),
        TEST(conditions_stand_beside_the_others),
        TEST(cookies_are_sent_that_fit_the_url),
        {0},
    };

    return fetch_case_main(table, argc, argv);
}
