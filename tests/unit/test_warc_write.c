/* What is written is read again, place by place: after splits, after a crash
 * anywhere (a file cut off at every kind of point), after a full disk; as gzip
 * and as zstd, without a dictionary and with one. */
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

#include <zstd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/random.h"
#include "base/warc/digest.h"
#include "clean/archive/source.h"
#include "folder.h"
#include "warc_put.h"

#define NOW 1700000000000
#define N 50
#define LEARN_FROM 60000 /* bytes: some forty records */

static struct random rng;
static enum warc_form form; /* of what follows */

static const char *
suffix(void)
{
    return form == WARC_ZSTD ? ".warc.zst" : ".warc.gz";
}

struct kept {
    char file[128];
    uint64_t offset, length;
    char url[64];
    struct buf body;
};

static struct kept kept[N];

/* A folder for each form. */
static const char *
named(const char *name)
{
    static char text[32];

    snprintf(text, sizeof text, "%s%s", name, form == WARC_ZSTD ? "-zstd" : "");
    return text;
}

static struct warc_write_options
options(const char *name)
{
    return (struct warc_write_options){.folder = in_folder(name),
                                       .prefix = "test",
                                       .file_max = 20000,
                                       .form = form,
                                       .digests = true,
                                       .software = S("winnow/test"),
                                       .info = S("operator: a test\r\n"),
                                       .now_ms = NOW,
                                       .seed = random_u64(&rng)};
}

static enum status
put(struct warc_write *w, struct kept *k, int i)
{
    struct warc_exchange x = {
        .id = document_id_make(S("a document"), (uint64_t)i),
        .url = {0},
        .ip = S("192.0.2.7"),
        .date_ms = NOW + 1000 * (uint64_t)i,
        .sitemap_ms = i % 5 == 2 ? NOW - 1000 * (uint64_t)i : 0,
        .request = S("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"),
        .response_head = S("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                           "Last-Modified: yesterday\r\n\r\n"),
        .payload_type = S("text/html"),
        .status = 200,
        .truncated = i % 7 == 3 ? "length" : NULL};
    struct warc_place place;
    enum status st;

    snprintf(k->url, sizeof k->url, "http://a.example/%d", i);
    buf_clear(&k->body);
    for (size_t n = random_below(&rng, 3000); n > 0; n--)
        buf_char(&k->body, (char)random_below(&rng, 256));
    x.url = str_c(k->url);
    x.response_body = buf_view(&k->body);
    st = warc_put(w, &x, NOW, &place);
    if (st != ST_OK)
        return st;
    snprintf(k->file, sizeof k->file, "%.*s", STRF(place.file));
    k->offset = place.offset;
    k->length = place.length;
    return ST_OK;
}

static void
put_all(struct warc_write *w)
{
    for (int i = 0; i < N; i++)
        CHECK(put(w, &kept[i], i) == ST_OK);
}

/* Its index has a line for each page, in order, that says where it is. */
static void
check_index(const char *warc, size_t pages)
{
    char path[512];
    struct buf lines = {0};
    struct str rest, line, before = S("");
    size_t n = 0;

    snprintf(path, sizeof path, "%.*s.cdxj",
             (int)(strlen(warc) - strlen(suffix())), warc);
    CHECK(file_read(&lines, path, 1 << 20) == ST_OK);
    buf_char(&lines, '\0'); /* for sscanf() */
    rest = str_sub(buf_view(&lines), 0, lines.n - 1);
    while (str_cut(&rest, '\n', &line)) {
        int i = -1;
        char want[300];

        CHECK(str_cmp(before, line) < 0);
        CHECK(str_starts(line, S("example,a)/")));
        (void)sscanf(line.p, "example,a)/%d ", &i);
        before = line;
        n++;
        if (i < 0 || i >= N)
            continue;
        snprintf(want, sizeof want,
                 "\"length\":\"%llu\",\"offset\":\"%llu\",\"filename\":\"%s\"}",
                 (unsigned long long)kept[i].length,
                 (unsigned long long)kept[i].offset, kept[i].file);
        CHECK(str_ends(line, str_c(want)));
        CHECK(memmem(line.p, line.n, "\"status\":\"200\"", 14) != NULL);
    }
    CHECK(n == pages);
    buf_free(&lines);
}

/* Read every file of a folder; *pages: how many, *wrong: not as they were
 * put. */
static void
read_folder(const char *name, size_t *pages, size_t *records, size_t *files)
{
    char path[512];
    DIR *d;
    struct dirent *e;
    struct arena *a = arena_new();

    *pages = *records = *files = 0;
    d = opendir(in_folder(name));
    CHECK(d != NULL);
    while (d != NULL && (e = readdir(d)) != NULL) {
        struct source *s;
        struct source_page p;
        size_t before = *pages;

        if (e->d_name[0] == '.' || str_ends(str_c(e->d_name), S(".cdxj")))
            continue;
        CHECK(str_ends(str_c(e->d_name), str_c(suffix())));
        snprintf(path, sizeof path, "%s/%s/%s", folder, name, e->d_name);
        CHECK(source_open(&s, path, 1 << 20) == ST_OK);
        while (source_next(s, a, &p) == ST_OK) {
            int i = atoi(strrchr(p.url.p, '/') + 1);
            struct kept *k = &kept[i];
            struct document_id made;

            CHECK(str_eq(p.url, str_c(k->url)));
            CHECK(str_eq(p.body, buf_view(&k->body)));
            CHECK(strcmp(k->file, e->d_name) == 0);
            CHECK(p.offset == k->offset && p.length == k->length);
            made = document_id_make(S("a document"), (uint64_t)i);
            CHECK(document_id_equal(&p.id, &made));
            CHECK(!p.decompressed && p.cut == (i % 7 == 3));
            CHECK(p.status == 200 && str_eq(p.ip, S("192.0.2.7")));
            CHECK(str_eq(p.content_type, S("text/html")));
            CHECK(str_eq(p.last_modified, S("yesterday")));
            CHECK(p.date_ms == NOW + 1000 * (uint64_t)i);
            CHECK(p.sitemap_ms == (i % 5 == 2 ? NOW - 1000 * (uint64_t)i : 0));
            ++*pages;
        }
        CHECK(source_counts(s)->faults_all == 0);
        CHECK(source_counts(s)->records[WARC_WARCINFO] == 1);
        for (int t = 0; t < WARC_TYPE_N; t++)
            *records += source_counts(s)->records[t];
        source_close(s);
        check_index(path, *pages - before);
        ++*files;
    }
    closedir(d);
    arena_free(a);
}

/* A file ends once it has file_max bytes: all but the last have them, and none
 * has a whole page more. */
static void
check_split_sizes(const char *name, uint64_t file_max)
{
    DIR *d = opendir(in_folder(name));
    struct dirent *e;
    size_t small = 0;

    while (d != NULL && (e = readdir(d)) != NULL) {
        struct stat sb;

        if (!str_ends(str_c(e->d_name), str_c(suffix())))
            continue;
        CHECK(fstatat(dirfd(d), e->d_name, &sb, 0) == 0);
        small += (uint64_t)sb.st_size < file_max;
        CHECK((uint64_t)sb.st_size < file_max + 5000);
    }
    closedir(d);
    CHECK(small <= 1);
}

static void
what_is_put_is_read_again_from_several_files(void)
{
    struct warc_write_options o = options(named("split"));
    struct warc_write *w;
    size_t pages, records, files;

    CHECK(warc_write_open(&w, &o) == ST_OK);
    put_all(w);
    CHECK(warc_write_close(w) == ST_OK);
    read_folder(named("split"), &pages, &records, &files);
    CHECK(pages == N && files > 2 && records == 2 * N + files);
    check_split_sizes(named("split"), o.file_max);
}

static void
the_next_run_begins_files_of_its_own(void)
{
    struct warc_write_options o = options(named("split"));
    struct warc_write *w;
    struct kept k = {0};
    char path[300];
    size_t before, after;
    size_t pages, records;

    read_folder(named("split"), &pages, &records, &before);
    CHECK(warc_write_open(&w, &o) == ST_OK);
    CHECK(put(w, &k, N) == ST_OK);
    CHECK(warc_write_close(w) == ST_OK);
    buf_free(&k.body);
    snprintf(path, sizeof path, "%s/%s/%s", folder, named("split"), k.file);
    CHECK(unlink(path) == 0);
    memcpy(path + strlen(path) - strlen(suffix()), ".cdxj", 6);
    CHECK(unlink(path) == 0);
    read_folder(named("split"), &pages, &records, &after);
    CHECK(pages == N && before == after);
}

/* A process that is killed leaves NAME.open, cut off anywhere. */
static void
a_crash_loses_nothing_that_was_whole(void)
{
    for (int turn = 0; turn < 30; turn++) {
        struct warc_write_options o;
        struct warc_write *w;
        char name[48], path[300], open_path[320];
        size_t pages, records, files;
        uint64_t cut;
        int whole = 0;
        struct stat sb;

        snprintf(name, sizeof name, "%s%d", named("crash"), turn);
        o = options(name);
        o.file_max = UINT64_MAX;
        CHECK(warc_write_open(&w, &o) == ST_OK);
        put_all(w);
        CHECK(warc_write_close(w) == ST_OK);
        snprintf(path, sizeof path, "%s/%s/%s", folder, name, kept[0].file);
        snprintf(open_path, sizeof open_path, "%s.open", path);
        CHECK(stat(path, &sb) == 0);
        cut = random_below(&rng, (uint64_t)sb.st_size + 1);
        if (turn >= 20) /* in the head of a member, of one page's request */
            cut = kept[turn].offset + kept[turn].length + (uint64_t)turn - 20;
        CHECK(truncate(path, (off_t)cut) == 0 && rename(path, open_path) == 0);
        while (whole < N && kept[whole].offset + kept[whole].length <= cut)
            whole++;
        o = options(name);
        CHECK(warc_write_open(&w, &o) == ST_OK);
        CHECK(warc_write_close(w) == ST_OK);
        read_folder(name, &pages, &records, &files);
        CHECK(pages == (size_t)whole);
        CHECK(files == (cut > 0 && records > 0));
    }
}

static void
a_full_disk_leaves_whole_records(void)
{
    struct warc_write_options o = options(named("full"));
    struct rlimit old, low;
    struct warc_write *w;
    size_t pages, records, files;
    enum status st = ST_OK;
    int put_n = 0, i;

    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    low = old;
    low.rlim_cur = 9000;
    o.file_max = UINT64_MAX;
    CHECK(warc_write_open(&w, &o) == ST_OK);
    CHECK(setrlimit(RLIMIT_FSIZE, &low) == 0);
    while (put_n < N && (st = put(w, &kept[put_n], put_n)) == ST_OK)
        put_n++;
    CHECK(put_n < N && st == ST_FULL);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    for (i = put_n; i < N; i++) /* there is space again */
        CHECK(put(w, &kept[i], i) == ST_OK);
    CHECK(warc_write_close(w) == ST_OK);
    read_folder(named("full"), &pages, &records, &files);
    CHECK(pages == N && files == 1);
}

static void
all_of_it_as_zstd(void)
{
    form = WARC_ZSTD;
    what_is_put_is_read_again_from_several_files();
    the_next_run_begins_files_of_its_own();
    a_crash_loses_nothing_that_was_whole();
    a_full_disk_leaves_whole_records();
    form = WARC_GZIP;
}

/* ---- with a dictionary ---- */

static enum status
put_text(struct warc_write *w, int i, struct warc_place *place)
{
    static const char *const word[] = {"een",  "verhaal", "van",  "toen",
                                       "zij",  "<p>",     "niet", "<div>",
                                       "waar", "</div>"};
    struct buf body = {0};
    char url[64];
    struct warc_exchange x = {
        .url = {0},
        .date_ms = NOW,
        .request = S("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"),
        .response_head = S("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                           "Server: one of many\r\n\r\n"),
        .status = 200};
    enum status st;

    buf_printf(&body, "<html><title>%d</title>", i);
    for (int n = 0; n < 200; n++)
        buf_printf(&body, "%s ", word[random_below(&rng, 10)]);
    snprintf(url, sizeof url, "http://a.example/%d", i);
    x.url = str_c(url);
    x.response_body = buf_view(&body);
    st = warc_put(w, &x, NOW, place);
    buf_free(&body);
    return st;
}

/* Of the frame that a file begins with. */
static size_t
dictionary_length(struct str file)
{
    const unsigned char *p = (const unsigned char *)file.p;

    return file.n < 8 ? 0 : 8u + p[4] + 256u * p[5] + 65536u * p[6];
}

/* As the specification has it: the file begins with a dictionary, and each
 * frame says its size, its checksum and this dictionary. */
static void
check_frames(struct str file, uint64_t at, uint64_t n, bool dictionary)
{
    struct str frame = str_sub(file, at, at + n);
    size_t head = dictionary ? dictionary_length(file) : 0;

    CHECK(frame.n == n && ZSTD_findFrameCompressedSize(frame.p, n) == n);
    CHECK(ZSTD_getFrameContentSize(frame.p, n) < 100000);
    CHECK((frame.p[4] & 4) != 0); /* a checksum */
    CHECK((ZSTD_getDictID_fromFrame(frame.p, n) >= 32768) == dictionary);
    CHECK(str_starts(file, S("\x5d\x2a\x4d\x18")) == dictionary);
    if (dictionary) {
        CHECK(str_starts(str_sub(file, 8, file.n), S("\x28\xb5\x2f\xfd")));
        CHECK(ZSTD_getDictID_fromFrame(file.p + head, file.n - head) ==
              ZSTD_getDictID_fromFrame(frame.p, n));
    }
}

/* Pages of a file; its bytes, for what it begins with. */
static size_t
read_texts(const char *name, const char *file, struct buf *bytes)
{
    char path[512];
    struct source *s;
    struct source_page p;
    struct arena *a = arena_new();
    size_t n = 0;

    snprintf(path, sizeof path, "%s/%s/%s", folder, name, file);
    CHECK(file_read(bytes, path, 1 << 24) == ST_OK);
    CHECK(source_open(&s, path, 1 << 20) == ST_OK);
    while (source_next(s, a, &p) == ST_OK) {
        CHECK(str_starts(p.body, S("<html><title>")) && !p.decompressed);
        check_frames(buf_view(bytes), p.offset, p.length,
                     str_starts(buf_view(bytes), S("\x5d\x2a\x4d\x18")));
        n++;
    }
    CHECK(source_counts(s)->faults_all == 0);
    CHECK(source_counts(s)->records[WARC_WARCINFO] == 1);
    source_close(s);
    arena_free(a);
    return n;
}

static struct warc_write_options
zstd_options(const char *name)
{
    struct warc_write_options o = options(name);

    o.form = WARC_ZSTD;
    o.learn_from = LEARN_FROM;
    o.file_max = UINT64_MAX;
    return o;
}

/* The first records stand in a file without a dictionary, all others in files
 * with that which was learnt from them, those of the next run, too. */
static void
a_dictionary_is_learnt_and_kept(void)
{
    struct warc_write_options o = zstd_options("learnt");
    struct buf bytes[3] = {{0}, {0}, {0}};
    char file[3][128];
    uint64_t packed[2] = {0, 0};
    struct warc_place place;
    struct warc_write *w;
    size_t n[3], files = 0, head;

    for (int run = 0; run < 2; run++) {
        CHECK(warc_write_open(&w, &o) == ST_OK);
        for (int i = 0; i < 100; i++) {
            CHECK(put_text(w, i, &place) == ST_OK);
            if (files == 0 || !str_eq(place.file, str_c(file[files - 1]))) {
                CHECK(files < 3);
                snprintf(file[files++ % 3], sizeof file[0], "%.*s",
                         STRF(place.file));
            }
            if (run == 0 && (i == 0 || i == 99))
                packed[i == 99] = place.length;
        }
        CHECK(warc_write_close(w) == ST_OK);
        o.now_ms += 1000;
    }
    CHECK(files == 3);
    for (size_t i = 0; i < 3; i++)
        n[i] = read_texts("learnt", file[i], &bytes[i]);
    CHECK(n[0] > 10 && n[0] < 60 && n[1] == 100 - n[0] && n[2] == 100);
    CHECK(str_starts(buf_view(&bytes[0]), S("\x28\xb5\x2f\xfd")));
    head = dictionary_length(buf_view(&bytes[1]));
    CHECK(head < bytes[1].n && head < bytes[2].n &&
          memcmp(bytes[1].p, bytes[2].p, head) == 0);
    CHECK(packed[1] < packed[0]);
    for (size_t i = 0; i < 3; i++)
        buf_free(&bytes[i]);
}

/* What was packed before the dictionary was there is packed again. */
static void
what_was_packed_otherwise_is_packed_again(void)
{
    struct warc_write_options o = zstd_options("again");
    struct warc_composer *c = warc_composer_new(1, true);
    struct warc_exchange x = {.url = S("http://a.example/late"),
                              .date_ms = NOW,
                              .response_head = S("HTTP/1.1 200 OK\r\n\r\n"),
                              .response_body = S("<html><title>late"),
                              .status = 200};
    struct warc_place place;
    struct warc_write *w;
    struct buf bytes = {0}, name = {0};

    CHECK(warc_write_open(&w, &o) == ST_OK);
    warc_compose_begin(c);
    warc_compose_exchange(c, &x);
    CHECK(warc_compose_pack(c, warc_write_packing(w)) == ST_OK);
    CHECK(warc_write_packing(w).dictionary == NULL);
    for (int i = 0; warc_write_packing(w).dictionary == NULL && i < 1000; i++)
        CHECK(put_text(w, i, &place) == ST_OK);
    CHECK(warc_write_packing(w).dictionary != NULL);
    CHECK(warc_write_add(w, c, NOW, &place) == ST_OK);
    buf_str(&name, place.file);
    buf_char(&name, '\0');
    CHECK(warc_write_close(w) == ST_OK);
    CHECK(read_texts("again", name.p, &bytes) == 2);
    CHECK(place.offset > 1000); /* behind the dictionary */
    check_frames(buf_view(&bytes), place.offset, place.length, true);
    warc_composer_free(c);
    buf_free(&bytes);
    buf_free(&name);
}

/* Cut off anywhere, also inside the dictionary. */
static void
a_crash_with_a_dictionary(void)
{
    struct warc_write_options o = zstd_options("torn");
    struct buf whole = {0}, bytes = {0}, name = {0};
    uint64_t first, end[60];
    struct warc_place place;
    struct warc_write *w;

    CHECK(warc_write_open(&w, &o) == ST_OK);
    for (int i = 0; warc_write_packing(w).dictionary == NULL && i < 1000; i++)
        CHECK(put_text(w, i, &place) == ST_OK);
    first = place.offset; /* behind the warcinfo */
    end[0] = first + place.length;
    for (int i = 1; i < 60; i++) {
        CHECK(put_text(w, i, &place) == ST_OK);
        end[i] = place.offset + place.length;
    }
    buf_str(&name, place.file);
    buf_char(&name, '\0');
    CHECK(warc_write_close(w) == ST_OK);
    CHECK(read_texts("torn", name.p, &whole) == 60);
    for (int turn = 0; turn < 30; turn++) {
        uint64_t cut = turn < 2 ? 5 + 50 * (uint64_t)turn
                                : random_below(&rng, whole.n + 1);
        char path[300], in[64];
        size_t want = 0;

        snprintf(in, sizeof in, "torn%d", turn);
        CHECK(mkdir(in_folder(in), 0777) == 0);
        snprintf(path, sizeof path, "%s/%s.open", in, name.p);
        folder_put(path, str_n(whole.p, cut));
        while (want < 60 && end[want] <= cut)
            want++;
        o = zstd_options(in);
        CHECK(warc_write_open(&w, &o) == ST_OK);
        CHECK((warc_write_packing(w).dictionary != NULL) == (cut >= first));
        CHECK(warc_write_close(w) == ST_OK);
        snprintf(path, sizeof path, "%s/%s/%s", folder, in, name.p);
        CHECK((access(path, F_OK) == 0) == (cut >= first));
        if (want > 0)
            CHECK(read_texts(in, name.p, &bytes) == want);
    }
    buf_free(&whole);
    buf_free(&bytes);
    buf_free(&name);
}

static void
records_that_make_no_dictionary_are_written_without(void)
{
    struct warc_write_options o = zstd_options("none");
    struct warc_place place;
    struct warc_write *w;
    struct buf bytes = {0}, name = {0};

    o.learn_from = 1; /* one record */
    CHECK(warc_write_open(&w, &o) == ST_OK);
    for (int i = 0; i < 20; i++)
        CHECK(put_text(w, i, &place) == ST_OK);
    CHECK(warc_write_packing(w).dictionary == NULL);
    buf_str(&name, place.file);
    buf_char(&name, '\0');
    CHECK(warc_write_close(w) == ST_OK);
    CHECK(read_texts("none", name.p, &bytes) == 20);
    buf_free(&bytes);
    buf_free(&name);
}

static void
digests_are_those_of_other_tools(void)
{
    char text[DIGEST_TEXT_N];

    CHECK(digest_sha1(S(""), S(""), text));
    CHECK(strcmp(text, "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ") == 0);
    CHECK(digest_sha1(S("ab"), S("c"), text));
    CHECK(strcmp(text, "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5") == 0);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(what_is_put_is_read_again_from_several_files),
        TEST(the_next_run_begins_files_of_its_own),
        TEST(a_crash_loses_nothing_that_was_whole),
        TEST(a_full_disk_leaves_whole_records),
        TEST(all_of_it_as_zstd),
        TEST(a_dictionary_is_learnt_and_kept),
        TEST(what_was_packed_otherwise_is_packed_again),
        TEST(a_crash_with_a_dictionary),
        TEST(records_that_make_no_dictionary_are_written_without),
        TEST(digests_are_those_of_other_tools),
        {0},
    };
    int code;

    log_threshold = LOG_ERROR;
    rng = random_seed(7);
    code = folder_main(table, argc, argv);
    for (int i = 0; i < N; i++)
        buf_free(&kept[i].body);
    return code;
}
