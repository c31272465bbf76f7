/* test_warc_record.c -- records end where warc_record_length() says, whole or
 * cut off anywhere; what they say is what was put. */
#include "base/warc/warc_record.h"
#include "test.h"

#define URN "<urn:uuid:00000000-0000-4000-8000-000000000000>"

static struct buf
record(struct str block)
{
    struct buf b = {0};

    warc_record_begin(&b, "conversion", URN, 1700000000000);
    warc_record_field(&b, "WARC-Target-URI", S("http://a.example/\r\nX: y"));
    warc_record_field(&b, "WARC-IP-Address", S(""));
    warc_record_digest(&b, "WARC-Block-Digest", block, S(""));
    warc_record_end(&b, "text/plain", block, S(""));
    return b;
}

static void
a_record_is_as_the_standard_has_it(void)
{
    struct buf b = record(S("abc"));

    CHECK(str_eq(buf_view(&b),
                 S("WARC/1.1\r\nWARC-Type: conversion\r\n"
                   "WARC-Record-ID: " URN "\r\n"
                   "WARC-Date: 2023-11-14T22:13:20Z\r\n"
                   "WARC-Target-URI: http://a.example/  X: y\r\n"
                   "WARC-Block-Digest: sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"
                   "\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\n"
                   "abc\r\n\r\n")));
    buf_free(&b);
}

static void
its_length_is_known_when_it_is_whole(void)
{
    struct buf b = record(S("a\r\n\r\nWARC/1.1\r\n"));
    size_t n = b.n;

    for (size_t i = 0; i < n; i++)
        CHECK(warc_record_length(str_n(b.p, i)) == 0);
    CHECK(warc_record_length(str_n(b.p, n)) == n);
    buf_c(&b, "WARC/1.1\r\nContent-Length: 1\r\n\r\n");
    CHECK(warc_record_length(buf_view(&b)) == n);
    CHECK(warc_record_length(str_sub(buf_view(&b), 1, b.n)) == 0);
    CHECK(warc_record_length(S("WARC/1.1\r\nContent-Length: "
                               "18446744073709551615\r\n\r\nabc\r\n\r\n")) ==
          0);
    CHECK(warc_record_length(S("WARC/1.1\r\nLength: 3\r\n\r\nabc\r\n\r\n")) ==
          0);
    buf_free(&b);
}

static void
a_warcinfo_record_names_its_file(void)
{
    struct buf b = {0};

    warc_record_info(&b, URN, 1700000000000, "a.warc.gz", S("winnow/1"),
                     S("robots: obey\r\n"));
    CHECK(warc_record_length(buf_view(&b)) == b.n);
    buf_char(&b, '\0');
    CHECK(strstr(b.p, "WARC-Type: warcinfo\r\n") != NULL);
    CHECK(strstr(b.p, "\r\nWARC-Filename: a.warc.gz\r\n") != NULL);
    CHECK(strstr(b.p, "\r\n\r\nsoftware: winnow/1\r\nformat: ") != NULL);
    CHECK(strstr(b.p, "\r\nrobots: obey\r\n\r\n\r\n") != NULL);
    buf_free(&b);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_record_is_as_the_standard_has_it),
        TEST(its_length_is_known_when_it_is_whole),
        TEST(a_warcinfo_record_names_its_file),
        {0}};

    return test_main(table, argc, argv);
}
