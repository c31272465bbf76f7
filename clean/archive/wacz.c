/* wacz.c -- see wacz.h.
 *
 * Bounds: the index of all files is in memory, some 300 bytes a capture. */
#include "wacz.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_reader.h"
#include "base/log.h"
#include "base/path.h"
#include "cdxj.h"
#include "zip_write.h"

#define INDEX_MAX ((size_t)64 << 30)

struct wacz {
    struct zip_write *zip;
    struct buf index, pages, resources;
    struct json list; /* into resources */
};

static const char *
base_name(const char *path)
{
    return path_base(str_c(path)).p;
}

static void
resource(struct wacz *w, const char *path, const struct zip_member *m)
{
    char hash[8 + DIGEST_SHA256_N];

    snprintf(hash, sizeof hash, "sha256:%s", m->sha256);
    json_object(&w->list);
    json_kstr(&w->list, "name", str_c(base_name(path)));
    json_kstr(&w->list, "path", str_c(path));
    json_kstr(&w->list, "hash", str_c(hash));
    json_ku64(&w->list, "bytes", m->size);
    json_object_end(&w->list);
}

/* The lines of NAME.cdxj, or those that the file itself gives. */
static enum status
add_index(struct wacz *w, const char *path)
{
    struct buf beside = {0}, lines = {0};
    struct str name = str_c(path);
    enum status st = ST_OK;
    uint64_t end;
    int fd;

    buf_str(&beside, str_sub(name, 0, name.n - (sizeof ".warc.gz" - 1)));
    buf_c(&beside, ".cdxj");
    buf_char(&beside, '\0');
    if (str_ends(name, S(".warc.gz")) &&
        file_read(&lines, beside.p, INDEX_MAX) == ST_OK) {
        buf_str(&w->index, buf_view(&lines));
    } else if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0) {
        log_error("wacz", "file=%s open=\"%s\"", path, strerror(errno));
        st = ST_IO;
    } else {
        st = cdxj_of_warc(&w->index, &end, fd, path, str_c(base_name(path)));
        if (st == ST_OK && end == 0) {
            log_error("wacz", "file=%s is no WARC with a gzip member a record",
                      path);
            st = ST_INVALID;
        }
        close(fd);
    }
    buf_free(&beside);
    buf_free(&lines);
    return st;
}

static enum status
add_warc(struct wacz *w, const char *path)
{
    struct zip_member m;
    char name[300];
    enum status st;

    if (str_ends(str_c(path), S(".zst"))) {
        log_error("wacz",
                  "file=%s is zstd, which no viewer of WACZ reads: "
                  "crawl with output.warc_compression = gzip",
                  path);
        return ST_INVALID;
    }
    snprintf(name, sizeof name, "archive/%s", base_name(path));
    if ((st = add_index(w, path)) == ST_OK &&
        (st = zip_write_file(w->zip, name, path, &m)) == ST_OK)
        resource(w, name, &m);
    return st;
}

/* A line for each page that was answered with HTML.  It has an id: py-wacz
 * takes a line without id and title for an empty one. */
static void
list_pages(struct wacz *w)
{
    struct json_reader *r = json_reader_new(2);
    struct str rest = buf_view(&w->index), line;
    size_t n = 0;

    buf_c(&w->pages, "{\"format\":\"json-pages-1.0\",\"id\":\"pages\","
                     "\"title\":\"All pages\"}\n");
    while (r != NULL && str_cut(&rest, '\n', &line)) {
        size_t stamp = str_find(line, ' ', 0) + 1;
        struct json j = {.out = &w->pages};
        const char *t = line.p + stamp;
        char ts[40], id[24];

        if (stamp + 15 > line.n ||
            !json_reader_read(r, str_sub(line, stamp + 15, line.n)) ||
            !str_eq(json_reader_str(r, "mime"), S("text/html")) ||
            !str_eq(json_reader_str(r, "status"), S("200")))
            continue;
        snprintf(ts, sizeof ts, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", t, t + 4,
                 t + 6, t + 8, t + 10, t + 12);
        snprintf(id, sizeof id, "%zu", ++n);
        json_object(&j);
        json_kstr(&j, "id", str_c(id));
        json_kstr(&j, "url", json_reader_str(r, "url"));
        json_kstr(&j, "ts", str_c(ts));
        json_object_end(&j);
        buf_char(&w->pages, '\n');
    }
    json_reader_free(r);
}

static enum status
add_bytes(struct wacz *w, const char *name, struct str bytes)
{
    struct zip_member m;
    enum status st = zip_write_bytes(w->zip, name, bytes, &m);

    if (st == ST_OK)
        resource(w, name, &m);
    return st;
}

/* datapackage.json names all others, and has its own digest beside it. */
static enum status
add_package(struct wacz *w, struct str title, uint64_t now_ms)
{
    struct buf out = {0};
    struct json j = {.out = &out};
    struct zip_member m, ignored;
    char iso[21], hash[8 + DIGEST_SHA256_N];
    enum status st;

    clock_iso(now_ms, iso);
    json_object(&j);
    json_kstr(&j, "profile", S("data-package"));
    json_kstr(&j, "wacz_version", S("1.1.1"));
    json_kstr(&j, "title", title);
    json_kstr(&j, "software", S("winnow/" WINNOW_VERSION));
    json_kstr(&j, "created", str_c(iso));
    json_key(&j, "resources");
    buf_str(&out, buf_view(&w->resources));
    json_object_end(&j);
    st = zip_write_bytes(w->zip, "datapackage.json", buf_view(&out), &m);
    snprintf(hash, sizeof hash, "sha256:%s", m.sha256);
    buf_clear(&out);
    j = (struct json){.out = &out};
    json_object(&j);
    json_kstr(&j, "path", S("datapackage.json"));
    json_kstr(&j, "hash", str_c(hash));
    json_object_end(&j);
    if (st == ST_OK)
        st = zip_write_bytes(w->zip, "datapackage-digest.json", buf_view(&out),
                             &ignored);
    buf_free(&out);
    return st;
}

static enum status
names_differ(const char *const *warc, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(base_name(warc[i]), base_name(warc[k])) == 0) {
                log_error("wacz", "two files are called %s",
                          base_name(warc[i]));
                return ST_INVALID;
            }
    return ST_OK;
}

enum status
wacz_write(const char *out, const char *const *warc, size_t n, struct str title,
           uint64_t now_ms)
{
    struct wacz w = {0};
    enum status st = names_differ(warc, n);

    if (st == ST_OK)
        st = zip_write_open(&w.zip, out);
    w.list.out = &w.resources;
    json_array(&w.list);
    for (size_t i = 0; st == ST_OK && i < n; i++)
        st = add_warc(&w, warc[i]);
    if (st == ST_OK) {
        cdxj_sort(&w.index);
        list_pages(&w);
        st = add_bytes(&w, "indexes/index.cdx", buf_view(&w.index));
    }
    if (st == ST_OK)
        st = add_bytes(&w, "pages/pages.jsonl", buf_view(&w.pages));
    json_array_end(&w.list);
    if (st == ST_OK)
        st = add_package(&w, title, now_ms);
    if (zip_write_close(w.zip, st == ST_OK) != ST_OK && st == ST_OK)
        st = ST_IO;
    buf_free(&w.index);
    buf_free(&w.pages);
    buf_free(&w.resources);
    return st;
}
