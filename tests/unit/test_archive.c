/* test_archive.c -- aim: a record's headers describe the body that stands in
 * the record, and what they said of the body as sent is not lost.  The rest is
 * tests/scenario/archive.py. */
#include "crawler/visit/archive.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/log.h"
#include "clean/archive/inflate_stream.h"
#include "crawler/visit/payloads.h"
#include "folder.h"

static bool coded; /* the bodies of what follows */

static void
check(const char *head, size_t body_n, const char *want)
{
    struct buf out = {0};

    archive_head(&out, str_c(head), body_n, coded);
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
a_body_in_its_coding_is_said_to_be_in_it(void)
{
    coded = true;
    check("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n"
          "Transfer-Encoding: chunked\r\nContent-Length: 17\r\n\r\n",
          4711,
          "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n"
          "X-Crawler-Transfer-Encoding: chunked\r\n"
          "X-Crawler-Content-Length: 17\r\nContent-Length: 4711\r\n\r\n");
    coded = false;
}

static void
an_answer_without_its_end_becomes_a_whole_head(void)
{
    check("HTTP/1.0 404 no\nServer: x", 0,
          "HTTP/1.0 404 no\r\nServer: x\r\nContent-Length: 0\r\n\r\n");
    check("", 0, "\r\nContent-Length: 0\r\n\r\n");
    check("HTTP/1.1 200 OK\r\n\r\nContent-Type: behind\r\n", 1,
          "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n");
}

static void
a_folded_header_becomes_one_line(void)
{
    check("HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\n \r\n\td\r\n"
          "Content-Encoding:\r\n gzip\r\nServer: x\r\n\r\n",
          1,
          "HTTP/1.1 200 OK\r\nX-A: b c d\r\n"
          "X-Crawler-Content-Encoding: gzip\r\nServer: x\r\n"
          "Content-Length: 1\r\n\r\n");
}

static void
http_2_is_written_as_readers_know_it(void)
{
    static const char *const rows[][2] = {
        {"GET /a HTTP/2\r\nHost: a.test\r\n\r\n",
         "GET /a HTTP/1.1\r\nHost: a.test\r\n\r\n"},
        {"GET / HTTP/1.1\r\nReferer: HTTP/2\r\n\r\n",
         "GET / HTTP/1.1\r\nReferer: HTTP/2\r\n\r\n"},
        {"GET /a HTTP/2", "GET /a HTTP/1.1"}};
    struct buf out = {0};

    check("HTTP/2 200 \r\nserver: HTTP/2\r\n\r\n", 3,
          "HTTP/1.1 200 \r\nserver: HTTP/2\r\nContent-Length: 3\r\n\r\n");
    for (size_t i = 0; i < 3; i++) {
        buf_clear(&out);
        archive_request(&out, str_c(rows[i][0]));
        CHECK(str_eq(buf_view(&out), str_c(rows[i][1])));
    }
    buf_free(&out);
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

static ptrdiff_t
read_fd(void *self, void *p, size_t n)
{
    return read(*(int *)self, p, n);
}

/* Append the text of the WARC files in FOLDER/warc, and a NUL. */
static void
add_written(struct buf *out, const char *dir)
{
    char path[600];
    DIR *d;
    struct dirent *e;

    snprintf(path, sizeof path, "%s/warc", dir);
    CHECK((d = opendir(path)) != NULL);
    while (d != NULL && (e = readdir(d)) != NULL) {
        struct inflate_stream *in;
        struct str ahead;
        int fd;

        if (!str_ends(str_c(e->d_name), S(".warc.gz")))
            continue;
        snprintf(path, sizeof path, "%s/warc/%s", dir, e->d_name);
        CHECK((fd = open(path, O_RDONLY)) >= 0);
        CHECK(inflate_stream_open(&in, (struct inflate_source){&fd, read_fd}) ==
              ST_OK);
        while ((ahead = inflate_stream_peek(in, 1)).n > 0) {
            buf_str(out, ahead);
            inflate_stream_skip(in, ahead.n);
        }
        inflate_stream_close(in);
        close(fd);
    }
    closedir(d);
    buf_char(out, '\0');
}

/* A page, asked for again, and its copy. */
struct capture {
    const char *url;
    unsigned status;
    const char *type, *body;
    enum verdict verdict; /* told when it is a page; VERDICT_N: not told */
};

static bool truncated, broken_off; /* the bodies that come */

static void
put_capture(struct archive *a, const struct capture *row, uint64_t ms)
{
    struct frontier_lease lease = {.url = str_c(row->url)};
    struct visit *v = visit_new(&lease);
    struct frontier_link link = {.url = S("http://b.test/"),
                                 .boilerplate = 0.25f};
    const struct archive_page page = {.charset = S("UTF-8"),
                                      .charset_from = "meta",
                                      .links = &link,
                                      .links_n = 1};

    v->finished_ms = ms;
    v->id = document_id_make(str_c(row->url), ms);
    v->reply.status = row->status;
    v->reply.truncated = truncated;
    v->reply.broken_off = broken_off;
    buf_printf(&v->reply.head, "HTTP/1.1 %u x\r\nContent-Type: %s\r\n\r\n",
               row->status, row->type);
    buf_c(&v->reply.content_type, row->type);
    buf_c(&v->reply.request, "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
    buf_c(&v->reply.body, row->body);
    CHECK(archive_put(a, v) == ST_OK);
    if (row->verdict != VERDICT_N)
        CHECK(archive_note(a, v, &page, row->verdict) == ST_OK);
    visit_free(v);
}

static void
write_captures(struct buf *out, const char *name, const char *records,
               const struct capture *rows, size_t n)
{
    char *dir = in_folder(name);
    struct archive *a;
    struct opts o;

    opts_init(&o);
    CHECK(mkdir(dir, 0777) == 0);
    CHECK(opts_set(&o, "test", S("output.warc=on")) == ST_OK);
    if (records != NULL)
        CHECK(opts_set(&o, "test", str_c(records)) == ST_OK);
    CHECK(archive_open(&a, dir, 1, &o) == ST_OK);
    for (size_t i = 0; i < n; i++)
        put_capture(a, &rows[i], 1700000000000 + i * 1000);
    archive_close(a);
    add_written(out, dir);
    opts_free(&o);
}

static size_t
times(const struct buf *in, const char *what)
{
    size_t n = 0;

    for (const char *p = in->p; (p = strstr(p, what)) != NULL; p++)
        n++;
    return n;
}

static void
a_payload_that_is_there_makes_a_revisit(void)
{
    static const struct capture rows[] = {
        {"http://a.test/", 200, "text/html", "<p>one", VERDICT_KEPT},
        {"http://a.test/", 304, "text/html", "", VERDICT_N},
        {"http://a.test/2", 200, "text/html", "<p>one",
         VERDICT_EXACT_DUPLICATE},
        {"http://a.test/3", 200, "text/xml", "<p>one", VERDICT_KEPT},
        {"http://a.test/4", 200, "text/html", "<p>two", VERDICT_NOT_SAVED},
        {"http://a.test/5", 200, "text/html", "<p>two", VERDICT_KEPT},
        {"http://a.test/6", 304, "text/html", "", VERDICT_N},
        {"http://a.test/7", 404, "text/html", "", VERDICT_N},
        {"http://a.test/8", 404, "text/html", "", VERDICT_N},
        {"http://a.test/2", 304, "text/html", "", VERDICT_N},
        {"http://a.test/9", 200, "text/html", "<p>one",
         VERDICT_EXACT_DUPLICATE},
    };
    struct buf text = {0};

    write_captures(&text, "revisit", NULL, rows, sizeof rows / sizeof *rows);
    CHECK(times(&text, "WARC-Type: revisit\r\n") == 5);
    CHECK(times(&text, "/revisit/server-not-modified\r\n") == 3);
    CHECK(times(&text, "/revisit/identical-payload-digest\r\n"
                       "WARC-Refers-To-Target-URI: http://a.test/\r\n"
                       "WARC-Refers-To-Date: 2023-11-14T22:13:20Z\r\n") == 2);
    /* each leads to the record with the bytes, not to another revisit */
    CHECK(times(&text, "WARC-Refers-To-Date: 2023-11-14T22:13:20Z\r\n") == 4);
    CHECK(times(&text, "WARC-Type: response\r\n") == 6);
    /* printf '<p>one' | sha1sum, in base 32; of the empty body once a 404. */
    CHECK(times(&text, "WARC-Payload-Digest: "
                       "sha1:MSUZ7UE6YJT5IN7DIXLSN5BKGX62NBFL\r\n") == 4);
    CHECK(times(&text, "WARC-Payload-Digest: "
                       "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n") == 2);
    CHECK(times(&text, "<p>one") == 2 && times(&text, "<p>two") == 2);
    CHECK(times(&text, "GET / HTTP/1.1\r\n") == 11);
    CHECK(times(&text, "charset: UTF-8\r\ncharsetFrom: meta\r\n") == 6);
    CHECK(times(&text, "verdict: not_saved\r\n") == 1);
    CHECK(times(&text, "outlink: http://b.test/ L a/@href "
                       "boilerplate=0.25\r\n") == 6);
    buf_free(&text);
}

/* One that nobody knows as well; without a body there is none. */
static void
a_coding_is_told_as_it_was_sent(void)
{
    static const struct capture rows[] = {
        {"http://a.test/", 200, "text/html\r\nContent-Encoding: foo", "<p>one",
         VERDICT_KEPT},
        {"http://a.test/2", 404, "text/html\r\nContent-Encoding: foo", "",
         VERDICT_N}};
    struct buf text = {0};

    write_captures(&text, "sent", "output.warc_bodies=sent", rows, 2);
    CHECK(times(&text, "\r\nContent-Encoding: foo\r\n") == 1);
    CHECK(times(&text, "\r\nX-Crawler-Content-Encoding: foo\r\n") == 1);
    buf_free(&text);
    write_captures(&text, "not_sent", NULL, rows, 2);
    CHECK(times(&text, "\r\nX-Crawler-Content-Encoding: foo\r\n") == 2);
    buf_free(&text);
}

static void
why_a_body_is_not_whole_is_told(void)
{
    static const struct capture row = {"http://a.test/", 200, "text/html",
                                       "<p>one", VERDICT_N};
    struct buf text = {0};

    truncated = true;
    write_captures(&text, "long", "output.warc_records=", &row, 1);
    CHECK(times(&text, "WARC-Truncated: length\r\n") == 1);
    buf_clear(&text);
    broken_off = true;
    write_captures(&text, "broken", "output.warc_records=", &row, 1);
    CHECK(times(&text, "WARC-Truncated: unspecified\r\n") == 1);
    truncated = broken_off = false;
    buf_free(&text);
}

static void
only_the_records_that_are_wanted_are_written(void)
{
    static const struct capture rows[] = {
        {"http://a.test/", 200, "text/html", "<p>one", VERDICT_KEPT},
        {"http://a.test/2", 200, "text/html", "<p>one",
         VERDICT_EXACT_DUPLICATE},
    };
    struct buf text = {0};

    write_captures(&text, "bare", "output.warc_records=", rows, 2);
    CHECK(times(&text, "WARC-Type: ") == 3);
    CHECK(times(&text, "WARC-Type: response\r\n") == 2);
    buf_clear(&text);
    write_captures(&text, "texts", "output.warc_records=conversion", rows, 2);
    CHECK(times(&text, "WARC-Type: ") == 4);
    CHECK(times(&text, "WARC-Type: conversion\r\n") == 1);
    buf_free(&text);
}

static void
old_payloads_are_forgotten(void)
{
    struct payloads *p = payloads_new();
    char url[32];

    for (unsigned i = 0; i < PAYLOADS_MAX + 2; i++) {
        struct payload one = {.url = url, .type = 7, .date_ms = i};

        snprintf(one.digest, sizeof one.digest, "sha1:%u", i / 2);
        snprintf(url, sizeof url, "http://a.test/%u", i);
        payloads_add(p, str_c(url), &one);
    }
    CHECK(payloads_same(p, "sha1:0", 7) == NULL);
    CHECK(payloads_of(p, S("http://a.test/1")) == NULL);
    CHECK(payloads_same(p, "sha1:1", 8) == NULL);
    CHECK(payloads_same(p, "sha1:1", 7)->date_ms == 2);
    CHECK(payloads_of(p, S("http://a.test/2"))->date_ms == 2);
    payloads_free(p);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(headers_of_the_transfer_get_names_of_their_own),
        TEST(a_body_in_its_coding_is_said_to_be_in_it),
        TEST(an_answer_without_its_end_becomes_a_whole_head),
        TEST(a_folded_header_becomes_one_line),
        TEST(http_2_is_written_as_readers_know_it),
        TEST(without_output_warc_nothing_is_kept),
        TEST(a_payload_that_is_there_makes_a_revisit),
        TEST(a_coding_is_told_as_it_was_sent),
        TEST(why_a_body_is_not_whole_is_told),
        TEST(only_the_records_that_are_wanted_are_written),
        TEST(old_payloads_are_forgotten),
        {0},
    };

    log_threshold = LOG_ERROR;
    return folder_main(table, argc, argv);
}
