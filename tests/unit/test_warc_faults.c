/* Broken WARC and ARC files: one fault at a time.  All other records must still
 * come out, and the fault must be counted as what it is. */
#include "warc_model.h"

#define ALL (((uint64_t)1 << RECORDS) - 1)

static void
a_damaged_member_costs_one_record(void)
{
    for (int how = 0; how < 2; how++)
        for (size_t turn = 0; turn < 60; turn++) {
            struct buf file = {0};
            size_t victim = below(RECORDS), from = 0, to = 0, at;
            struct file_model m;
            struct warc_counts counts;
            uint64_t seen;

            model_make(&m);
            for (size_t i = 0; i < RECORDS; i++) {
                if (i == victim)
                    from = file.n;
                if (how == 0)
                    sample_gzip(&file, record_of(&m, i));
                else
                    sample_zstd(&file, record_of(&m, i), S(""));
                if (i == victim)
                    to = file.n;
            }
            at = from + 12 + below(to - from - 12);
            file.p[at] = (char)(file.p[at] ^ (1 << below(8)));
            counts = read_all(buf_view(&file), WARC_FORMAT_WARC, &seen);
            /* A flipped bit may have no consequence (zstd has no checksum
             * here; a gzip header has a time). */
            CHECK((seen | (uint64_t)1 << victim) == ALL);
            if (how == 0)
                CHECK(counts.faults_all <= 3 &&
                      (counts.faults_all > 0) == (seen != ALL));
            buf_free(&file);
            model_free(&m);
        }
}

static void
a_member_that_is_cut_off_costs_one_record(void)
{
    for (int how = 0; how < 2; how++)
        for (size_t turn = 0; turn < 40; turn++) {
            struct buf file = {0};
            size_t victim = below(RECORDS);
            struct file_model m;
            struct warc_counts counts;
            uint64_t seen;

            model_make(&m);
            for (size_t i = 0; i < RECORDS; i++) {
                size_t from = file.n;

                if (how == 0)
                    sample_gzip(&file, record_of(&m, i));
                else
                    sample_zstd(&file, record_of(&m, i), S(""));
                if (i == victim)
                    file.n = from + 1 + below(file.n - from - 1);
            }
            counts = read_all(buf_view(&file), WARC_FORMAT_WARC, &seen);
            /* Of the last record what is there comes out, if some is. */
            if (victim == RECORDS - 1)
                seen &= ~((uint64_t)1 << victim);
            CHECK(seen == (ALL & ~((uint64_t)1 << victim)));
            CHECK(counts.faults_all >= 1);
            buf_free(&file);
            model_free(&m);
        }
}

static void
a_file_that_is_cut_off_gives_what_came_before(void)
{
    for (int how = 0; how < PACKING_N; how++) {
        struct file_model m;
        struct buf file = {0};
        struct warc_counts counts;
        uint64_t seen;

        model_make(&m);
        pack(&file, &m, (enum packing)how);
        file.n -= file.n / 3;
        counts = read_all(buf_view(&file), WARC_FORMAT_WARC, &seen);
        CHECK((seen & (seen + 1)) == 0); /* 0..k, none left out */
        CHECK(seen > 0 && seen != ALL);
        CHECK(counts.faults_all <= 1);
        CHECK(counts.faults_all == counts.faults[WARC_FAULT_TRUNCATED] +
                                       counts.faults[WARC_FAULT_UNFINISHED]);
        buf_free(&file);
        model_free(&m);
    }
}

#define CUT_HEAD "HTTP/1.1 200 OK\r\n\r\n<p>"

/* What hardly compresses, and more than one block of zstd. */
static void
cut_page(struct buf *block)
{
    buf_c(block, CUT_HEAD);
    for (int i = 0; i < 500000; i++)
        buf_char(block, (char)('a' + below(26)));
}

static void
of_a_last_record_that_is_cut_off_the_beginning_is_given(void)
{
    for (int how = 0; how < 4; how++) {
        struct buf file = {0}, block = {0}, one = {0};
        struct warc_reading r;
        struct warc_record record;
        bool arc = how == 3;

        cut_page(&block);
        if (arc)
            buf_printf(&file,
                       "http://a.example/0 192.0.2.1 19970417175710 text/html "
                       "1\nx\nhttp://a.example/1 192.0.2.1 19970417175710 "
                       "text/html %zu\n%.*s\n",
                       block.n, STRF(buf_view(&block)));
        for (int i = 0; i < 2 && !arc; i++) {
            buf_clear(&one);
            sample_record(&one, "response", "http://a.example/0",
                          i == 0 ? S("x") : buf_view(&block));
            if (how == 0)
                buf_str(&file, buf_view(&one));
            else if (how == 1)
                sample_gzip(&file, buf_view(&one));
            else
                sample_zstd(&file, buf_view(&one), S(""));
        }
        file.n -= file.n / 3;
        reading_open(&r, buf_view(&file), 4096,
                     arc ? WARC_FORMAT_ARC : WARC_FORMAT_WARC, BLOCK_MAX);
        CHECK(warc_next(r.warc, &record) == ST_OK && !record.unfinished);
        CHECK(warc_next(r.warc, &record) == ST_OK);
        CHECK(record.unfinished && record.cut && record.block_n == block.n);
        CHECK(record.block.n > block.n / 2);
        CHECK(record.block.n < block.n);
        CHECK(str_starts(buf_view(&block), record.block));
        CHECK(!record.decompressed);
        CHECK(record.offset + record.length == file.n);
        CHECK(warc_next(r.warc, &record) == ST_NONE);
        CHECK(warc_counts(r.warc)->faults_all == 1);
        CHECK(warc_counts(r.warc)->faults[WARC_FAULT_UNFINISHED] == 1);
        CHECK(warc_counts(r.warc)->records[WARC_RESPONSE] == 2);
        reading_close(&r);
        buf_free(&file);
        buf_free(&block);
        buf_free(&one);
    }
}

/* A length that lies swallows the rest: nothing of that is the page's. */
static void
a_record_that_swallowed_others_is_not_given(void)
{
    struct buf file = {0};
    struct warc_counts c;
    uint64_t seen;

    buf_c(&file, "WARC/1.0\r\nWARC-Type: response\r\n"
                 "WARC-Target-URI: http://a.example/0\r\n"
                 "Content-Length: 99999999999\r\n\r\nx\r\n\r\n");
    sample_record(&file, "response", "http://a.example/1", S("x"));
    for (size_t i = 0; i < 2 * BLOCK_MAX; i++)
        buf_c(&file, "no record\n");
    c = read_all(buf_view(&file), WARC_FORMAT_WARC, &seen);
    CHECK(seen == 0 && c.faults_all == 1);
    CHECK(c.faults[WARC_FAULT_TRUNCATED] == 1);
    buf_free(&file);
}

/* Four plain records; `middle` stands where record 1 and 2 meet. */
static struct warc_counts
with_middle(const char *middle, size_t n, bool compressed, uint64_t *seen)
{
    struct buf file = {0};
    struct warc_counts counts;

    for (size_t i = 0; i < 4; i++) {
        struct buf one = {0};
        char url[64];

        snprintf(url, sizeof url, "http://a.example/%zu", i);
        sample_record(&one, "response", url, S("HTTP/1.1 200 OK\r\n\r\nx"));
        if (i == 2 && n > 0) {
            if (compressed)
                sample_gzip(&file, str_n(middle, n));
            else
                buf_add(&file, middle, n);
        }
        if (compressed)
            sample_gzip(&file, buf_view(&one));
        else
            buf_str(&file, buf_view(&one));
        buf_free(&one);
    }
    counts = read_all(buf_view(&file), WARC_FORMAT_WARC, seen);
    buf_free(&file);
    return counts;
}

static void
garbage_between_records_is_one_fault(void)
{
    static const struct str kinds[] = {
        STR("some text\nand more\n"), STR("no line end"),
        STR("\x00\xff\x1f\x8b\x08\x00WARC"), STR("WARC/1.0 is a format"),
        STR("\n\n\n<html>\n\n\n")};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int compressed = 0; compressed < 2; compressed++) {
            uint64_t seen;
            struct warc_counts c =
                with_middle(kinds[i].p, kinds[i].n, compressed, &seen);

            CHECK(seen == 15);
            CHECK(c.faults_all == 1);
            CHECK(c.faults[WARC_FAULT_GARBAGE] + c.faults[WARC_FAULT_VERSION] +
                      c.faults[WARC_FAULT_TRUNCATED] ==
                  1);
        }
}

static void
garbage_between_members_is_one_fault(void)
{
    struct buf file = {0}, one = {0};
    struct warc_counts c;
    uint64_t seen;

    sample_record(&one, "response", "http://a.example/0", S("x"));
    sample_gzip(&file, buf_view(&one));
    buf_c(&file, "not a gzip member at all");
    buf_clear(&one);
    sample_record(&one, "response", "http://a.example/1", S("x"));
    sample_gzip(&file, buf_view(&one));
    buf_add(&file, "\0\0\0\1", 4);
    c = read_all(buf_view(&file), WARC_FORMAT_WARC, &seen);
    CHECK(seen == 3 && c.faults_all == 2);
    CHECK(c.faults[WARC_FAULT_GARBAGE] == 2);
    buf_free(&one);
    buf_free(&file);
}

static void
zeros_between_members_are_padding(void)
{
    struct buf file = {0}, one = {0};
    struct warc_counts c;
    uint64_t seen;

    for (int i = 0; i < 3; i++) {
        buf_clear(&one);
        sample_record(&one, "response",
                      i == 1 ? "http://a.example/1" : "http://a.example/0",
                      S("x"));
        sample_gzip(&file, buf_view(&one));
        for (int zeros = 0; zeros < 300 << (10 * (i > 0)); zeros++)
            buf_char(&file, '\0');
    }
    c = read_all(buf_view(&file), WARC_FORMAT_WARC, &seen);
    CHECK(seen == 3 && c.faults_all == 0 && c.records[WARC_RESPONSE] == 3);
    buf_free(&one);
    buf_free(&file);
}

static void
wrong_lengths_are_found_out(void)
{
    static const struct {
        const char *record;
        enum warc_fault fault;
    } kinds[] = {
#define HEAD "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: "
        {HEAD "3\r\n\r\nten bytes.\r\n\r\n", WARC_FAULT_LENGTH},
        {HEAD "13\r\n\r\nten bytes.\r\n\r\n", WARC_FAULT_NONE},
        {HEAD "14\r\n\r\nten bytes.\r\n\r\n", WARC_FAULT_NONE},
        {HEAD "15\r\n\r\nten bytes.\r\n\r\n", WARC_FAULT_LENGTH},
        {HEAD "22\r\n\r\nten bytes.\r\n\r\n", WARC_FAULT_LENGTH},
        {HEAD "90\r\n\r\nten bytes.\r\n\r\n", WARC_FAULT_LENGTH},
        {HEAD "99999999999\r\n\r\nten bytes.\r\n\r\n", WARC_FAULT_TRUNCATED},
        {HEAD "18446744073709551615\r\n\r\nx\r\n\r\n", WARC_FAULT_TRUNCATED},
        {HEAD "18446744073709551616\r\n\r\nx\r\n\r\n", WARC_FAULT_LENGTH},
        {HEAD "-1\r\n\r\nten bytes.\r\n\r\n", WARC_FAULT_LENGTH},
        {HEAD "ten\r\n\r\nten bytes.\r\n\r\n", WARC_FAULT_LENGTH},
        {"WARC/1.0\r\nWARC-Type: response\r\n\r\nten.\r\n\r\n",
         WARC_FAULT_LENGTH},
#undef HEAD
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int compressed = 0; compressed < 2; compressed++) {
            uint64_t seen;
            struct warc_counts c = with_middle(
                kinds[i].record, strlen(kinds[i].record), compressed, &seen);

            CHECK(seen == 15);
            CHECK(c.faults_all == (kinds[i].fault != WARC_FAULT_NONE));
            if (!compressed && kinds[i].fault != WARC_FAULT_NONE)
                CHECK(c.faults[kinds[i].fault] == 1);
        }
}

static void
missing_empty_lines_do_no_harm(void)
{
    static const char *const gaps[] = {"", "\n", "\r\n", "\n\n",
                                       "\r\n\r\n\r\n\r\n"};

    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        struct buf file = {0};
        struct warc_counts c;
        uint64_t seen;

        for (size_t k = 0; k < 4; k++) {
            char url[64];

            snprintf(url, sizeof url, "http://a.example/%zu", k);
            sample_record(&file, "response", url, S("block"));
            file.n -= 4;
            buf_c(&file, gaps[i]);
        }
        c = read_all(buf_view(&file), WARC_FORMAT_WARC, &seen);
        CHECK(seen == 15 && c.faults_all == 0);
        buf_free(&file);
    }
}

static void
a_header_without_its_empty_line_is_rejected_alone(void)
{
    const char *head = "WARC/1.0\r\nWARC-Type: response\r\n"
                       "Content-Length: 0\r\n";
    uint64_t seen;
    struct warc_counts c = with_middle(head, strlen(head), false, &seen);

    CHECK(seen == 15);
    CHECK(c.faults_all == 1 && c.faults[WARC_FAULT_HEADER] == 1);
}

static void
huge_headers_are_rejected(void)
{
    for (int kind = 0; kind < 3; kind++) {
        struct buf head = {0};
        struct warc_counts c;
        uint64_t seen;

        buf_c(&head,
              "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n");
        for (int i = 0; i < 100000; i++)
            buf_c(&head, kind == 0   ? "x"        /* one line of 100 kB */
                         : kind == 1 ? "X: y\r\n" /* too many fields */
                                     : "X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n");
        buf_c(&head, "\r\n\r\n\r\n\r\n");
        c = with_middle(head.p, head.n, false, &seen);
        CHECK(seen == 15);
        CHECK(c.faults_all == 1 && c.faults[WARC_FAULT_HEADER] == 1);
        buf_free(&head);
    }
}

static void
versions_that_are_not_known_are_rejected(void)
{
    static const char *const versions[] = {"0.17", "0.18", "1.0",   "1.1",
                                           "0.9",  "2.0",  "1.0.0", ""};

    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        char record[128];
        uint64_t seen;
        struct warc_counts c;

        snprintf(record, sizeof record,
                 "WARC/%s\r\nWARC-Type: response\r\n"
                 "Content-Length: 4\r\n\r\nabcd\r\n\r\n",
                 versions[i]);
        c = with_middle(record, strlen(record), false, &seen);
        CHECK(seen == 15);
        CHECK(c.faults_all == (i > 3));
        CHECK(c.faults[WARC_FAULT_VERSION] == (i > 3));
    }
}

static void
a_bomb_is_given_up_and_the_next_record_read(void)
{
    size_t n = (size_t)300 << 20;
    char *zeros = calloc(n, 1);
    struct buf file = {0}, head = {0}, one = {0};
    struct warc_counts c;
    uint64_t seen;

    buf_printf(&head,
               "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %zu\r\n\r\n",
               n * 10);
    CHECK(zeros != NULL);
    if (zeros != NULL) {
        memcpy(zeros, head.p, head.n);
        sample_zstd(&file, str_n(zeros, n), S(""));
    }
    sample_record(&one, "response", "http://a.example/1", S("x"));
    sample_zstd(&file, buf_view(&one), S(""));
    c = read_all(buf_view(&file), WARC_FORMAT_WARC, &seen);
    CHECK(seen == 2);
    CHECK(c.faults_all == 1 && c.faults[WARC_FAULT_BOMB] == 1);
    free(zeros);
    buf_free(&file);
    buf_free(&head);
    buf_free(&one);
}

/* Each of many records claims all that follows: without a bound on what is put
 * back this would be quadratic. */
static void
lies_about_length_do_not_make_reading_quadratic(void)
{
    struct buf file = {0};
    struct warc_counts c;
    uint64_t seen;

    for (int i = 0; i < 10000; i++)
        buf_c(&file, "WARC/1.0\r\nWARC-Type: response\r\n"
                     "Content-Length: 1000000000\r\n\r\nx\r\n\r\n");
    c = read_all(buf_view(&file), WARC_FORMAT_WARC, &seen);
    CHECK(c.faults_all > 10 && c.faults_all <= 10000);
    buf_free(&file);
}

static void
arc_faults_cost_one_record(void)
{
    static const char *const bad[] = {
        "http://a.example/0 192.0.2.1 19970417175710 text/html -1\n\n",
        "http://a.example/0 192.0.2.1 19970417175710 text/html abc\nx\n",
        "http://a.example/0 192.0.2.1 19970417175710 text/html 3\n<p>long\n",
        "http://a.example/0 192.0.2.1 19970417175710 text/html 30\n<p>short\n",
        "http://a.example/0 192.0.2.1 19970417175710 text/html 9999\n<p>sho\n",
        "garbage\nin two lines\n",
        "http://a.example/0 nowhere yesterday text/html 4\n<p>x\n"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct buf file = {0};
        struct warc_counts c;
        uint64_t seen;

        buf_c(&file, arc_sample);
        buf_c(&file, bad[i]);
        buf_c(&file, strstr(arc_sample, "http://a.example/3"));
        c = read_all(buf_view(&file), WARC_FORMAT_ARC, &seen);
        CHECK(seen == 63);
        CHECK(c.faults_all == 1);
        CHECK(c.records[WARC_RESPONSE] == 8);
        buf_free(&file);
    }
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_damaged_member_costs_one_record),
        TEST(a_member_that_is_cut_off_costs_one_record),
        TEST(a_file_that_is_cut_off_gives_what_came_before),
        TEST(of_a_last_record_that_is_cut_off_the_beginning_is_given),
        TEST(a_record_that_swallowed_others_is_not_given),
        TEST(garbage_between_records_is_one_fault),
        TEST(garbage_between_members_is_one_fault),
        TEST(zeros_between_members_are_padding),
        TEST(wrong_lengths_are_found_out),
        TEST(missing_empty_lines_do_no_harm),
        TEST(a_header_without_its_empty_line_is_rejected_alone),
        TEST(huge_headers_are_rejected),
        TEST(versions_that_are_not_known_are_rejected),
        TEST(a_bomb_is_given_up_and_the_next_record_read),
        TEST(lies_about_length_do_not_make_reading_quadratic),
        TEST(arc_faults_cost_one_record),
        {0},
    };

    log_threshold = LOG_ERROR;
    rng = random_seed(19960410);
    return test_main(table, argc, argv);
}
