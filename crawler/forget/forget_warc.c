/* forget_warc.c -- see forget_warc.h.
 *
 * Revisits get their payloads first, in all files, while the records are there
 * that have them; then the hosts' records go.
 *
 * Bounds: in memory 72 bytes of each response that goes, 44 of each revisit
 * that stays while files are looked at, a record and its payload. */
#include "forget_warc.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/document_id.h"
#include "base/folder_glob.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/pages/hold.h"
#include "base/path.h"
#include "base/progress.h"
#include "clean/archive/warc_folder.h"
#include "clean/archive/warc_restore.h"
#include "clean/archive/warc_rewrite.h"

#define PREFIX "winnow-" /* of the crawler's own files */

struct going_response { /* a response that goes */
    struct document_id id;
    uint32_t file;
    uint64_t offset, length;
    uint64_t moved; /* to this offset, once its file is replaced */
};

struct reference { /* a revisit that stays */
    struct document_id to;
    uint32_t file;
};

struct warc_file {
    bool has_some, refers; /* records that go; revisits of such that stay */
};

struct warc_count {
    uint64_t records, files;
    size_t last; /* file that has some, from 1 */
};

struct forget_warc {
    const struct pattern_set *patterns;
    int lock;
    glob_t found;
    struct warc_file *files;         /* as `found` has them */
    size_t at;                       /* the one that is read */
    struct warc_count *count;        /* of each pattern */
    struct going_response *captures; /* by id, once all are known */
    size_t captures_n;
    struct buf capture_room, references, text;
};

uint64_t
forget_warc_records(const struct forget_warc *w, uint32_t i)
{
    return w->count[i].records;
}

uint64_t
forget_warc_files(const struct forget_warc *w, uint32_t i)
{
    return w->count[i].files;
}

/* ---- whose a record is ---- */

static int
by_id(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct document_id)); /* either begins with it */
}

/* The capture that goes and has this id; NULL: there is none. */
static struct going_response *
capture_of(const struct forget_warc *w, struct str urn)
{
    struct document_id id;

    if (w->captures_n == 0 || !document_id_read_urn(urn, &id))
        return NULL;
    return bsearch(&id, w->captures, w->captures_n, sizeof *w->captures, by_id);
}

static void
count(struct forget_warc *w, uint32_t pattern)
{
    struct warc_count *c = &w->count[pattern];

    c->records++;
    c->files += c->last != w->at + 1;
    c->last = w->at + 1;
    w->files[w->at].has_some = true;
}

static void
look_at(struct forget_warc *w, const struct warc_record *r)
{
    uint32_t pattern = pattern_set_url(w->patterns, r->url);
    struct going_response c = {
        .file = (uint32_t)w->at, .offset = r->offset, .length = r->length};
    struct reference to = {.file = (uint32_t)w->at};

    if (pattern != PATTERN_NONE)
        count(w, pattern);
    if (pattern != PATTERN_NONE && r->type == WARC_RESPONSE &&
        document_id_read_urn(r->id, &c.id))
        buf_add(&w->capture_room, &c, sizeof c);
    if (pattern == PATTERN_NONE && r->type == WARC_REVISIT &&
        document_id_read_urn(r->refers_to, &to.to))
        buf_add(&w->references, &to, sizeof to);
}

static enum status
look_at_file(struct forget_warc *w, struct progress *progress, uint64_t before)
{
    struct warc_members *m;
    struct warc_record r;
    enum status st = warc_members_open(&m, w->found.gl_pathv[w->at]);

    while (st == ST_OK && (st = warc_members_next(m, &r)) == ST_OK) {
        look_at(w, &r);
        progress_to(progress, before + r.offset + r.length);
    }
    warc_members_close(m);
    return st == ST_NONE ? ST_OK : st;
}

static uint64_t
size_of(const char *path)
{
    struct stat is;

    return stat(path, &is) == 0 ? (uint64_t)is.st_size : 0;
}

static enum status
look_at_all(struct forget_warc *w)
{
    uint64_t bytes = 0, before = 0;
    struct progress *progress;
    enum status st = ST_OK;

    for (size_t i = 0; i < w->found.gl_pathc; i++)
        bytes += size_of(w->found.gl_pathv[i]);
    progress = progress_begin("forget: warc", PROGRESS_BYTES, bytes);
    for (w->at = 0; w->at < w->found.gl_pathc && st == ST_OK; w->at++) {
        st = look_at_file(w, progress, before);
        before += size_of(w->found.gl_pathv[w->at]);
    }
    progress_end(progress);
    return st;
}

/* Which revisits that stay refer to what goes. */
static void
join(struct forget_warc *w)
{
    const struct reference *r = (const void *)w->references.p;
    size_t n = w->references.n / sizeof *r;

    w->captures = (struct going_response *)(void *)w->capture_room.p;
    w->captures_n = w->capture_room.n / sizeof *w->captures;
    if (w->captures_n > 0)
        qsort(w->captures, w->captures_n, sizeof *w->captures, by_id);
    for (size_t i = 0; i < n && w->captures_n > 0; i++)
        if (bsearch(&r[i].to, w->captures, w->captures_n, sizeof *w->captures,
                    by_id) != NULL)
            w->files[r[i].file].refers = true;
    buf_free(&w->references);
}

/* ---- the files again ---- */

static enum warc_fate
fate_of_revisit(void *self, const struct warc_record *r, uint64_t at)
{
    struct forget_warc *w = self;
    struct going_response *c;

    if (pattern_set_url(w->patterns, r->url) == PATTERN_NONE)
        return r->type == WARC_REVISIT && capture_of(w, r->refers_to) != NULL
                   ? WARC_CHANGES
                   : WARC_STAYS;
    c = r->type == WARC_RESPONSE ? capture_of(w, r->id) : NULL;
    if (c != NULL)
        c->moved = at;
    return WARC_STAYS;
}

static enum status
restore(void *self, const struct warc_record *r, struct str text,
        struct buf *out)
{
    struct forget_warc *w = self;
    const struct going_response *c = capture_of(w, r->refers_to);
    struct warc_members *m;
    enum status st = warc_members_open(&m, w->found.gl_pathv[c->file]);

    if (st != ST_OK)
        return st;
    st = warc_members_text(m, c->offset, c->length, &w->text);
    warc_members_close(m);
    if (st != ST_OK)
        return st;
    return warc_restore(out, text, warc_payload(buf_view(&w->text)))
               ? ST_OK
               : ST_INVALID;
}

static enum status
restore_in(struct forget_warc *w, uint32_t file)
{
    const struct warc_changes how = {w, fate_of_revisit, restore};
    enum status st = warc_rewrite(w->found.gl_pathv[file], &how);

    for (size_t i = 0; i < w->captures_n && st == ST_OK; i++)
        if (w->captures[i].file == file)
            w->captures[i].offset = w->captures[i].moved;
    return st;
}

static enum warc_fate
fate_of_host(void *self, const struct warc_record *r, uint64_t at)
{
    struct forget_warc *w = self;

    (void)at;
    return pattern_set_url(w->patterns, r->url) == PATTERN_NONE ? WARC_STAYS
                                                                : WARC_GOES;
}

enum status
forget_warc_run(struct forget_warc *w)
{
    const struct warc_changes going = {w, fate_of_host, NULL};
    size_t n = w->found.gl_pathc;
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++)
        if (w->files[i].refers)
            st = restore_in(w, (uint32_t)i);
    for (size_t i = 0; i < n && st == ST_OK; i++)
        if (w->files[i].has_some)
            st = warc_rewrite(w->found.gl_pathv[i], &going);
        else if (!warc_is_indexed(w->found.gl_pathv[i])) /* by a kill */
            st = warc_index(w->found.gl_pathv[i]);
    return st;
}

/* ---- open, close ---- */

/* Faults are reported, those of folders by folder_glob(). */
static enum status
find_files(struct forget_warc *w, const char *dir)
{
    static const enum warc_form form[] = {WARC_GZIP, WARC_ZSTD};
    enum status st = warc_complete(path_printf("%s/warc", dir).z, PREFIX);

    for (size_t i = 0; i < 2 && st == ST_OK; i++) {
        int rc = folder_glob(
            dir, path_printf("warc/" PREFIX "*%s", warc_suffix(form[i])).z,
            i > 0 ? GLOB_APPEND : 0, &w->found);

        if (rc != 0 && rc != GLOB_NOMATCH)
            st = ST_IO;
    }
    return st;
}

enum status
forget_warc_open(struct forget_warc **out, const char *dir,
                 const struct pattern_set *patterns)
{
    struct forget_warc *w;
    enum status st;

    *out = NULL;
    if (access(path_printf("%s/warc", dir).z, F_OK) != 0)
        return ST_NONE;
    w = memory_need(calloc(1, sizeof *w));
    w->patterns = patterns;
    w->count = memory_need(calloc(patterns->n, sizeof *w->count));
    st = hold_take(&w->lock, path_printf("%s/lock", dir).z, dir, "crawl");
    if (st == ST_OK)
        st = find_files(w, dir);
    if (st == ST_OK) {
        w->files = memory_need(calloc(w->found.gl_pathc + 1, sizeof *w->files));
        st = look_at_all(w);
    }
    if (st != ST_OK) {
        forget_warc_close(w);
        return st;
    }
    join(w);
    *out = w;
    return ST_OK;
}

void
forget_warc_close(struct forget_warc *w)
{
    if (w == NULL)
        return;
    if (w->lock >= 0)
        close(w->lock);
    globfree(&w->found);
    free(w->files);
    free(w->count);
    buf_free(&w->capture_room);
    buf_free(&w->references);
    buf_free(&w->text);
    free(w);
}
