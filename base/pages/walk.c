/* walk.c -- see walk.h, layout.h.
 *
 * Checked: the meta pages; of each page its number, kind, bounds and nodes
 * (page.h); keys that ascend and lie between those of the branch above;
 * overflow pages; depth, pages and entries of each tree against its root; the
 * free list against what is in use.
 *
 * Memory: a bit a page, and one page for each level of a tree. */
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "page.h"

#define BEHIND_MAX ((uint64_t)1 << 20) /* pages that were never written */
#define TABLES S("tables")
#define FREE S("free list")

struct level {
    unsigned char *bytes;
    unsigned n; /* nodes */
};

struct pages {
    int fd;
    uint64_t size, page_size;
    struct page_meta meta[META_N], now;
    uint64_t *seen; /* bits: reached, or free */
    struct level level[DEPTH_MAX + 1];
    unsigned char *value; /* of an overflow page */
    size_t value_cap;
    /* of a walk */
    const struct pages_visitor *visitor;
    struct pages_walk how;
    struct str table;
    uint64_t faults, free_faults;
    enum status st;
};

struct tree { /* what is met of one */
    unsigned depth;
    uint64_t branches, leaves, overflows, entries;
    bool numbers; /* keys are numbers: the free list */
    bool tables;  /* values are roots of tables */
    bool broken;  /* a part of it was not read: counts tell nothing */
};

struct bounds { /* keys of a page: from <= key < to; n 0: no bound */
    struct str from, to;
};

/* ---- opening ---- */

static bool
read_meta(struct pages *p, unsigned i)
{
    unsigned char b[META_SIZE];
    uint64_t at = i == 0 ? 0 : p->page_size;
    struct page_meta *m = &p->meta[i];

    if (pread(p->fd, b, sizeof b, (off_t)at) != (ssize_t)sizeof b ||
        !page_read_meta(m, b))
        return false;
    if (i == 0)
        p->page_size = m->size;
    return m->good = m->size == p->page_size;
}

/* Without page 0 the page size is a guess. */
static bool
read_metas(struct pages *p)
{
    bool first = read_meta(p, 0), second = false;

    if (first)
        second = read_meta(p, 1);
    for (p->page_size = first ? p->page_size : PAGE_SIZE_LEAST;
         !first && !second && p->page_size <= PAGE_SIZE_MOST;)
        if (!(second = read_meta(p, 1)))
            p->page_size *= 2;
    if (!first && !second)
        return false;
    p->now = p->meta[second && (!first || p->meta[1].txn > p->meta[0].txn)];
    return true;
}

enum status
pages_open(struct pages **out, const char *path)
{
    struct pages *p = memory_need(calloc(1, sizeof *p));
    enum status st = ST_IO;
    struct stat sb;

    *out = NULL;
    p->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (p->fd < 0 || fstat(p->fd, &sb) != 0) {
        st = errno == ENOENT ? ST_NONE : ST_IO;
        goto fail;
    }
    p->size = (uint64_t)sb.st_size;
    if (!read_metas(p)) {
        st = ST_INVALID;
        goto fail;
    }
    *out = p;
    return ST_OK;

fail:
    pages_close(p);
    return st;
}

void
pages_close(struct pages *p)
{
    if (p == NULL)
        return;
    if (p->fd >= 0)
        close(p->fd);
    for (size_t i = 0; i <= DEPTH_MAX; i++)
        free(p->level[i].bytes);
    free(p->seen);
    free(p->value);
    free(p);
}

uint64_t
pages_bytes(const struct pages *p)
{
    return p->size;
}

uint64_t
pages_txn(const struct pages *p)
{
    return p->now.txn;
}

bool
pages_choose(struct pages *p, uint64_t txn)
{
    for (unsigned i = 0; i < META_N; i++)
        if (p->meta[i].good && p->meta[i].txn == txn) {
            p->now = p->meta[i];
            return true;
        }
    return false;
}

/* ---- a page ---- */

static void
fault(struct pages *p, struct tree *t, uint64_t page, const char *what)
{
    const struct pages_fault f = {page, p->table, what};

    p->faults++;
    if (t != NULL) {
        t->broken = true;
        p->free_faults += t->numbers;
    }
    if (p->visitor->fault != NULL)
        p->visitor->fault(p->visitor->self, &f);
}

static uint64_t
pages_in_file(const struct pages *p)
{
    return p->size / p->page_size;
}

/* Take `n` pages; false: one of them is taken. */
static bool
take(struct pages *p, uint64_t page, uint64_t n)
{
    bool fresh = true;

    for (uint64_t i = page; i < page + n; i++) {
        fresh = fresh && (p->seen[i / 64] >> i % 64 & 1) == 0;
        p->seen[i / 64] |= (uint64_t)1 << i % 64;
    }
    return fresh;
}

/* Why the page cannot be read; NULL: it is at `to`. */
static const char *
look(const struct pages *p, uint64_t page, uint64_t n, unsigned char *to)
{
    if (page < META_N || page > p->now.last || n > p->now.last + 1 - page)
        return "there is no such page";
    if (n > pages_in_file(p) || page > pages_in_file(p) - n)
        return "the file is too short";
    if (pread(p->fd, to, (size_t)(n * p->page_size),
              (off_t)(page * p->page_size)) != (ssize_t)(n * p->page_size))
        return "the disk cannot read it";
    return layout_get(to, 8) == page ? NULL : "it is another page";
}

static const char *
load(struct pages *p, uint64_t page, uint64_t n, unsigned char *to)
{
    const char *why = look(p, page, n, to);

    return why == NULL && !take(p, page, n) ? "it is used twice" : why;
}

/* ---- keys ---- */

static int
compare(const struct tree *t, struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c;

    if (t->numbers && a.n == 8 && b.n == 8) {
        uint64_t x = layout_get((const unsigned char *)a.p, 8),
                 y = layout_get((const unsigned char *)b.p, 8);

        return (x > y) - (x < y);
    }
    c = memcmp(a.p, b.p, n);
    return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

static bool
is_key(const struct tree *t, struct str key)
{
    return key.n > 0 && key.n <= KEY_SIZE_MAX && (!t->numbers || key.n == 8);
}

static bool
key_fits(const struct tree *t, struct str key, struct str before,
         const struct bounds *in)
{
    return is_key(t, key) && (before.n == 0 || compare(t, before, key) < 0) &&
           (in->from.n == 0 || compare(t, in->from, key) <= 0) &&
           (in->to.n == 0 || compare(t, key, in->to) < 0);
}

/* ---- rows ---- */

static void walk_table(struct pages *p, struct str name,
                       const unsigned char *root);

/* A list: how many, then pages, the largest first. */
static void
walk_free(struct pages *p, struct tree *t, struct str value)
{
    const unsigned char *b = (const unsigned char *)value.p;
    uint64_t n = value.n < 8 ? 0 : layout_get(b, 8), before = NO_PAGE;

    if (value.n < 8 || n > value.n / 8 - 1) {
        fault(p, t, 0, "a list of free pages is garbled");
        return;
    }
    for (uint64_t i = 1; i <= n; i++) {
        uint64_t page = layout_get(b + 8 * i, 8);

        if (page < META_N || page > p->now.last || page >= before ||
            !take(p, page, 1)) {
            fault(p, t, page, "it is free and in use");
            return;
        }
        before = page;
    }
}

/* `least` pages that hold a large value, to p->value; *n: as many as it has.
 * Those may be more: a shorter value that is put over it in the transaction
 * that has written it leaves them to it. */
static const char *
load_large(struct pages *p, uint64_t page, uint64_t least, uint64_t *n)
{
    const char *why;

    if (least > pages_in_file(p))
        return "the file is too short";
    if (least * p->page_size > p->value_cap) {
        p->value_cap = (size_t)(least * p->page_size);
        p->value = memory_need(realloc(p->value, p->value_cap));
    }
    if ((why = look(p, page, least, p->value)) != NULL)
        return why;
    *n = layout_get(p->value + 12, 4);
    if (layout_u16(p->value + 10) != PAGE_OVERFLOW || *n < least ||
        *n > p->now.last + 1 - page)
        return "it holds no large value";
    return take(p, page, *n) ? NULL : "it is used twice";
}

/* The value of a node, also one on overflow pages. */
static bool
value_of(struct pages *p, struct tree *t, const unsigned char *node,
         struct str *out)
{
    const unsigned char *at =
        node + NODE_HEADER + layout_u16(node + 6); /* behind the key */
    uint64_t size = page_data_size(node), page, n;
    const char *why;

    *out = str_n((const char *)at, (size_t)size);
    if ((layout_u16(node + 4) & NODE_BIG) == 0)
        return true;
    page = layout_get(at, 8);
    why = load_large(p, page, (PAGE_HEADER - 1 + size) / p->page_size + 1, &n);
    if (why != NULL) {
        fault(p, t, page, why);
        return false;
    }
    t->overflows += n;
    *out = str_n((const char *)p->value + PAGE_HEADER, (size_t)size);
    return true;
}

static void
walk_row(struct pages *p, struct tree *t, uint64_t page,
         const unsigned char *node, struct str key)
{
    unsigned flags = layout_u16(node + 4);
    struct str value;

    if ((flags & ~(unsigned)NODE_BIG) != (t->tables ? NODE_SUB : 0) ||
        (t->tables && page_data_size(node) != ROOT_SIZE)) {
        fault(p, t, page, "a row is garbled");
        return;
    }
    if (!value_of(p, t, node, &value))
        return;
    t->entries++;
    if (t->numbers)
        walk_free(p, t, value);
    else if (t->tables)
        walk_table(p, key, (const unsigned char *)value.p);
    else if (p->visitor->row != NULL)
        p->st = p->visitor->row(p->visitor->self, p->table, key, value);
}

/* ---- trees ---- */

static void
walk_leaf(struct pages *p, struct tree *t, uint64_t page, struct level *l,
          const struct bounds *in)
{
    struct str before = S("");

    t->leaves++;
    for (unsigned i = 0; i < l->n && p->st == ST_OK; i++) {
        const unsigned char *node = l->bytes + page_node(l->bytes, i);
        const struct bounds ends = {i == 0 ? in->from : S(""),
                                    i + 1 == l->n ? in->to : S("")};
        struct str key = page_key(node);

        if (!key_fits(t, key, before, &ends))
            fault(p, t, page, "a key is garbled");
        if (!is_key(t, key))
            continue;
        before = key; /* one of the two is right: both are given out */
        walk_row(p, t, page, node, key);
    }
}

static void walk_node(struct pages *p, struct tree *t, uint64_t page,
                      unsigned depth, struct bounds in);

static void
walk_branch(struct pages *p, struct tree *t, uint64_t page, struct level *l,
            unsigned depth, const struct bounds *in)
{
    struct bounds b = *in;

    t->branches++;
    for (unsigned i = 0; i < l->n && p->st == ST_OK; i++) {
        const unsigned char *node = l->bytes + page_node(l->bytes, i);
        const struct str key = page_key(node);

        if (i > 0 && !key_fits(t, key, i > 1 ? b.from : S(""), in))
            fault(p, t, page, "a key of a branch is garbled");
        else if (i > 0)
            b.from = key;
        b.to = in->to;
        if (i + 1 < l->n) {
            struct str next = page_key(l->bytes + page_node(l->bytes, i + 1));

            b.to = key_fits(t, next, b.from, in) ? next : in->to;
        }
        walk_node(p, t, layout_get(node, 6), depth + 1, b);
    }
}

static void
walk_node(struct pages *p, struct tree *t, uint64_t page, unsigned depth,
          struct bounds in)
{
    struct level *l = &p->level[depth];
    bool leaf = depth + 1 == t->depth;
    const char *why;

    if (leaf && !p->how.leaves && !t->tables && !t->numbers) {
        t->broken = true; /* not counted */
        return;
    }
    if (l->bytes == NULL)
        l->bytes = memory_need(malloc(p->page_size));
    if ((why = load(p, page, 1, l->bytes)) == NULL)
        why = page_check(l->bytes, p->page_size, leaf ? PAGE_LEAF : PAGE_BRANCH,
                         leaf || t->numbers ? 1 : 2, &l->n);
    if (why != NULL) {
        fault(p, t, page, why);
        return;
    }
    if (leaf)
        walk_leaf(p, t, page, l, &in);
    else
        walk_branch(p, t, page, l, depth, &in);
}

/* Levels of the tree of tables stay in use while one of them is walked. */
static void
walk_tree(struct pages *p, struct tree *t, const struct page_root *r,
          unsigned flags)
{
    t->depth = r->depth;
    if (r->page == NO_PAGE) {
        if (r->depth != 0 || r->entries != 0)
            fault(p, t, 0, "its root is garbled");
        return;
    }
    if (r->depth == 0 || r->depth > DEPTH_MAX ||
        (r->flags & ROOT_FLAGS) != flags) {
        fault(p, t, r->page, "its root is garbled");
        return;
    }
    walk_node(p, t, r->page, 0, (struct bounds){S(""), S("")});
    if (!t->broken && p->st == ST_OK &&
        (t->branches != r->branches || t->leaves != r->leaves ||
         t->overflows != r->overflows || t->entries != r->entries))
        fault(p, t, r->page, "pages or rows are missing");
}

static void
walk_table(struct pages *p, struct str name, const unsigned char *root)
{
    const struct page_root r = page_read_root(root);
    struct level kept[DEPTH_MAX + 1];
    struct str table = p->table;
    struct tree t = {0};

    memcpy(kept, p->level, sizeof kept);
    memset(p->level, 0, sizeof p->level);
    p->table = name;
    if (p->visitor->table != NULL)
        p->visitor->table(p->visitor->self, name, r.entries);
    walk_tree(p, &t, &r, 0);
    p->table = table;
    for (size_t i = 0; i <= DEPTH_MAX; i++)
        free(p->level[i].bytes);
    memcpy(p->level, kept, sizeof kept);
}

/* ---- the whole file ---- */

/* Leaves that no tree leads to and that are not free: what a page that cannot
 * be read has cut off. */
static void
walk_stray(struct pages *p)
{
    struct level *l = &p->level[0];
    uint64_t last =
        p->now.last + 1 < pages_in_file(p) ? p->now.last + 1 : pages_in_file(p);

    p->table = S("");
    if (l->bytes == NULL)
        l->bytes = memory_need(malloc(p->page_size));
    for (uint64_t page = META_N; page < last && p->st == ST_OK; page++) {
        struct bounds all = {S(""), S("")};
        struct tree t = {0};

        if ((p->seen[page / 64] >> page % 64 & 1) ||
            look(p, page, 1, l->bytes) != NULL ||
            page_check(l->bytes, p->page_size, PAGE_LEAF, 1, &l->n) != NULL ||
            (layout_u16(l->bytes + page_node(l->bytes, 0) + 4) & NODE_SUB))
            continue;
        (void)take(p, page, 1);
        walk_leaf(p, &t, page, l, &all);
    }
}

static void
check_metas(struct pages *p)
{
    for (unsigned i = 0; i < META_N; i++)
        if (!p->meta[i].good)
            fault(p, NULL, i, "it is no meta page");
}

enum status
pages_walk(struct pages *p, struct pages_walk how,
           const struct pages_visitor *v)
{
    struct tree main = {.tables = true}, list = {.numbers = true};
    uint64_t n = p->now.last + 1;

    p->visitor = v;
    p->how = how;
    p->st = ST_OK;
    p->faults = p->free_faults = 0;
    p->table = TABLES;
    check_metas(p);
    if (n == 0 || n > pages_in_file(p) + BEHIND_MAX) {
        fault(p, NULL, 0, "the number of pages is garbled");
        n = p->now.last = pages_in_file(p);
    }
    free(p->seen);
    p->seen = memory_need(calloc((size_t)(n / 64 + 2), sizeof *p->seen));
    walk_tree(p, &main, &p->now.main, 0);
    p->table = FREE;
    walk_tree(p, &list, &p->now.free, ROOT_NUMBERS);
    if (how.stray && p->free_faults == 0 && p->faults > 0)
        walk_stray(p);
    return p->st;
}
