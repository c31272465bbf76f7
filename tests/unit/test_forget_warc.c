/* A host leaves WARC files: what is left is byte for byte as it was, but for
 * revisits of its pages, which get the payload; indexes lead to every capture;
 * from files in gzip and in zstd, after kills, and not from damaged ones. */
#include <fcntl.h>

#include "base/log.h"
#include "base/random.h"
#include "base/warc/digest.h"
#include "clean/archive/source.h"
#include "clean/archive/warc_folder.h"
#include "clean/archive/warc_members.h"
#include "crawler/forget/forget_warc.h"
#include "folder.h"
#include "warc_put.h"

#define NOW 1700000000000
#define N 90 /* captures: a third of each host */
#define FILE_MAX 20000

static struct random rng;
static enum warc_form form;
static const char *const host[] = {"away.example", "b.example", "c.example"};
static struct buf body[N];
static char url[N][64], file[N][512]; /* with the folder in front */
static struct pattern_set patterns;
static char dir[300]; /* of a case */
static struct arena *arena;

/* What capture i is: of each host responses, and of the others revisits of
 * pages of the first one, before them and behind, and what is 304 since. */
static bool
is_revisit(int i)
{
    return i % 3 == 1 && i % 2 == 0;
}

static bool
is_unchanged(int i)
{
    return i % 3 == 2 && i % 4 == 0;
}

static int
revisited(int i)
{
    int of = i % 3 == 1 ? i - 1 : i - 2;

    return i % 9 == 4 && of + 9 < N ? of + 9 : of; /* written later */
}

/* Of its URL: -1 where there is none. */
static int
number_of(struct str of)
{
    int n = of.n == 0 ? -1 : 0;

    for (size_t i = strlen("http://b.example/"); i < of.n; i++)
        if (ascii_digit(of.p[i]))
            n = 10 * n + of.p[i] - '0';
    return n;
}

static struct document_id
id_of(int i)
{
    return document_id_make(S("a document"), (uint64_t)i);
}

static void
put(struct warc_write *w, int i)
{
    static const struct str ok = STR("HTTP/1.1 200 OK\r\nContent-Type: "
                                     "text/html\r\nX-Of: a page\r\n\r\n"),
                            unchanged =
                                STR("HTTP/1.1 304 Not Modified\r\n\r\n");
    int of = revisited(i);
    struct warc_earlier same = {.url = S("http://away.example/"),
                                .date_ms = NOW};
    struct warc_exchange x = {.id = id_of(i),
                              .url = str_c(url[i]),
                              .date_ms = NOW + 1000 * (uint64_t)i,
                              .request = S("GET / HTTP/1.1\r\n\r\n"),
                              .response_head = is_unchanged(i) ? unchanged : ok,
                              .status = is_unchanged(i) ? 304 : 200,
                              .response_body = buf_view(&body[i])};
    struct warc_place place;

    if (is_revisit(i) || is_unchanged(i)) {
        same.id = id_of(of);
        x.same = &same;
    }
    CHECK(warc_put(w, &x, NOW, &place) == ST_OK);
    snprintf(file[i], sizeof file[i], "%s/warc/%.*s", dir, STRF(place.file));
}

static void
make(const char *name)
{
    char warc[400];
    struct warc_write_options o = {.folder = warc,
                                   .prefix = "winnow",
                                   .file_max = FILE_MAX,
                                   .form = form,
                                   .learn_from = 30000,
                                   .digests = true,
                                   .software = S("winnow/test"),
                                   .now_ms = NOW,
                                   .seed = random_u64(&rng)};
    struct warc_write *w;

    snprintf(dir, sizeof dir, "%s/%s%d", folder, name, form);
    snprintf(warc, sizeof warc, "%s/warc", dir);
    CHECK(file_make_folder(dir) == ST_OK);
    for (int i = 0; i < N; i++) {
        snprintf(url[i], sizeof url[i], "http://%s/%d", host[i % 3], i);
        buf_clear(&body[i]);
        for (size_t n = 200 + random_below(&rng, 2000); n > 0; n--)
            buf_char(&body[i], (char)('a' + random_below(&rng, 16)));
    }
    for (int i = 0; i < N; i++)
        if (is_revisit(i)) {
            buf_clear(&body[i]);
            buf_str(&body[i], buf_view(&body[revisited(i)]));
        }
    CHECK(warc_write_open(&w, &o) == ST_OK);
    for (int i = 0; i < N; i++)
        put(w, i);
    CHECK(warc_write_close(w) == ST_OK);
    CHECK(strcmp(file[0], file[N - 1]) != 0);
}

/* ---- what stands there ---- */

struct seen {
    struct buf bytes[N]; /* of the member of a capture */
    enum warc_type type[N];
    bool refers[N];
    size_t requests, files;
};

static void
see(struct seen *s, const char *path)
{
    struct warc_members *m;
    struct warc_record r;
    struct buf all = {0}, lines = {0};

    CHECK(file_read(&all, path, SIZE_MAX) == ST_OK);
    CHECK(file_read(&lines, warc_index_path(path).z, SIZE_MAX) == ST_OK);
    CHECK(warc_members_open(&m, path) == ST_OK);
    while (warc_members_next(m, &r) == ST_OK) {
        char place[100], digest[DIGEST_TEXT_N];
        int i = number_of(r.url);

        s->requests += r.type == WARC_REQUEST;
        if (r.type != WARC_RESPONSE && r.type != WARC_REVISIT)
            continue;
        s->type[i] = r.type;
        CHECK(digest_sha1(buf_view(&body[i]), S(""), digest));
        CHECK(r.type == WARC_REVISIT ||
              str_eq(r.payload_digest, str_c(digest)));
        s->refers[i] = r.refers_to.n + r.refers_to_url.n + r.refers_to_date.n;
        buf_clear(&s->bytes[i]);
        buf_add(&s->bytes[i], all.p + r.offset, r.length);
        snprintf(place, sizeof place, "\"length\":\"%llu\",\"offset\":\"%llu\"",
                 (unsigned long long)r.length, (unsigned long long)r.offset);
        CHECK(str_has(buf_view(&lines), str_c(place)));
    }
    CHECK(!str_has(buf_view(&lines), S("away.example")) || s->files > 1000);
    warc_members_close(m);
    buf_free(&all);
    buf_free(&lines);
}

static void
see_all(struct seen *s, bool before)
{
    *s = (struct seen){.files = before ? 1000 : 0};
    for (int i = 0; i < N; i++)
        if (i == 0 || strcmp(file[i], file[i - 1]) != 0) {
            s->files++;
            see(s, file[i]);
        }
}

static void
free_seen(struct seen *s)
{
    for (int i = 0; i < N; i++)
        buf_free(&s->bytes[i]);
}

/* Bodies, as who reads archives finds them. */
static void
check_bodies(const bool *want)
{
    struct arena *a = arena_new();
    bool found[N] = {false};

    for (int i = 0; i < N; i++) {
        struct source *s;
        struct source_page p;

        if (i > 0 && strcmp(file[i], file[i - 1]) == 0)
            continue;
        CHECK(source_open(&s, file[i], 1 << 20) == ST_OK);
        while (source_next(s, a, &p) == ST_OK) {
            int k = number_of(p.url);
            struct document_id id = id_of(k);

            found[k] = true;
            CHECK(str_eq(p.url, str_c(url[k])));
            CHECK(str_eq(p.body, buf_view(&body[k])));
            CHECK(str_eq(p.content_type, S("text/html")));
            CHECK(document_id_equal(&p.id, &id));
        }
        CHECK(source_counts(s)->faults_all == 0);
        source_close(s);
    }
    for (int i = 0; i < N; i++)
        CHECK(found[i] == want[i]);
    arena_free(a);
}

static enum status
forget(uint64_t *records, uint64_t *files)
{
    struct forget_warc *w;
    enum status st = forget_warc_open(&w, dir, &patterns);

    if (st != ST_OK)
        return st;
    *records = forget_warc_records(w, 0);
    *files = forget_warc_files(w, 0);
    st = forget_warc_run(w);
    forget_warc_close(w);
    return st;
}

static void
check_forgotten(const struct seen *before)
{
    struct seen after;
    bool want[N];

    see_all(&after, false);
    for (int i = 0; i < N; i++) {
        want[i] = i % 3 != 0 && !is_unchanged(i);
        CHECK((after.bytes[i].n > 0) == (i % 3 != 0));
        CHECK(!after.refers[i]);
        if (i % 3 == 0)
            continue;
        CHECK((after.type[i] == WARC_REVISIT) == is_unchanged(i));
        CHECK(str_eq(buf_view(&after.bytes[i]), buf_view(&before->bytes[i])) ==
              !before->refers[i]);
    }
    CHECK(after.requests == N / 3 * 2);
    check_bodies(want);
    free_seen(&after);
}

static void
a_host_goes(void)
{
    struct seen before;
    uint64_t records, files;

    make(__func__);
    see_all(&before, true);
    CHECK(forget(&records, &files) == ST_OK);
    CHECK(records == 2 * N / 3 && files == before.files - 1000);
    check_forgotten(&before);
    CHECK(forget(&records, &files) == ST_OK && records == 0 && files == 0);
    check_forgotten(&before);
    free_seen(&before);
}

/* An index that a kill has taken away, and a file that one left open. */
static void
a_kill_is_made_good(void)
{
    struct seen before;
    uint64_t records, files;
    char open_name[600];

    make(__func__);
    see_all(&before, true);
    CHECK(unlink(warc_index_path(file[0]).z) == 0);
    snprintf(open_name, sizeof open_name, "%s.open", file[N - 1]);
    CHECK(rename(file[N - 1], open_name) == 0);
    CHECK(unlink(warc_index_path(file[N - 1]).z) == 0);
    CHECK(forget(&records, &files) == ST_OK && records == 2 * N / 3);
    check_forgotten(&before);
    CHECK(unlink(warc_index_path(file[0]).z) == 0);
    CHECK(forget(&records, &files) == ST_OK && records == 0);
    check_forgotten(&before);
    free_seen(&before);
}

static void
of_damage_nothing_is_changed(void)
{
    struct seen before, after;
    uint64_t records, files;
    struct stat is;
    char c;
    int fd;

    make(__func__);
    see_all(&before, true);
    CHECK(stat(file[N / 2], &is) == 0);
    fd = open(file[N / 2], O_RDWR);
    CHECK(pread(fd, &c, 1, is.st_size / 2) == 1);
    c ^= 0x55;
    CHECK(pwrite(fd, &c, 1, is.st_size / 2) == 1);
    CHECK(forget(&records, &files) == ST_INVALID);
    c ^= 0x55;
    CHECK(pwrite(fd, &c, 1, is.st_size / 2) == 1);
    close(fd);
    see_all(&after, true);
    for (int i = 0; i < N; i++)
        CHECK(str_eq(buf_view(&after.bytes[i]), buf_view(&before.bytes[i])));
    free_seen(&after);
    free_seen(&before);
}

static void
nothing_is_archived(void)
{
    uint64_t records, files;

    snprintf(dir, sizeof dir, "%s", in_folder("none"));
    CHECK(forget(&records, &files) == ST_NONE);
}

static void
all_of_it_as_zstd(void)
{
    form = WARC_ZSTD;
    a_host_goes();
    a_kill_is_made_good();
    of_damage_nothing_is_changed();
    form = WARC_GZIP;
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_host_goes),
        TEST(a_kill_is_made_good),
        TEST(of_damage_nothing_is_changed),
        TEST(nothing_is_archived),
        TEST(all_of_it_as_zstd),
        {0},
    };
    static const struct str away = STR("away.example");
    int code;

    log_threshold = LOG_ERROR;
    rng = random_seed(7);
    arena = arena_new();
    pattern_set_init(&patterns, arena, &away, 1);
    code = folder_main(table, argc, argv);
    for (int i = 0; i < N; i++)
        buf_free(&body[i]);
    arena_free(arena);
    return code;
}
