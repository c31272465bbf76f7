/* WACZ files as input: their archives are read one behind the other, records
 * are found again in the file, and what cannot be read so is refused. */
#include "base/log.h"
#include "clean/archive/source.h"
#include "clean/archive/zip_list.h"
#include "clean/archive/zip_write.h"
#include "folder.h"
#include "warc_samples.h"
#include "zip_make.h"

#include <fcntl.h>

/* Two pages of that letter, compressed or not. */
static void
add_archive(struct buf *out, char letter, bool compressed)
{
    for (int i = 0; i < 2; i++) {
        struct buf record = {0};
        char url[] = "http://a.example/x0";

        url[17] = letter;
        url[18] = (char)('0' + i);
        sample_record(&record, "response", url,
                      S("HTTP/1.1 200 OK\r\n\r\n<p>Een molen"));
        if (compressed)
            sample_gzip(out, buf_view(&record));
        else
            buf_str(out, buf_view(&record));
        buf_free(&record);
    }
}

static void
put_wacz(const char *name, bool compressed)
{
    const char *ending = compressed ? ".gz" : "";
    struct zip_write *z;
    struct zip_member m;
    char member[64];

    CHECK(zip_write_open(&z, in_folder(name)) == ST_OK);
    CHECK(zip_write_bytes(z, "pages/pages.jsonl", S("{}\n"), &m) == ST_OK);
    for (char letter = 'a'; letter <= 'c'; letter++) {
        struct buf bytes = {0};

        if (letter != 'b') /* an empty one is none */
            add_archive(&bytes, letter, compressed);
        snprintf(member, sizeof member, "archive/%c.warc%s", 'z' - letter + 'a',
                 ending);
        CHECK(zip_write_bytes(z, member, buf_view(&bytes), &m) == ST_OK);
        buf_free(&bytes);
    }
    CHECK(zip_write_bytes(z, "datapackage.json", S("{}"), &m) == ST_OK);
    CHECK(zip_write_close(z, true) == ST_OK);
}

/* The record that stands there in the file begins as one does. */
static bool
stands_there(struct str file, const struct source_page *p, bool compressed)
{
    struct str there = str_sub(file, p->offset, p->offset + p->length);
    struct warc_reading r;
    struct warc_record one;
    bool found;

    CHECK(there.n == p->length &&
          compressed == str_starts(there, S("\x1f\x8b")));
    reading_open(&r, there, 4096, WARC_FORMAT_WARC, 4096);
    found = warc_next(r.warc, &one) == ST_OK && str_eq(one.url, p->url);
    reading_close(&r);
    return found;
}

static void
archives_are_read_one_behind_the_other(void)
{
    static const char *const wanted[] = {
        "http://a.example/a0", "http://a.example/a1", "http://a.example/c0",
        "http://a.example/c1"};
    struct arena *a = arena_new();

    for (int compressed = 0; compressed < 2; compressed++) {
        struct source *s = NULL;
        struct source_page p;
        struct buf file = {0};
        size_t n = 0;

        put_wacz("crawl.wacz", compressed);
        CHECK(file_read(&file, in_folder("crawl.wacz"), SIZE_MAX) == ST_OK);
        CHECK(source_open(&s, in_folder("crawl.wacz"), 1 << 20) == ST_OK);
        if (s == NULL)
            break;
        for (; source_next(s, a, &p) == ST_OK && n < 4; n++) {
            CHECK(str_eq(p.url, str_c(wanted[n])));
            CHECK(stands_there(buf_view(&file), &p, compressed));
        }
        CHECK(n == 4 && source_counts(s)->faults_all == 0);
        source_close(s);
        buf_free(&file);
    }
    arena_free(a);
}

static enum status
opened(const char *name)
{
    struct source *s = NULL;
    enum status st = source_open(&s, in_folder(name), 1 << 20);

    source_close(s);
    return st;
}

static void
put_zip(const char *name, const struct zip_file_text *files)
{
    struct str zip = zip_make(files);

    folder_put(name, zip);
    free((void *)(uintptr_t)zip.p);
}

static void
what_cannot_be_read_is_refused(void)
{
    struct buf file = {0};
    char long_text[4000];

    memset(long_text, 'a', sizeof long_text);
    put_zip("packed.wacz",
            (const struct zip_file_text[]){
                {"archive/a.warc", str_n(long_text, sizeof long_text)}, {0}});
    CHECK(opened("packed.wacz") == ST_INVALID);
    put_zip("none.wacz",
            (const struct zip_file_text[]){{"mimetype", S("a.warc.gz")}, {0}});
    CHECK(opened("none.wacz") == ST_INVALID);
    put_wacz("cut.wacz", true);
    CHECK(file_read(&file, in_folder("cut.wacz"), SIZE_MAX) == ST_OK);
    for (size_t n = 4; n < file.n; n += 7) {
        folder_put("cut.wacz", str_sub(buf_view(&file), 0, n));
        CHECK(opened("cut.wacz") == ST_INVALID);
    }
    buf_free(&file);
}

/* ---- the directory ---- */

static void
little(struct buf *b, uint64_t value, int n)
{
    for (; n-- > 0; value >>= 8)
        buf_char(b, (char)(value & 0xff));
}

/* One member of four bytes, with what a file of 4 GiB and more has in its
 * directory; `stated` is where the member is said to begin. */
static void
put_64(const char *name, uint64_t stated)
{
    struct buf b = {0};
    uint64_t directory, end;

    buf_c(&b, "PK\x03\x04");
    little(&b, 0, 22);
    little(&b, 1, 2); /* name */
    little(&b, 5, 2); /* extra: not that of the directory */
    buf_c(&b, "n12345TEXT");
    directory = b.n;
    buf_c(&b, "PK\x01\x02");
    little(&b, 0, 16);
    little(&b, 0xffffffff, 4);
    little(&b, 0xffffffff, 4);
    little(&b, 1, 2);
    little(&b, 5 + 28, 2);
    little(&b, 0, 10);
    little(&b, 0xffffffff, 4);
    buf_c(&b, "n");
    little(&b, 7, 2); /* an extra of another kind */
    little(&b, 1, 2);
    little(&b, 0, 1);
    little(&b, 1, 2);
    little(&b, 24, 2);
    little(&b, 4, 8);
    little(&b, 4, 8);
    little(&b, stated, 8);
    end = b.n;
    buf_c(&b, "PK\x06\x06");
    little(&b, 44, 8);
    little(&b, 0, 12);
    little(&b, 1, 8);
    little(&b, 1, 8);
    little(&b, end - directory, 8);
    little(&b, directory, 8);
    buf_c(&b, "PK\x06\x07");
    little(&b, 0, 4);
    little(&b, end, 8);
    little(&b, 1, 4);
    buf_c(&b, "PK\x05\x06");
    little(&b, 0, 4);
    little(&b, 0xffff, 2);
    little(&b, 0xffff, 2);
    little(&b, 0xffffffff, 4);
    little(&b, 0xffffffff, 4);
    little(&b, 3, 2);
    buf_c(&b, "say");
    folder_put(name, buf_view(&b));
    buf_free(&b);
}

static void
directories_of_64_bits_are_read(void)
{
    struct arena *a = arena_new();
    struct zip_list list;
    int fd;

    put_64("wide.zip", 0);
    fd = open(in_folder("wide.zip"), O_RDONLY);
    CHECK(zip_list_read(&list, fd, a) == ST_OK && list.n == 1);
    CHECK(str_eq(list.member[0].name, S("n")) && list.member[0].stored);
    CHECK(list.member[0].at == 36 && list.member[0].n == 4);
    close(fd);
    put_64("far.zip", UINT64_MAX - 20);
    fd = open(in_folder("far.zip"), O_RDONLY);
    CHECK(zip_list_read(&list, fd, a) == ST_INVALID);
    close(fd);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(archives_are_read_one_behind_the_other),
        TEST(what_cannot_be_read_is_refused),
        TEST(directories_of_64_bits_are_read),
        {0},
    };

    return folder_main(table, argc, argv);
}
