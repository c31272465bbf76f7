/* test_archive.c -- aim: a record's headers describe the body that stands in
 * the record, and what they said of the body as sent is not lost.  The rest is
 * tests/scenario/archive.py. */
#include "crawler/archive.h"

#include "test.h"

static void
check(const char *head, size_t body_n, const char *want)
{
    struct buf out = {0};

    archive_head(&out, str_c(head), body_n);
    if (!str_eq(buf_view(&out), str_c(want)))
        fprintf(stderr, "%.*s\n", (int)out.n, out.p);
    CHECK(str_eq(buf_view(&out), str_c(want)));
    buf_free(&out);
}

static void
headers_of_the_transfer_get_names_of_their_own(void)
{
    check("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
          "content-encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
          "Content-Length: 17\r\n\r\n",
          4711,
          "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
          "X-Crawler-content-encoding: gzip\r\n"
          "X-Crawler-Transfer-Encoding: chunked\r\n"
          "X-Crawler-Content-Length: 17\r\nContent-Length: 4711\r\n\r\n");
}

static void
an_answer_without_its_end_becomes_a_whole_head(void)
{
    check("HTTP/1.0 404 no\nServer: x", 0,
          "HTTP/1.0 404 no\r\nServer: x\r\nContent-Length: 0\r\n\r\n");
    check("HTTP/1.1 200 OK\r\n\r\nContent-Type: behind\r\n", 1,
          "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n");
}

static void
without_output_warc_nothing_is_kept(void)
{
    struct frontier_lease lease = {.url = S("http://a.test/")};
    struct visit *v = visit_new(&lease);
    struct archive *a;
    struct opts o;

    opts_init(&o);
    CHECK(archive_open(&a, "/nowhere", 1, &o) == ST_OK);
    CHECK(a == NULL);
    buf_c(&v->reply.head, "HTTP/1.1 200 OK\r\n\r\n");
    CHECK(archive_put(a, v) == ST_OK);
    archive_close(a);
    opts_free(&o);
    visit_free(v);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(headers_of_the_transfer_get_names_of_their_own),
        TEST(an_answer_without_its_end_becomes_a_whole_head),
        TEST(without_output_warc_nothing_is_kept),
        {0},
    };

    return test_main(table, argc, argv);
}
