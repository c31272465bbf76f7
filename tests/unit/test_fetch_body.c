/* test_fetch_body.c -- aim: packed bodies are pages, within the bounds of
 * others, and what is no page is left as early. */
#include "fetch_case.h"
#include "warc_samples.h"

#define TOTAL ((size_t)8 << 20)
#define BODY_MAX ((size_t)100000)

static struct str
packed(struct buf *out, struct str s, unsigned times)
{
    struct buf in = {0};

    buf_str(&in, s);
    while (times-- > 0) {
        buf_clear(out);
        sample_gzip(out, buf_view(&in));
        buf_clear(&in);
        buf_str(&in, buf_view(out));
    }
    buf_free(&in);
    return buf_view(out);
}

static struct fetch_reply
get_coded(const char *head, struct str body)
{
    buf_clear(&answer);
    buf_printf(&answer, "%s\r\n", head);
    buf_str(&answer, body);
    return get("http://some.test/", true, BODY_MAX);
}

/* As hard to pack as usual text, about five to one. */
static void
text(struct buf *out, size_t n)
{
    uint64_t x = 1;

    buf_clear(out);
    while (out->n < n) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        buf_printf(out, "<p>De zin %llx staat op een eigen regel.</p>\n",
                   (unsigned long long)x);
    }
}

/* What is offered can be read, and no more is offered. */
static void
bodies_are_decoded(void)
{
    static const struct str answers[] = {
        STR(HTML "Content-Encoding: br\r\n\r\n"
                 "\x13\x10\x00\x00\xa4\x40\xde\x4a\x10\x68\xea\xe8\xdc\x1d"),
        STR(HTML "Content-Encoding: zstd\r\n\r\n"
                 "\x28\xb5\x2f\xfd\x00\x58\x65\x00\x00\x30\x68\x61\x6c\x6c\x6f"
                 "\x20\x01\x00\x31\x4a\x11"),
    };

    static const char offered[] =
        "Accept-Encoding: gzip, deflate, br, zstd\r\n";

    open_fetch("[output]\nwarc = on\nwarc_records = request\n");
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        struct fetch_reply r = ask(answers[i]);

        CHECK(r.fault == VERDICT_NONE);
        CHECK(str_eq(buf_view(&r.body), S("hallo hallo hallo")));
        CHECK(memmem(r.request.p, r.request.n, offered, strlen(offered)) !=
              NULL);
        fetch_reply_free(&r);
    }
    close_fetch();
}

/* With output.warc_bodies = sent; not what only the transfer was coded in. */
static void
a_body_is_kept_as_it_was_sent(void)
{
    static const char offered[] = "Accept-Encoding: gzip, deflate\r\n";
    static const struct {
        const char *head;
        bool coded, kept;
    } rows[] = {
        {HTML "Content-Encoding: gzip\r\n", true, true},
        {HTML "Content-Encoding: gzip\r\n", false, true},
#if LIBCURL_VERSION_NUM < 0x080000 /* 8 refuses what was not asked for */
        {HTML "Transfer-Encoding: gzip\r\n", true, false},
#endif
        {HTML, false, false}
    };
    struct buf page = {0}, body = {0};

    open_fetch("[output]\nwarc = on\nwarc_bodies = sent\n");
    text(&page, 5000);
    packed(&body, buf_view(&page), 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str sent = buf_view(rows[i].coded ? &body : &page);
        struct fetch_reply r = get_coded(rows[i].head, sent);

        CHECK(str_eq(buf_view(&r.body), buf_view(&page)));
        CHECK(str_eq(buf_view(&r.coded_body), rows[i].kept ? sent : S("")));
        CHECK(str_has(buf_view(&r.request), S(offered)));
        fetch_reply_free(&r);
    }
    text(&page, TOTAL);
    packed(&body, buf_view(&page), 1);
    struct fetch_reply r =
        get_coded(HTML "Content-Encoding: gzip\r\n", buf_view(&body));

    CHECK(r.truncated && r.body.n == BODY_MAX && r.coded_body.n > 0);
    CHECK(str_starts(buf_view(&body), buf_view(&r.coded_body)));
    fetch_reply_free(&r);
    buf_free(&page);
    buf_free(&body);
    close_fetch();
}

static void
a_packed_page_is_cut_where_others_are(void)
{
    struct buf page = {0}, body = {0};
    struct fetch_reply r;

    open_fetch("");
    text(&page, BODY_MAX);
    page.n = BODY_MAX;
    packed(&body, buf_view(&page), 1);
    for (unsigned i = 0; i < 2; i++) {
        r = get_coded(i == 0 ? HTML "Content-Encoding: gzip\r\n"
                             : HTML "Content-Encoding: zstd\r\n",
                      buf_view(&body));
        CHECK(r.fault == VERDICT_NONE && !r.truncated);
        CHECK(str_eq(buf_view(&r.body), buf_view(&page)));
        fetch_reply_free(&r);
        buf_clear(&body);
        sample_zstd(&body, buf_view(&page), S(""));
    }
    text(&page, TOTAL);
    r = get_coded(HTML "Content-Encoding: gzip\r\n",
                  packed(&body, buf_view(&page), 1));
    CHECK(r.fault == VERDICT_NONE && r.truncated && r.body.n == BODY_MAX);
    CHECK(!r.broken_off);
    CHECK(str_starts(buf_view(&page), buf_view(&r.body)));
    CHECK(r.bytes < body.n / 2); /* the rest was not waited for ... */
    fetch_reply_free(&r);
    r = get("http://some.test/", true, 10 * BODY_MAX);
    CHECK(r.fault == VERDICT_NONE && r.truncated);
    CHECK(r.bytes < 9 * BODY_MAX); /* ... nor so much as would fill it */
    fetch_reply_free(&r);
    buf_free(&page);
    buf_free(&body);
    close_fetch();
}

static void
what_breaks_off_is_a_page_that_is_cut(void)
{
    struct buf page = {0}, body = {0};
    struct fetch_reply r;
    struct str all;

    open_fetch("");
    text(&page, BODY_MAX / 2);
    all = packed(&body, buf_view(&page), 1);
    r = get_coded(HTML "Content-Encoding: gzip\r\n",
                  str_sub(all, 0, all.n / 2));
    CHECK(r.fault == VERDICT_NONE && r.truncated && r.body.n > 1000);
    CHECK(r.broken_off);
    CHECK(str_starts(buf_view(&page), buf_view(&r.body)));
    fetch_reply_free(&r);
    r = get_coded(HTML "Content-Encoding: gzip\r\n", str_sub(all, 0, 9));
    CHECK(r.fault == VERDICT_ENCODING);
    fetch_reply_free(&r);
    buf_free(&page);
    buf_free(&body);
    close_fetch();
}

static void
codings_may_lie_in_one_another(void)
{
    static const struct {
        const char *head;
        unsigned layers;
        bool read;
    } rows[] = {
        {HTML "Content-Encoding: gzip, gzip\r\n", 2, true},
        {HTML "Content-Encoding: gzip\r\nContent-Encoding: x-gzip\r\n", 2,
         true},
        {HTML "Content-Encoding: gzip\r\nTransfer-Encoding: gzip\r\n", 2,
         LIBCURL_VERSION_NUM < 0x080000}, /* 8 refuses what was not asked for */
        {HTML "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n", 1,
         true}, /* said by an application and by the proxy before it */
        {HTML "Content-Encoding: gzip, utf-8\r\n", 1, true},
        {HTML "Content-Encoding: gzip,gzip,gzip,gzip,gzip\r\n", 5, false},
        {"HTTP/1.1 103 Hints\r\nContent-Encoding: gzip\r\n\r\n" HTML
         "Content-Encoding: gzip\r\n",
         1, true},
    };
    struct buf page = {0}, body = {0};

    open_fetch("");
    text(&page, 5000);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fetch_reply r = get_coded(
            rows[i].head, packed(&body, buf_view(&page), rows[i].layers));

        CHECK((r.fault == VERDICT_NONE) == rows[i].read);
        CHECK(str_eq(buf_view(&r.body), buf_view(&page)) == rows[i].read);
        fetch_reply_free(&r);
    }
    buf_free(&page);
    buf_free(&body);
    close_fetch();
}

static void
bombs_are_told_from_long_pages(void)
{
    struct buf zeros = {0}, body = {0};
    struct fetch_reply r;

    open_fetch("");
    buf_reserve(&zeros, TOTAL);
    memset(zeros.p, 0, TOTAL);
    zeros.n = TOTAL;
    for (unsigned layers = 1; layers <= 2; layers++) {
        const char *head = layers == 1 ? HTML "Content-Encoding: gzip\r\n"
                                       : HTML
                               "Content-Encoding: gzip, gzip\r\n";

        r = get_coded(head, packed(&body, buf_view(&zeros), layers));
        CHECK(r.fault == VERDICT_BOMB && r.body.n <= BODY_MAX);
        fetch_reply_free(&r);
    }
    buf_free(&zeros);
    buf_free(&body);
    close_fetch();
}

static void
a_packed_feed_is_left_where_it_shows(void)
{
    struct buf page = {0}, body = {0}, feed = {0};
    struct fetch_reply r;

    open_fetch("");
    text(&page, TOTAL);
    buf_printf(&feed, "<rss version='2.0'>%.*s", STRF(buf_view(&page)));
    r = get_coded("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n"
                  "Content-Encoding: gzip\r\n",
                  packed(&body, buf_view(&feed), 1));
    CHECK(r.fault == VERDICT_NOT_HTML && r.bytes < body.n / 2);
    fetch_reply_free(&r);
    buf_free(&page);
    buf_free(&body);
    buf_free(&feed);
    close_fetch();
}

/* Of what refuses, the beginning, as of what is not packed. */
static void
refusals_are_unpacked(void)
{
    struct buf page = {0}, body = {0};
    struct fetch_reply r;

    open_fetch("");
    text(&page, 5000);
    r = get_coded("HTTP/1.1 403 No\r\nContent-Encoding: gzip\r\n",
                  packed(&body, buf_view(&page), 1));
    CHECK(r.fault == VERDICT_NONE && r.status == 403 && r.body.n == 0);
    CHECK(str_eq(buf_view(&r.refusal), buf_view(&page)));
    fetch_reply_free(&r);
    text(&page, TOTAL);
    r = get_coded("HTTP/1.1 403 No\r\nContent-Encoding: gzip\r\n",
                  packed(&body, buf_view(&page), 1));
    CHECK(r.fault == VERDICT_NONE && r.refusal.n > 1000);
    CHECK(r.refusal.n <= (size_t)1 << 16 && r.bytes < body.n / 2);
    fetch_reply_free(&r);
    buf_free(&page);
    buf_free(&body);
    close_fetch();
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(bodies_are_decoded),
        TEST(a_body_is_kept_as_it_was_sent),
        TEST(a_packed_page_is_cut_where_others_are),
        TEST(what_breaks_off_is_a_page_that_is_cut),
        TEST(codings_may_lie_in_one_another),
        TEST(bombs_are_told_from_long_pages),
        TEST(a_packed_feed_is_left_where_it_shows),
        TEST(refusals_are_unpacked),
        {0},
    };

    return fetch_case_main(table, argc, argv);
}
