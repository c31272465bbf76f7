/* `winnow clean` over archives as its users call it: one result for each, an
 * index by which every document is found, exit code 3 when records are broken,
 * the same result whatever the number of threads. */
#include <fcntl.h>

#include "base/log.h"
#include "base/options/command.h"
#include "clean/archive/source.h"
#include "folder.h"
#include "warc_samples.h"

extern const struct command command_clean;

#define PAGES 12

static size_t
lines(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static int
clean(const char *const *words)
{
    const char *argv[16] = {"clean"};
    int argc = 1;

    while (*words != NULL)
        argv[argc++] = *words++;
    return command_main(&command_clean, argc, (char **)(void *)argv);
}
#define CLEAN(...) clean((const char *const[]){__VA_ARGS__, NULL})

/* A response whose page says its number, then its request. */
static void
add_page(struct buf *out, int i, bool compressed)
{
    struct buf page = {0}, record = {0};
    char url[64];

    buf_printf(&page,
               "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
               "<!doctype html><html lang=nl><title>Molen %d</title><article>",
               i);
    for (int k = 0; k < 3; k++)
        buf_printf(
            &page,
            "<p>Molen %d aan de rand van het dorp is gebouwd in het begin van "
            "de achttiende eeuw en werd tot kort na de oorlog gebruikt om "
            "graan te malen voor de boeren in de omgeving. Toen de laatste "
            "molenaar stopte, stond het gebouw %d jaren leeg.",
            i, k + 3);
    snprintf(url, sizeof url, "http://a.example/%d", i);
    sample_record(&record, "response", url, buf_view(&page));
    if (compressed)
        sample_gzip(out, buf_view(&record));
    else
        buf_str(out, buf_view(&record));
    buf_clear(&record);
    sample_record(&record, "request", url, S("GET / HTTP/1.1\r\n\r\n"));
    if (compressed)
        sample_gzip(out, buf_view(&record));
    else
        buf_str(out, buf_view(&record));
    buf_free(&record);
    buf_free(&page);
}

static void
add_record(struct buf *out, const char *url, struct str block)
{
    struct buf record = {0};

    sample_record(&record, "response", url, block);
    sample_gzip(out, buf_view(&record));
    buf_free(&record);
}

static void
make_input(void)
{
    struct buf b = {0};

    for (int i = 0; i < PAGES; i++)
        add_page(&b, i, true);
    add_record(&b, "http://a.example/logo.png",
               S("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG"));
    add_record(&b, "http://a.example/gone",
               S("HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n"
                 "<p>gone"));
    folder_put("in/good.warc.gz", buf_view(&b));
    b.n -= 30; /* cut off in the last record */
    add_page(&b, PAGES, true);
    folder_put("broken.warc.gz", buf_view(&b));
    buf_clear(&b);
    for (int i = 0; i < PAGES; i++)
        add_page(&b, i, false);
    folder_put("in/plain", buf_view(&b)); /* known by its content */
    buf_free(&b);
    folder_put("in/empty.warc", S(""));
}

static void
an_archive_gives_one_file_and_other_records_no_complaint(void)
{
    CHECK(CLEAN("--format=jsonl", "-o", in_folder("good.jsonl"),
                in_folder("in/good.warc.gz")) == EXIT_DONE);
    CHECK(lines(folder_text("good.jsonl")) == PAGES);
    for (int i = 0; i < PAGES; i++) {
        char url[64];

        snprintf(url, sizeof url, "\"url\":\"http://a.example/%d\",", i);
        CHECK(strstr(folder_text("good.jsonl"), url) != NULL);
    }
    CHECK(strstr(folder_text("good.jsonl"), "\"warc_offset\":0,") != NULL);
    CHECK(strstr(folder_text("good.jsonl"),
                 "\"timestamp\":\"2024-01-01T00:00:00.000Z\"") != NULL);
}

/* A response whose header was not stored, and one in two segments. */
static void
pages_without_a_header_and_in_segments_are_read(void)
{
    struct buf b = {0}, page = {0};
    struct str whole, head = S("HTTP/1.1 200 OK\r\nContent-Type: "
                               "text/html\r\n\r\n");
    const char *first;

    add_page(&page, 7, false);
    buf_char(&page, '\0');
    whole = str_c(strstr(page.p, "<!doctype"));
    whole.n = str_find(whole, '\r', 0);
    buf_printf(&b,
               "WARC/1.1\r\nWARC-Type: response\r\n"
               "WARC-Target-URI: http://a.example/bare\r\n"
               "WARC-Date: 2024-01-01T00:00:00Z\r\n"
               "Content-Type: application/http; msgtype=response\r\n"
               "Content-Length: %zu\r\n\r\n%.*s\r\n\r\n",
               whole.n, STRF(whole));
    buf_printf(&b,
               "WARC/1.1\r\nWARC-Type: response\r\n"
               "WARC-Target-URI: http://a.example/segment\r\n"
               "WARC-Date: 2024-01-01T00:00:00Z\r\n"
               "WARC-Segment-Number: 1\r\n"
               "Content-Type: application/http; msgtype=response\r\n"
               "Content-Length: %zu\r\n\r\n%.*s%.*s\r\n\r\n",
               head.n + whole.n, STRF(head), STRF(whole));
    folder_put("odd.warc", buf_view(&b));
    CHECK(CLEAN("--format=jsonl", "-o", in_folder("odd.jsonl"),
                in_folder("odd.warc")) == EXIT_DONE);
    CHECK(lines(folder_text("odd.jsonl")) == 2);
    first = folder_text("odd.jsonl");
    CHECK(strstr(first, "a.example/bare") != NULL);
    CHECK(strstr(first, "\"cut\":false") != NULL);
    CHECK(strstr(first, "\"cut\":true") > strstr(first, "a.example/segment"));
    buf_free(&page);
    buf_free(&b);
}

/* A resource has no HTTP header, whatever it begins with. */
static void
a_resource_that_begins_as_http_does_is_whole(void)
{
    static const char text[] = "HTTP/1.1 is what browsers speak\n<p>A page.";
    struct arena *a = arena_new();
    struct buf b = {0};
    struct source *s;
    struct source_page p;

    buf_printf(&b,
               "WARC/1.1\r\nWARC-Type: resource\r\n"
               "WARC-Target-URI: http://a.example/\r\n"
               "Content-Type: text/html\r\n"
               "Content-Length: %zu\r\n\r\n%s\r\n\r\n",
               sizeof text - 1, text);
    folder_put("resource.warc", buf_view(&b));
    CHECK(source_open(&s, in_folder("resource.warc"), 1 << 20) == ST_OK);
    CHECK(source_next(s, a, &p) == ST_OK && str_eq(p.body, str_c(text)));
    CHECK(p.status == 0 && !p.cut && str_eq(p.content_type, S("text/html")));
    source_close(s);
    CHECK(source_open(&s, in_folder("resource.warc"), 8) == ST_OK);
    CHECK(source_next(s, a, &p) == ST_OK && str_eq(p.body, S("HTTP/1.1")));
    CHECK(p.cut);
    source_close(s);
    buf_free(&b);
    arena_free(a);
}

static char *
program(const char *name, struct str text)
{
    folder_put(name, text);
    CHECK(chmod(in_folder(name), 0700) == 0);
    return in_folder(name);
}

/* It reads a page, which is damaged when the program does not end well. */
static void
a_program_reads_a_page_and_may_fail(void)
{
    const char *reads =
        program("reads", S("#!/bin/sh\nshift 2\ntail -c 6 \"$1\"\n"));
    const char *fails = program("fails", S("#!/bin/sh\necho half\nexit 7\n"));
    struct arena *a = arena_new();
    struct source *s;
    struct source_page p;
    int before = open(".", O_RDONLY | O_DIRECTORY);

    folder_put("-page.gz", S("\x1f\x8b<p>A.\n"));
    CHECK(before >= 0 && chdir(in_folder("")) == 0);
    CHECK(source_open_by(&s, "-page.gz", 1 << 20, reads, -1) == ST_OK);
    CHECK(source_next(s, a, &p) == ST_OK && str_eq(p.body, S("<p>A.\n")));
    CHECK(!p.cut && !p.damaged && source_next(s, a, &p) == ST_NONE);
    source_close(s);
    CHECK(source_open_by(&s, "-page.gz", 1 << 20, fails, -1) == ST_OK);
    CHECK(source_next(s, a, &p) == ST_OK && str_eq(p.body, S("half\n")));
    CHECK(p.cut && p.damaged && source_next(s, a, &p) == ST_NONE);
    source_close(s);
    CHECK(source_open_by(&s, "-page.gz", 3, fails, -1) == ST_OK);
    CHECK(source_next(s, a, &p) == ST_OK && p.cut && !p.damaged);
    source_close(s);
    CHECK(fchdir(before) == 0);
    close(before);
    arena_free(a);
}

static void
every_document_is_found_by_the_index(void)
{
    struct str rest, line, cell[6];
    struct arena *a = arena_new();
    size_t n = 0;

    CHECK(CLEAN("--index", in_folder("index.tsv"), "--format=jsonl", "-o",
                in_folder("out.jsonl"),
                in_folder("in/good.warc.gz")) == EXIT_DONE);
    rest = str_c(folder_text("index.tsv"));
    while (str_cut(&rest, '\n', &line)) {
        struct source *s;
        struct source_page p;
        static char part[65536];
        struct document_id id;
        uint64_t offset, length;
        FILE *f;

        n++;
        for (size_t i = 0; i < 6; i++)
            if (!str_cut(&line, '\t', &cell[i]))
                cell[i] = S("");
        id = document_id_make(cell[1], 1704067200000);
        CHECK(str_eq(cell[0], str_c(id.z)) && cell[5].n == 0);
        CHECK(str_u64(cell[3], &offset) && str_u64(cell[4], &length));
        f = fopen(arena_cstr(a, cell[2]), "rb");
        CHECK(f != NULL && length < sizeof part);
        if (f == NULL || length >= sizeof part)
            break;
        CHECK(fseek(f, (long)offset, SEEK_SET) == 0 &&
              fread(part, 1, length, f) == length);
        fclose(f);
        folder_put("part", str_n(part, length));
        CHECK(source_open(&s, in_folder("part"), 1 << 20) == ST_OK);
        CHECK(source_next(s, a, &p) == ST_OK && str_eq(p.url, cell[1]));
        CHECK(source_next(s, a, &p) == ST_NONE);
        source_close(s);
    }
    CHECK(n == PAGES);
    arena_free(a);
}

static void
broken_records_make_the_exit_code_3_and_reading_goes_on(void)
{
    CHECK(CLEAN("--format=jsonl", "-o", in_folder("broken.jsonl"),
                in_folder("broken.warc.gz")) == EXIT_REJECTED);
    CHECK(lines(folder_text("broken.jsonl")) == PAGES + 1);
    CHECK(CLEAN("--all", "--format=jsonl", "-o", in_folder("broken2.jsonl"),
                in_folder("broken.warc.gz")) == EXIT_REJECTED);
}

static void
a_folder_of_archives_is_mirrored(void)
{
    CHECK(CLEAN("--format=jsonl,text", "-o", in_folder("out"),
                in_folder("in")) == EXIT_DONE);
    CHECK(lines(folder_text("out/good.warc.gz.jsonl")) == PAGES);
    CHECK(lines(folder_text("out/plain.jsonl")) == PAGES);
    CHECK(lines(folder_text("out/plain.txt")) == 3 * PAGES);
    CHECK(access(in_folder("out/empty.warc.jsonl"), F_OK) == 0);
}

/* A result has its name when it is whole, so a run that was killed goes on. */
static void
results_that_are_there_are_left_alone(void)
{
    CHECK(CLEAN("--missing", "--format=jsonl,text", "-o", in_folder("go"),
                in_folder("in")) == EXIT_DONE);
    folder_put("go/good.warc.gz.jsonl", S("of the run before\n"));
    CHECK(unlink(in_folder("go/plain.txt")) == 0);
    CHECK(CLEAN("--missing", "--format=jsonl,text", "-o", in_folder("go"),
                in_folder("in")) == EXIT_DONE);
    CHECK(lines(folder_text("go/good.warc.gz.jsonl")) == 1);
    CHECK(lines(folder_text("go/plain.txt")) == 3 * PAGES);
    CHECK(CLEAN("--missing", "--format=jsonl", "--join", "-o", in_folder("x"),
                in_folder("in")) == EXIT_USAGE);
    CHECK(CLEAN("--missing", "--format=jsonl", "--links", in_folder("links"),
                "-o", in_folder("go"), in_folder("in")) == EXIT_USAGE);
    CHECK(CLEAN("--missing", "--set=clean.duplicates=text", "--format=jsonl",
                "-o", in_folder("go"), in_folder("in")) == EXIT_USAGE);
}

static void
threads_do_not_change_the_result(void)
{
    CHECK(CLEAN("--set=clean.threads=1", "--format=jsonl", "--join", "-o",
                in_folder("one"), in_folder("in")) == EXIT_DONE);
    CHECK(CLEAN("--set=clean.threads=7", "--format=jsonl", "--join", "-o",
                in_folder("seven"), in_folder("in")) == EXIT_DONE);
    CHECK(lines(folder_text("one.jsonl")) == 2 * PAGES);
    CHECK(strcmp(folder_text("one.jsonl"), folder_text("seven.jsonl")) == 0);
}

static void
pages_over_the_bound_are_cut_and_marked(void)
{
    struct buf b = {0};

    buf_c(&b, "<!doctype html><html lang=nl><article>");
    while (b.n < 6000)
        buf_c(&b, "<p>Dit is een heel gewone zin die over een dorp gaat.");
    buf_c(&b, "<p>Slotwoord");
    folder_put("long.html", buf_view(&b));
    buf_free(&b);
    CHECK(CLEAN("--set=clean.page_max=4096", "--all", "--format=jsonl", "-o",
                in_folder("long.jsonl"), in_folder("long.html")) == EXIT_DONE);
    CHECK(strstr(folder_text("long.jsonl"), "\"cut\":true") != NULL);
    CHECK(strstr(folder_text("long.jsonl"), "Slotwoord") == NULL);
    CHECK(CLEAN("--all", "--format=jsonl", "-o", in_folder("long.jsonl"),
                in_folder("long.html")) == EXIT_DONE);
    CHECK(strstr(folder_text("long.jsonl"), "\"cut\":false") != NULL);
}

static void
archives_that_must_be_unpacked_are_refused(void)
{
    folder_put("a.wacz", S("PK\x03\x04 and so on"));
    CHECK(CLEAN("-o", in_folder("wacz.txt"), in_folder("a.wacz")) ==
          EXIT_REJECTED);
    CHECK(access(in_folder("wacz.txt"), F_OK) != 0);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(an_archive_gives_one_file_and_other_records_no_complaint),
        TEST(pages_without_a_header_and_in_segments_are_read),
        TEST(a_resource_that_begins_as_http_does_is_whole),
        TEST(a_program_reads_a_page_and_may_fail),
        TEST(every_document_is_found_by_the_index),
        TEST(broken_records_make_the_exit_code_3_and_reading_goes_on),
        TEST(a_folder_of_archives_is_mirrored),
        TEST(results_that_are_there_are_left_alone),
        TEST(threads_do_not_change_the_result),
        TEST(pages_over_the_bound_are_cut_and_marked),
        TEST(archives_that_must_be_unpacked_are_refused),
        {0},
    };
    int code;

    folder_open();
    make_input();
    code = test_main(table, argc, argv);
    folder_close();
    return code;
}
