/* train_data.c -- pages and truths from a folder, in two threads.
 *
 * DIR/manifest.tsv names a set, an id, a registered domain and whether the
 * truth is suspect; the bytes stand in DIR/pages/SET/ID.html, the main text in
 * DIR/truth/SET/ID.txt, else pieces that must or must not be kept in
 * DIR/segments/SET/ID.tsv.  Page k is read by thread k modulo the threads, so
 * that the result does not depend on timing. */
#include "train.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/pool.h"
#include "clean/chain/stage.h"

#define COLUMNS_MAX 32u
#define PAGE_BYTES ((size_t)64 << 20)
#define MANIFEST_BYTES ((size_t)256 << 20)

extern const struct stage stage_charset;
extern const struct stage stage_strip;

struct loader {
    struct train_set *set;
    const char *dir;
    unsigned thread;
};

static struct str
page_file(struct arena *a, const struct loader *l, const struct train_page *p,
          const char *folder, const char *end)
{
    return arena_printf(a, "%s/%s/%.*s/%.*s.%s", l->dir, folder, STRF(p->set),
                        STRF(p->id), end);
}

/* Everything that outlives the page's own arena. */
static void
keep(struct train_page *p, const struct document *d, struct arena *to)
{
    struct features f;

    features_page(&f, d);
    p->f = f;
    p->f.local = arena_raw(to, f.n * sizeof *f.local);
    memcpy(p->f.local, f.local, f.n * sizeof *f.local);
    p->f.around = arena_raw(to, f.n * sizeof *f.around);
    memcpy(p->f.around, f.around, f.n * sizeof *f.around);
    p->f.place = arena_raw(to, f.n * sizeof *f.place);
    memcpy(p->f.place, f.place, f.n * sizeof *f.place);
    p->f.parent = arena_raw(to, f.groups_n[0] * sizeof *f.parent);
    memcpy(p->f.parent, f.parent, f.groups_n[0] * sizeof *f.parent);
    p->text = ARENA_ARRAY(to, struct str, f.n);
    p->target = ARENA_ARRAY(to, float, f.n);
    p->weight = ARENA_ARRAY(to, float, f.n);
    for (int pass = 0; pass < 2; pass++)
        p->p[pass] = ARENA_ARRAY(to, float, f.n);
    p->context = arena_alloc(to, f.n * sizeof *p->context);
    for (uint32_t i = 0; i < f.n; i++) {
        p->text[i] = arena_str(to, d->blocks[i].text);
        p->target[i] = -1;
    }
}

static bool
read_page(const struct loader *l, const struct train_page *p, struct arena *a,
          struct buf *buf)
{
    static struct log_limit unread = LOG_LIMIT(20);
    const char *path = page_file(a, l, p, "pages", "html").p;
    enum status st = file_read(buf, path, PAGE_BYTES);

    if (st != ST_OK)
        log_rarely(&unread, LOG_WARN, "train",
                   "%s: %s; row %u of the manifest is left out", path,
                   st == ST_LIMIT ? "larger than 64 MiB" : strerror(errno),
                   p->row);
    return st == ST_OK;
}

static void
load_page(struct loader *l, struct train_page *p, void *strip, struct arena *a,
          struct buf *buf)
{
    struct document d = {.arena = a};
    struct arena *to = l->set->arena[l->thread];

    if (!read_page(l, p, a, buf))
        return;
    d.url_text = d.content_type = d.x_robots_tag = d.robots_agent =
        (struct str)STR("");
    d.bytes = arena_str(a, buf_view(buf));
    if (stage_charset.run(NULL, &d) != ST_OK || d.utf8.n == 0 ||
        stage_strip.run(strip, &d) != ST_OK || d.blocks_n == 0)
        return;
    keep(p, &d, to);
    if (file_read(buf, page_file(a, l, p, "truth", "txt").p, PAGE_BYTES) ==
        ST_OK)
        p->whole = train_truth_text(p, a, buf_view(buf));
    else if (file_read(buf, page_file(a, l, p, "segments", "tsv").p,
                       PAGE_BYTES) == ST_OK)
        train_truth_segments(p, buf_view(buf));
    train_weights(p);
}

static enum status
load_share(void *loaders, size_t i, size_t thread)
{
    struct loader *l = (struct loader *)loaders + i;
    struct arena *a = arena_new();
    struct buf buf = {0};
    void *strip = NULL;
    enum status st = stage_strip.open(&strip, NULL);

    (void)thread;
    if (st == ST_OK) {
        for (uint32_t k = l->thread; k < l->set->pages_n; k += TRAIN_THREADS) {
            load_page(l, &l->set->page[k], strip, a, &buf);
            arena_reset(a);
        }
        stage_strip.close(strip);
    }
    buf_free(&buf);
    arena_free(a);
    return st;
}

static uint32_t
column(struct str header, const char *name)
{
    struct str cell;

    for (uint32_t i = 0; str_cut(&header, '\t', &cell); i++)
        if (str_eq(cell, str_c(name)))
            return i;
    return COLUMNS_MAX;
}

static struct str
cell_of(struct str line, uint32_t wanted)
{
    struct str cell;

    for (uint32_t i = 0; str_cut(&line, '\t', &cell); i++)
        if (i == wanted)
            return cell;
    return (struct str)STR("");
}

/* Which column is which; COLUMNS_MAX: it is missing. */
struct manifest_columns {
    uint32_t set, id, domain, suspect;
};

static enum status
find_columns(struct manifest_columns *c, struct str header, const char *path)
{
    const struct {
        const char *name, *without; /* NULL: it is needed */
        uint32_t *at;
    } columns[] = {
        {"set", NULL, &c->set},
        {"id", NULL, &c->id},
        {"domain", "each page is a domain of its own", &c->domain},
        {"suspect", "no page is suspect", &c->suspect},
    };

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        *columns[i].at = column(header, columns[i].name);
        if (*columns[i].at < COLUMNS_MAX)
            continue;
        if (columns[i].without == NULL) {
            log_error("train", "%s: no column %s", path, columns[i].name);
            return ST_INVALID;
        }
        log_warn("train", "%s: no column %s: %s", path, columns[i].name,
                 columns[i].without);
    }
    return ST_OK;
}

static void
add_page(struct train_set *set, const struct manifest_columns *c,
         struct str line, uint32_t *cap)
{
    struct train_page *p;

    if (set->pages_n == *cap) {
        uint32_t wider = *cap ? 2 * *cap : 1024;

        set->page = arena_grow(set->arena[TRAIN_THREADS], set->page,
                               *cap * sizeof *p, wider * sizeof *p);
        *cap = wider;
    }
    p = &set->page[set->pages_n++];
    *p = (struct train_page){.set = cell_of(line, c->set),
                             .id = cell_of(line, c->id),
                             .domain = cell_of(line, c->domain),
                             .row = set->pages_n};
    p->kind = train_kind_of(p->id);
    p->suspect = str_eq(cell_of(line, c->suspect), S("1"));
    if (p->domain.n == 0)
        p->domain = p->id;
}

/* A line without its end, which may be that of Windows. */
static bool
next_line(struct str *rest, struct str *line)
{
    if (!str_cut(rest, '\n', line))
        return false;
    if (str_ends(*line, S("\r")))
        line->n--;
    return true;
}

static enum status
read_manifest(struct train_set *set, const char *dir)
{
    struct arena *a = set->arena[TRAIN_THREADS];
    struct str rest, line = S(""),
                     path = arena_printf(a, "%s/manifest.tsv", dir);
    struct manifest_columns columns;
    struct buf buf = {0};
    uint32_t cap = 0;
    enum status st;

    if ((st = file_read(&buf, path.p, MANIFEST_BYTES)) != ST_OK) {
        log_error("train", "%s: %s", path.p,
                  st == ST_LIMIT ? "larger than 256 MiB" : strerror(errno));
        buf_free(&buf);
        return ST_IO;
    }
    rest = str_unmarked(arena_str(a, buf_view(&buf)));
    buf_free(&buf);
    next_line(&rest, &line);
    if ((st = find_columns(&columns, line, path.p)) != ST_OK)
        return st;
    while (next_line(&rest, &line))
        if (line.n > 0)
            add_page(set, &columns, line, &cap);
    if (set->pages_n == 0) {
        log_error("train", "%s: there are no pages in it", path.p);
        return ST_INVALID;
    }
    return ST_OK;
}

bool
train_page_teaches(const struct train_page *page)
{
    for (uint32_t i = 0; i < page->f.n && !page->suspect; i++)
        if (page->weight[i] > 0)
            return true;
    return false;
}

static bool
teaches(const struct train_set *set)
{
    for (uint32_t p = 0; p < set->pages_n; p++)
        if (train_page_teaches(&set->page[p]))
            return true;
    return false;
}

enum status
train_set_load(struct train_set *set, const char *dir)
{
    struct loader loader[TRAIN_THREADS];
    enum status st;

    *set = (struct train_set){0};
    for (unsigned i = 0; i <= TRAIN_THREADS; i++)
        set->arena[i] = arena_new();
    if ((st = read_manifest(set, dir)) != ST_OK)
        return st;
    for (unsigned i = 0; i < TRAIN_THREADS; i++)
        loader[i] = (struct loader){.set = set, .dir = dir, .thread = i};
    st = pool_each(TRAIN_THREADS, TRAIN_THREADS, load_share, loader);
    if (st == ST_OK && !teaches(set)) {
        log_error("train", "%s: no page of %u can be learned from", dir,
                  set->pages_n);
        st = ST_INVALID;
    }
    return st;
}

void
train_set_free(struct train_set *set)
{
    for (unsigned i = 0; i <= TRAIN_THREADS; i++)
        arena_free(set->arena[i]);
    *set = (struct train_set){0};
}
