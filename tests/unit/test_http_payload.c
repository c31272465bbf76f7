/* Pages out of HTTP responses as archives hold them: header forms, chunks,
 * content codings that are there, announced only, broken off or bombs. */
#include <brotli/encode.h>

#include "clean/archive/http_payload.h"
#include "test.h"
#include "warc_samples.h"

#define PAGE "<!doctype html><p>A page, a page, a page."

static struct arena *arena;

static struct http_payload
payload(struct str block)
{
    struct http_payload p;

    http_payload_parse(&p, block, 1 << 20, arena);
    return p;
}

static struct http_payload
with_body(const char *header, struct str body)
{
    struct buf b = {0};
    struct http_payload p;

    buf_printf(&b, "HTTP/1.1 200 OK\r\n%s\r\n\r\n", header);
    buf_str(&b, body);
    p = payload(arena_str(arena, buf_view(&b)));
    buf_free(&b);
    return p;
}

static struct str
encoded(const char *coding, struct str s)
{
    struct buf b = {0};
    struct str copy;

    if (strcmp(coding, "gzip") == 0) {
        sample_gzip(&b, s);
    } else if (strcmp(coding, "zstd") == 0) {
        sample_zstd(&b, s, S(""));
    } else if (strcmp(coding, "br") == 0) {
        size_t n = BrotliEncoderMaxCompressedSize(s.n);

        buf_reserve(&b, n);
        CHECK(BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW,
                                    BROTLI_DEFAULT_MODE, s.n,
                                    (const uint8_t *)s.p, &n, (uint8_t *)b.p));
        b.n = n;
    } else {
        z_stream z = {0};
        int bits = strcmp(coding, "deflate") == 0 ? MAX_WBITS : -MAX_WBITS;

        CHECK(deflateInit2(&z, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) ==
              Z_OK);
        buf_reserve(&b, deflateBound(&z, s.n));
        z.next_in = (Bytef *)(uintptr_t)s.p;
        z.avail_in = (uInt)s.n;
        z.next_out = (Bytef *)b.p;
        z.avail_out = (uInt)b.cap;
        CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
        b.n = z.total_out;
        deflateEnd(&z);
    }
    copy = arena_str(arena, buf_view(&b));
    buf_free(&b);
    return copy;
}

static void
headers_have_many_forms(void)
{
    static const struct {
        const char *block;
        uint16_t status;
    } kinds[] = {
        {"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" PAGE, 200},
        {"HTTP/1.0 404\ncontent-type:text/html\n\n" PAGE, 404},
        {"HTTP/2 200 \r\nCONTENT-TYPE:  text/html \r\n\r\n" PAGE, 200},
        {"HTTP/1.1  200  OK\r\nX: y\r\n folded: z\r\nContent-Type: text/html"
         "\r\nContent-Type: text/plain\r\n\r\n" PAGE,
         200},
        {"http/1.1 200 OK\nContent-Type: text/html\n" PAGE, 200},
        {"HTTP/1.1 abc\nContent-Type: text/html\n\n" PAGE, 0},
        {"HTTP/2 200\r\n:status: 200\r\ncontent-type: text/html\r\n\r\n" PAGE,
         200},
        {"\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" PAGE, 200},
        {"HTTP/1.1 200 OK\r\nno field\r\nContent-Type: text/html\r\n\r\n" PAGE,
         200},
        {"HTTP/1.1 200 OK\nBad Name: x\nContent-Type: text/html\n\n" PAGE, 200},
        {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"
         "Content-Type: text/html\r\n\r\n" PAGE,
         200},
        {"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nContent-Type: a/b\r\n"
         "\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 404 Not Found\r\n"
         "Content-Type: text/html\r\n\r\n" PAGE,
         404},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct http_payload p = payload(str_c(kinds[i].block));

        CHECK(p.status == kinds[i].status);
        CHECK(str_eq(p.content_type, S("text/html")));
        CHECK(str_eq(p.body, S(PAGE)));
        CHECK(!p.cut && !p.damaged);
    }
}

static void
without_a_header_all_is_body(void)
{
    CHECK(str_eq(payload(S(PAGE)).body, S(PAGE)));
    CHECK(payload(S(PAGE)).status == 0);
    CHECK(payload(S("")).body.n == 0);
    CHECK(payload(S("HTTP/1.1 200")).body.n == 0);
    CHECK(payload(S("HTTP/1.1 200")).status == 200);
    CHECK(payload(S("HTTP/1.1 200 OK\r\nX: y")).body.n == 0);
    CHECK(str_eq(payload(S("\n\n" PAGE)).body, S("\n\n" PAGE)));
    CHECK(payload(S("HTTP/1.1 100 Continue\r\n\r\n" PAGE)).status == 100);
    CHECK(
        str_eq(payload(S("HTTP/1.1 100 Continue\r\n\r\n" PAGE)).body, S(PAGE)));
}

static void
robots_tags_are_a_line_each(void)
{
    struct http_payload p =
        with_body("X-Robots-Tag: noindex\r\nx-robots-tag: a: nofollow", S("x"));

    CHECK(str_eq(p.x_robots_tag, S("noindex\na: nofollow")));
}

static void
chunks_are_joined(void)
{
    static const char *const good[] = {
        "4\r\n<p>a\r\n1\r\nb\r\n0\r\n\r\n",
        "4;x=y\r\n<p>a\r\n1 \r\nb\r\n0\r\nTrailer: z\r\n\r\n",
        "00000004\n<p>a\n1\nb\n0\n\n",
    };
    static const char *const letters[] = {
        "a\r\n0123456789\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n",
        "0A\r\n0123456789\r\n1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n",
    };
    static const char *const broken[] = {
        "4\r\n<p>a\r\n9\r\nb",
        "4\r\n<p>a\r\n1\r\nbxx",
        "4\r\n<p>a\r\n1\r\nb\r\nzz\r\n",
        "4\r\n<p>a\r\nFFFFFFFFFFFFFFF\r\nb",
    };

    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        struct http_payload p =
            with_body("Transfer-Encoding: chunked", str_c(letters[i]));

        CHECK(!p.damaged && str_eq(p.body, S("0123456789abcdefghijklmnopqrst"
                                             "uvwxyz")));
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct http_payload p =
            with_body("Transfer-Encoding: Chunked", str_c(good[i]));

        CHECK(str_eq(p.body, S("<p>ab")) && !p.damaged);
    }
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct http_payload p =
            with_body("Transfer-Encoding: chunked", str_c(broken[i]));

        CHECK(str_starts(p.body, S("<p>a")) && p.damaged);
        CHECK(p.body.n <= 5);
    }
}

static void
chunks_that_are_only_announced_are_none(void)
{
    static const char *const bodies[] = {
        PAGE, "", "abc", "12", "FFFFFFFFFFFFFFFFFFFF\r\nx",
        /* text that begins with a number */
        "10\nLittle birds sat on a wall, and one of them fell off it.\n",
        "0\nIs where it begins.\n"};

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct http_payload p =
            with_body("Transfer-Encoding: chunked", str_c(bodies[i]));

        CHECK(str_eq(p.body, str_c(bodies[i])) && !p.damaged);
    }
}

static void
a_body_without_chunks_is_empty_and_whole(void)
{
    static const char *const bodies[] = {"0\r\n\r\n", "0\r\n",
                                         "0\r\nTrailer: z\r\n\r\n"};

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct http_payload p =
            with_body("Transfer-Encoding: chunked", str_c(bodies[i]));

        CHECK(p.body.n == 0 && !p.damaged);
    }
}

static void
every_content_coding_is_undone(void)
{
    static const char *const codings[] = {"gzip", "deflate", "raw", "br",
                                          "zstd"};

    for (size_t i = 0; i < 5; i++) {
        const char *name = i == 2 ? "deflate" : codings[i];
        struct str body = encoded(codings[i], S(PAGE));
        char header[100];
        struct http_payload p;

        snprintf(header, sizeof header, "Content-Encoding: %s", name);
        p = with_body(header, body);
        CHECK(str_eq(p.body, S(PAGE)) && !p.damaged && !p.cut);
        body.n -= body.n / 4; /* broken off: what came before, marked */
        p = with_body(header, body);
        CHECK(p.damaged && p.body.n < sizeof PAGE);
        p = with_body(header, S(PAGE)); /* announced, not there */
        CHECK(str_eq(p.body, S(PAGE)));
    }
}

static void
codings_are_undone_last_one_first(void)
{
    struct str body = encoded("br", encoded("gzip", S(PAGE)));
    struct buf chunked = {0};

    CHECK(str_eq(with_body("Content-Encoding: gzip, br", body).body, S(PAGE)));
    CHECK(str_eq(
        with_body("Content-Encoding: gzip\r\nContent-Encoding: br", body).body,
        S(PAGE)));
    buf_printf(&chunked, "%zx\r\n", body.n);
    buf_str(&chunked, body);
    buf_c(&chunked, "\r\n0\r\n\r\n");
    CHECK(str_eq(with_body("Content-Encoding: x-gzip, br\r\n"
                           "Transfer-Encoding: chunked",
                           buf_view(&chunked))
                     .body,
                 S(PAGE)));
    CHECK(str_eq(with_body("Content-Encoding: identity, utf-8", S(PAGE)).body,
                 S(PAGE)));
    buf_free(&chunked);
}

static void
a_coding_of_the_transfer_is_undone(void)
{
    struct str body = encoded("gzip", S(PAGE));
    struct buf chunked = {0};

    buf_printf(&chunked, "%zx\r\n", body.n);
    buf_str(&chunked, body);
    buf_c(&chunked, "\r\n0\r\n\r\n");
    CHECK(str_eq(
        with_body("Transfer-Encoding: gzip, chunked", buf_view(&chunked)).body,
        S(PAGE)));
    CHECK(str_eq(
        with_body("Transfer-Encoding: gzip\r\nContent-Encoding: gzip", body)
            .body,
        S(PAGE)));
    buf_free(&chunked);
}

static void
text_under_a_coding_without_a_mark_stays(void)
{
    static const char *const codings[] = {"br", "deflate"};
    struct str body = S("Text before any tag, which a decoder without a magic "
                        "number takes for data of its own.\n" PAGE);

    for (size_t i = 0; i < 2; i++) {
        char header[100];
        struct http_payload p;

        snprintf(header, sizeof header, "Content-Encoding: %s", codings[i]);
        for (size_t from = 0; from < 30; from++) {
            struct str s = str_sub(body, from, body.n);

            p = with_body(header, s);
            CHECK(str_eq(p.body, s) && !p.damaged);
        }
    }
}

/* A byte can be a whole stream of brotli, an empty one. */
static void
text_that_begins_as_a_coding_ends_stays(void)
{
    static const char *const codings[] = {"br", "deflate"};
    static const char *const behind[] = {
        " short\n", " birds sat on a wall, and one of them fell off it, and so "
                    "there was one bird less on that wall.\n"};

    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++)
            for (char c = ' '; c <= '~'; c++) {
                struct str s = arena_printf(arena, "%c%s", c, behind[k]);
                char header[100];

                snprintf(header, sizeof header, "Content-Encoding: %s",
                         codings[i]);
                if (k == 1 || (i == 0 && strchr("3579;=?", c) != NULL))
                    CHECK(str_eq(with_body(header, s).body, s));
            }
}

static void
several_gzip_members_are_one_body(void)
{
    struct buf b = {0};

    sample_gzip(&b, S("<p>one "));
    sample_gzip(&b, S("two"));
    CHECK(str_eq(with_body("Content-Encoding: gzip", buf_view(&b)).body,
                 S("<p>one two")));
    buf_free(&b);
}

static void
a_bomb_is_cut_at_the_bound(void)
{
    static const char *const codings[] = {"gzip", "br", "zstd"};
    size_t n = (size_t)50 << 20;
    char *zeros = calloc(n, 1);

    CHECK(zeros != NULL);
    for (size_t i = 0; zeros != NULL && i < 3; i++) {
        struct str body = encoded(codings[i], str_n(zeros, n));
        char header[100];
        struct http_payload p;

        snprintf(header, sizeof header, "Content-Encoding: %s", codings[i]);
        p = with_body(header, body);
        CHECK(p.cut && p.body.n == 1 << 20);
    }
    CHECK(arena_high(arena) < (size_t)16 << 20);
    free(zeros);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(headers_have_many_forms),
        TEST(without_a_header_all_is_body),
        TEST(robots_tags_are_a_line_each),
        TEST(chunks_are_joined),
        TEST(chunks_that_are_only_announced_are_none),
        TEST(a_body_without_chunks_is_empty_and_whole),
        TEST(every_content_coding_is_undone),
        TEST(codings_are_undone_last_one_first),
        TEST(a_coding_of_the_transfer_is_undone),
        TEST(text_under_a_coding_without_a_mark_stays),
        TEST(text_that_begins_as_a_coding_ends_stays),
        TEST(several_gzip_members_are_one_body),
        TEST(a_bomb_is_cut_at_the_bound),
        {0},
    };
    int code;

    arena = arena_new();
    code = test_main(table, argc, argv);
    arena_free(arena);
    return code;
}
