/* What is written is read again, place by place: after splits, after a crash
 * anywhere (a file cut off at every kind of point), after a full disk. */
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/log.h"
#include "base/random.h"
#include "base/warc/digest.h"
#include "clean/archive/source.h"
#include "clean/archive/warc_write.h"
#include "folder.h"

#define NOW 1700000000000
#define N 50

static struct random rng;

struct kept {
    char file[128];
    uint64_t offset, length;
    char url[64];
    struct buf body;
};

static struct kept kept[N];

static struct warc_write_options
options(const char *name)
{
    return (struct warc_write_options){.folder = in_folder(name),
                                       .prefix = "test",
                                       .file_max = 20000,
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
    st = warc_write_put(w, &x, NOW, &place);
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

    snprintf(path, sizeof path, "%.*s.cdxj", (int)(strlen(warc) - 8), warc);
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
        CHECK(str_ends(str_c(e->d_name), S(".warc.gz")));
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

        if (!str_ends(str_c(e->d_name), S(".warc.gz")))
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
    struct warc_write_options o = options("split");
    struct warc_write *w;
    size_t pages, records, files;

    CHECK(warc_write_open(&w, &o) == ST_OK);
    put_all(w);
    CHECK(warc_write_close(w) == ST_OK);
    read_folder("split", &pages, &records, &files);
    CHECK(pages == N && files > 2 && records == 2 * N + files);
    check_split_sizes("split", o.file_max);
}

static void
the_next_run_begins_files_of_its_own(void)
{
    struct warc_write_options o = options("split");
    struct warc_write *w;
    struct kept k = {0};
    char path[300];
    size_t before, after;
    size_t pages, records;

    read_folder("split", &pages, &records, &before);
    CHECK(warc_write_open(&w, &o) == ST_OK);
    CHECK(put(w, &k, N) == ST_OK);
    CHECK(warc_write_close(w) == ST_OK);
    buf_free(&k.body);
    snprintf(path, sizeof path, "%s/split/%s", folder, k.file);
    CHECK(unlink(path) == 0);
    memcpy(path + strlen(path) - 8, ".cdxj", 6);
    CHECK(unlink(path) == 0);
    read_folder("split", &pages, &records, &after);
    CHECK(pages == N && before == after);
}

/* A process that is killed leaves NAME.open, cut off anywhere. */
static void
a_crash_loses_nothing_that_was_whole(void)
{
    for (int turn = 0; turn < 30; turn++) {
        struct warc_write_options o;
        struct warc_write *w;
        char name[32], path[300], open_path[320];
        size_t pages, records, files;
        uint64_t cut;
        int whole = 0;
        struct stat sb;

        snprintf(name, sizeof name, "crash%d", turn);
        o = options(name);
        o.file_max = UINT64_MAX;
        CHECK(warc_write_open(&w, &o) == ST_OK);
        put_all(w);
        CHECK(warc_write_close(w) == ST_OK);
        snprintf(path, sizeof path, "%s/%s/%s", folder, name, kept[0].file);
        snprintf(open_path, sizeof open_path, "%s.open", path);
        CHECK(stat(path, &sb) == 0);
        cut = random_below(&rng, (uint64_t)sb.st_size + 1);
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
    struct warc_write_options o = options("full");
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
    read_folder("full", &pages, &records, &files);
    CHECK(pages == N && files == 1);
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
