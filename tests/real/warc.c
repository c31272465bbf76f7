/* Every archive of other tools' test suites, against the counts in their
 * manifest.
 *
 * Valid files must give exactly the stated records and no fault, broken ones
 * must account for each of them as a record or a fault; where we differ the
 * table below says why.  Each record is then read again by itself, from nothing
 * but its offset and length.  Last, texrex's 60 pages must all come out.
 *
 * Data: $WINNOW_DATA/warc or ~/.cache/winnow-data/warc, and texrex-golden
 * beside it (../shared/data/unpack.sh warc texrex-golden).  77: not there. */
#include <unistd.h>

#include "../test.h"
#include "../unit/warc_samples.h"
#include "base/file.h"
#include "base/log.h"
#include "clean/archive/source.h"

static const struct exception {
    const char *file;
    uint64_t records, faults;
    const char *why;
} exceptions[] = {
    {"netarchivesuite+jwat/1-1-20110922131213-00000-svc-VirtualBox.arc", 102, 0,
     "the manifest counts lines and misses those behind binary data"},
    {"netarchivesuite+jwat/test-arc-1.0-dashed-fields.arc", 1, 1,
     "line ends were converted, the length is that before"},
    {"webrecorder+warcio/example-space-in-url.arc", 2, 1,
     "line ends were converted, the length is that before: cut, it seems"},
    {"netarchivesuite+jwat/valid-warcfile-upper-lower-case.warc", 3, 2,
     "blocks go on after their Content-Length"},
    {"richardlehane+webarchive/valid-warcfile-upper-lower-case.warc", 3, 2,
     "the same file"},
    {"webrecorder+pywb/example.warc", 5, 1,
     "a request was edited, its Content-Length was not"},
    {"iipc+webarchive-commons/"
     "IAH-20080430204825-00000-blackbook-truncated.arc",
     9, 0, "cut off between two records; the manifest misses some lines"},
    {"archivesunleashed+aut/badexample.arc.gz", 4, 3,
     "a date that is none, two records that are cut off, the last one too"},
    {"webrecorder+warcio.js/example-bad-length.warc", 5, 1, "as it is called"},
    {"webrecorder+warcio/example-trunc.warc", 3, 1, "as it is called"},
    {"webrecorder+warcio/bad.arc", 2, 2, "lengths -1 and abc"},
    {"netarchivesuite+jwat/invalid-warcfile-record-then-garbage.warc", 1, 1,
     "as it is called"},
    {"netarchivesuite+jwat/invalid-arcfile-record-then-garbage.arc", 1, 1,
     "as it is called"},
    {"richardlehane+webarchive/invalid-warcrecord-3.warc", 4, 3,
     "every second record is too short or too long; the last one is read"},
};

struct warc_row {
    struct str file, class, container;
    uint64_t records; /* as stated */
};

static char folder[1024];
static size_t rows_n; /* files looked at */

static const char *
path_of(struct str file)
{
    static char path[2048];

    snprintf(path, sizeof path, "%s/%.*s", folder, STRF(file));
    return path;
}

/* The number after `key` in "members=3 warc_records~3 arc_records~0". */
static uint64_t
count_of(struct str counts, struct str key)
{
    struct str word;
    uint64_t n;

    while (str_word(&counts, &word))
        if (str_starts(word, key) && str_u64(str_sub(word, key.n, word.n), &n))
            return n;
    return 0;
}

static void
check_again(struct str file, enum warc_format format,
            const struct warc_record *r)
{
    struct warc_reading again;
    struct warc_record copy = {0};

    CHECK(r->offset + r->length <= file.n);
    reading_open(&again, str_sub(file, r->offset, r->offset + r->length),
                 SIZE_MAX, format, SIZE_MAX);
    CHECK(warc_next(again.warc, &copy) == ST_OK);
    CHECK(str_eq(copy.url, r->url) && str_eq(copy.block, r->block));
    CHECK(warc_next(again.warc, &copy) == ST_NONE);
    reading_close(&again);
}

static void
expect(const struct warc_row *row, uint64_t records, uint64_t faults)
{
    uint64_t want = row->records, want_faults = 0;
    bool broken = str_eq(row->class, S("broken"));
    int before = test_failed;

    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (str_eq(row->file, str_c(exceptions[i].file))) {
            want = exceptions[i].records;
            want_faults = exceptions[i].faults;
            broken = false;
        }
    if (broken)
        CHECK(records <= want && records + faults >= want);
    else
        CHECK(records == want && faults == want_faults);
    if (test_failed > before)
        fprintf(stderr, "  %.*s: %llu records, %llu faults; want %llu, %llu\n",
                STRF(row->file), (unsigned long long)records,
                (unsigned long long)faults, (unsigned long long)want,
                (unsigned long long)want_faults);
}

/* A WACZ file is opened when it is whole; what others pack must be unpacked. */
static void
check_packed(const struct warc_row *row, const char *path)
{
    bool wacz =
        str_eq(row->container, S("zip")) && str_eq(row->class, S("valid"));
    struct source *source;

    CHECK(source_open(&source, path, 4096) == (wacz ? ST_OK : ST_INVALID));
    if (!wacz)
        return;
    CHECK(source_format(source) == WARC_FORMAT_WARC);
    source_close(source);
}

static void
check_row(const struct warc_row *row)
{
    const char *path = path_of(row->file);
    struct buf file = {0};
    struct source *source;
    struct warc_record record;
    struct warc_reading r;
    enum warc_format format;
    uint64_t records = 0;

    if (access(path, R_OK) != 0)
        return; /* the large ones are listed but were not packed */
    rows_n++;
    if (str_eq(row->container, S("zip")) || str_eq(row->container, S("lz4"))) {
        check_packed(row, path);
        return;
    }
    CHECK(file_read(&file, path, SIZE_MAX) == ST_OK);
    CHECK(source_open(&source, path, 4096) == ST_OK);
    format = source_format(source);
    source_close(source);
    CHECK(format != WARC_FORMAT_NONE);
    for (size_t piece = 1; piece < 100000; piece *= 99) {
        records = 0;
        reading_open(&r, buf_view(&file), piece, format, SIZE_MAX);
        for (; warc_next(r.warc, &record) == ST_OK; records++)
            if (!record.decompressed && !record.unfinished && piece > 1)
                check_again(buf_view(&file), format, &record);
        expect(row, records, warc_counts(r.warc)->faults_all);
        reading_close(&r);
    }
    buf_free(&file);
}

static void
every_file_gives_what_its_manifest_says(void)
{
    struct buf manifest = {0};
    struct str rest, line, cell[7];

    CHECK(file_read(&manifest, path_of(S("manifest.tsv")), SIZE_MAX) == ST_OK);
    rest = buf_view(&manifest);
    str_cut(&rest, '\n', &line); /* the names of the columns */
    while (str_cut(&rest, '\n', &line)) {
        struct warc_row row;

        for (size_t i = 0; i < 7; i++)
            if (!str_cut(&line, '\t', &cell[i]))
                cell[i] = S("");
        row.file = cell[0];
        row.class = cell[4];
        row.container = cell[5];
        row.records = count_of(cell[6], S("warc_records~")) +
                      count_of(cell[6], S("arc_records~"));
        check_row(&row);
    }
    CHECK(rows_n >= 172);
    buf_free(&manifest);
}

static void
all_pages_of_texrex_come_out(void)
{
    const char *path = path_of(S("../texrex-golden/small.warc"));
    struct arena *a = arena_new();
    struct source *s;
    struct source_page p;
    size_t pages = 0;

    if (source_open(&s, path, (size_t)64 << 20) != ST_OK) {
        printf("     (not there: %s)\n", path);
        arena_free(a);
        return;
    }
    for (; source_next(s, a, &p) == ST_OK; pages++) {
        CHECK(p.status == 200 && !p.cut && p.body.n > 1000);
        CHECK(str_eq(p.content_type, S("text/html")));
        CHECK(p.date_ms == 1704067200000);
        arena_reset(a);
    }
    CHECK(pages == 60);
    CHECK(source_counts(s)->faults_all == 0);
    source_close(s);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(every_file_gives_what_its_manifest_says),
        TEST(all_pages_of_texrex_come_out),
        {0},
    };
    const char *home = getenv("HOME"), *given = getenv("WINNOW_DATA");

    if (given != NULL)
        snprintf(folder, sizeof folder, "%s/warc", given);
    else
        snprintf(folder, sizeof folder, "%s/.cache/winnow-data/warc",
                 home ? home : "");
    log_threshold = LOG_ERROR;
    if (access(path_of(S("manifest.tsv")), R_OK) == 0)
        return test_main(table, argc, argv);
    printf("skipped: %s is not there\n", path_of(S("manifest.tsv")));
    return 77;
}
