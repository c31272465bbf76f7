/* WARC and ARC records, over files made here.
 *
 * Whole files of random records in every compression are compared with the list
 * they were made from, read in pieces of random size, and each record is read
 * again from its offset and length alone. */
#include "warc_model.h"

static void
check_record(const struct file_model *m, size_t i, const struct warc_record *r)
{
    char url[64];

    snprintf(url, sizeof url, "http://a.example/%zu", i);
    CHECK(str_eq(r->url, str_c(url)));
    CHECK(str_eq(r->block, m->block[i]));
    CHECK(!r->cut && r->block_n == m->block[i].n);
    CHECK(strcmp(warc_type_name(r->type), types[m->type[i]]) == 0 ||
          r->type == WARC_OTHER);
}

/* The record alone, from what an index would say. */
static void
check_again(const struct file_model *m, size_t i, struct str file,
            const struct warc_record *r, enum packing how)
{
    struct str from = r->decompressed ? buf_view(&m->text) : file;
    struct str part = str_sub(from, r->offset, r->offset + r->length);
    struct warc_reading again;
    struct warc_record copy;

    CHECK(part.n == r->length);
    CHECK(r->decompressed ==
          (how == GZIP_WHOLE || how == GZIP_ANYWHERE || how == ZSTD_WHOLE));
    if (how == ZSTD_DICTIONARY || how == ZSTD_PACKED_DICTIONARY)
        return; /* not without the frame at the beginning of the file */
    reading_open(&again, part, SIZE_MAX, WARC_FORMAT_WARC, BLOCK_MAX);
    CHECK(warc_next(again.warc, &copy) == ST_OK);
    check_record(m, i, &copy);
    CHECK(warc_next(again.warc, &copy) == ST_NONE);
    CHECK(warc_counts(again.warc)->faults_all == 0);
    reading_close(&again);
}

static void
every_record_comes_out_of_every_packing(void)
{
    static const size_t pieces[] = {1, 7, 1000, SIZE_MAX};

    for (size_t turn = 0; turn < 12; turn++)
        for (int how = 0; how < PACKING_N; how++) {
            struct file_model m;
            struct buf file = {0};
            struct warc_reading r;
            struct warc_record record;
            size_t i = 0;

            model_make(&m);
            pack(&file, &m, (enum packing)how);
            reading_open(&r, buf_view(&file), pieces[turn % 4],
                         WARC_FORMAT_WARC, BLOCK_MAX);
            for (; warc_next(r.warc, &record) == ST_OK && i < RECORDS; i++) {
                check_record(&m, i, &record);
                check_again(&m, i, buf_view(&file), &record, (enum packing)how);
            }
            CHECK(i == RECORDS);
            CHECK(warc_counts(r.warc)->faults_all == 0);
            reading_close(&r);
            buf_free(&file);
            model_free(&m);
        }
}

static struct warc_record
only_record(struct warc_reading *r, struct str file, enum warc_format format,
            size_t block_max)
{
    struct warc_record record = {0};

    reading_open(r, file, 100, format, block_max);
    CHECK(warc_next(r->warc, &record) == ST_OK);
    return record;
}

static void
headers_are_read_leniently(void)
{
    struct warc_reading r;
    struct warc_record record = only_record(
        &r,
        S("WARC/1.1\nwarc-type:RESPONSE\nWARC-TARGET-URI: <http://a.example/a "
          "b>\ncontent-length:  2 \nWARC-Date: 2020-01-01\nno colon here\n"
          "WARC-IP-Address: 2001:db8::1\nWARC-Date: 2021-01-01\n"
          "Content-Type: application/http;\n  msgtype=response\n"
          "WARC-Segment-Number: 1\nWARC-Truncated: length\n\nab\n\n"),
        WARC_FORMAT_WARC, 10);

    CHECK(record.type == WARC_RESPONSE && record.block_n == 2);
    CHECK(str_eq(record.url, S("http://a.example/a b")));
    CHECK(str_eq(record.date, S("2020-01-01")));
    CHECK(str_eq(record.ip, S("2001:db8::1")));
    CHECK(
        str_eq(record.content_type, S("application/http;  msgtype=response")));
    CHECK(record.segment == 1 && record.cut);
    CHECK(str_eq(record.block, S("ab")));
    reading_close(&r);
}

/* As older writers have it; what points into the header stays where it is. */
static void
a_date_of_14_digits_is_one(void)
{
    for (int n = 0; n < 600; n++) {
        struct buf file = {0};
        struct warc_reading reading;
        struct warc_record r;

        buf_c(&file, "WARC/1.0\r\nWARC-Type: response\r\nX: ");
        for (int i = 0; i < n; i++)
            buf_char(&file, 'a');
        buf_c(&file, "\r\nWARC-Date: 20080417175712\r\nWARC-Target-URI: "
                     "http://a.example/\r\nContent-Length: 2\r\n\r\nab"
                     "\r\n\r\n");
        r = only_record(&reading, buf_view(&file), WARC_FORMAT_WARC, 100);
        CHECK(str_eq(r.date, S("2008-04-17T17:57:12Z")));
        CHECK(str_eq(r.url, S("http://a.example/")));
        reading_close(&reading);
        buf_free(&file);
    }
}

static void
a_block_beyond_the_bound_is_cut_and_marked(void)
{
    struct buf file = {0}, block = {0};
    struct warc_reading r;
    struct warc_record record;

    for (int i = 0; i < 3000000; i++)
        buf_char(&block, 'x');
    sample_record(&file, "response", "http://a.example/", buf_view(&block));
    sample_record(&file, "response", "http://a.example/2", S("y"));
    record = only_record(&r, buf_view(&file), WARC_FORMAT_WARC, 1000);
    CHECK(record.cut && record.block.n == 1000 && record.block_n == 3000000);
    CHECK(warc_next(r.warc, &record) == ST_OK);
    CHECK(str_eq(record.block, S("y")) && !record.cut);
    reading_close(&r);
    buf_free(&file);
    buf_free(&block);
}

static void
arc_records_of_both_versions_are_read(void)
{
    struct str file = S(arc_sample);
    struct warc_counts c;
    struct warc_record r;
    struct warc_reading reading;
    uint64_t seen;

    CHECK(warc_sniff(file) == WARC_FORMAT_ARC);
    c = read_all(file, WARC_FORMAT_ARC, &seen);
    CHECK(seen == 63 && c.faults_all == 0);
    CHECK(c.records[WARC_WARCINFO] == 1 && c.records[WARC_RESPONSE] == 5 &&
          c.records[WARC_RESOURCE] == 1);
    r = only_record(&reading, file, WARC_FORMAT_ARC, 100);
    CHECK(str_eq(r.url, S("filedesc://x.arc")));
    CHECK(warc_next(reading.warc, &r) == ST_OK);
    CHECK(str_eq(r.block, S("<p>zero")));
    CHECK(str_eq(r.date, S("1997-04-17T17:57:10Z")));
    CHECK(str_starts(str_sub(file, r.offset, r.offset + r.length),
                     S("http://a.example/0 ")));
    CHECK(warc_next(reading.warc, &r) == ST_OK);
    CHECK(str_eq(r.url, S("https://a.example/q?a b c/1")));
    CHECK(str_eq(r.ip, S("2001:db8::17")));
    reading_close(&reading);
}

/* The fields are slices of the line, behind which the date is written: the
 * line's memory may not move then, whatever room there is. */
static void
arc_lines_of_every_length_keep_their_fields(void)
{
    for (int n = 100; n < 600; n++) {
        struct buf file = {0};
        struct warc_reading reading;
        struct warc_record r;

        buf_c(&file, "http://a.example/");
        for (int i = 0; i < n; i++)
            buf_char(&file, 'a');
        buf_c(&file, " 192.0.2.1 20080417175712 text/html 2\nab\n");
        r = only_record(&reading, buf_view(&file), WARC_FORMAT_ARC, 100);
        CHECK(str_starts(r.url, S("http://a.example/aaa")) &&
              r.url.n == (size_t)n + 17);
        CHECK(str_eq(r.ip, S("192.0.2.1")) && str_eq(r.block, S("ab")) &&
              str_eq(r.content_type, S("text/html")) &&
              str_eq(r.date, S("2008-04-17T17:57:12Z")));
        reading_close(&reading);
        buf_free(&file);
    }
}

static void
what_a_file_is_shows_in_its_first_bytes(void)
{
    CHECK(warc_sniff(S("WARC/1.0\r\n")) == WARC_FORMAT_WARC);
    CHECK(warc_sniff(S("\r\n\r\nWARC/0.18\n")) == WARC_FORMAT_WARC);
    CHECK(warc_sniff(S("http://a.example/ 192.0.2.1 20080417175712 text/html "
                       "12\nHTTP/1.0")) == WARC_FORMAT_ARC);
    CHECK(warc_sniff(S("<!doctype html>\n<p>WARC/1.0")) == WARC_FORMAT_NONE);
    CHECK(warc_sniff(S("http://a.example/ is a page\n")) == WARC_FORMAT_NONE);
    CHECK(warc_sniff(S("")) == WARC_FORMAT_NONE);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(every_record_comes_out_of_every_packing),
        TEST(headers_are_read_leniently),
        TEST(a_date_of_14_digits_is_one),
        TEST(a_block_beyond_the_bound_is_cut_and_marked),
        TEST(arc_records_of_both_versions_are_read),
        TEST(arc_lines_of_every_length_keep_their_fields),
        TEST(what_a_file_is_shows_in_its_first_bytes),
        {0},
    };

    log_threshold = LOG_ERROR;
    rng = random_seed(19960410);
    return test_main(table, argc, argv);
}
