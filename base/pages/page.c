/* page.c -- see page.h: bounds, and nodes that fill the space behind `upper`
 * without gap or overlap.  LMDB moves them when it deletes one, and would write
 * outside of the page. */
#include "page.h"

struct page_root
page_read_root(const unsigned char *p)
{
    return (struct page_root){.flags = layout_u16(p + 4),
                              .depth = layout_u16(p + 6),
                              .branches = layout_get(p + 8, 8),
                              .leaves = layout_get(p + 16, 8),
                              .overflows = layout_get(p + 24, 8),
                              .entries = layout_get(p + 32, 8),
                              .page = layout_get(p + 40, 8)};
}

bool
page_read_meta(struct page_meta *out, const unsigned char *b)
{
    uint64_t size = layout_get(b + 40, 4);

    if ((layout_u16(b + 10) & PAGE_META) == 0 ||
        layout_get(b + 16, 4) != META_MAGIC ||
        layout_get(b + 20, 4) != META_VERSION || size < PAGE_SIZE_LEAST ||
        size > PAGE_SIZE_MOST || (size & (size - 1)))
        return false;
    *out = (struct page_meta){.good = true,
                              .size = size,
                              .free = page_read_root(b + 40),
                              .main = page_read_root(b + 88),
                              .last = layout_get(b + 136, 8),
                              .txn = layout_get(b + 144, 8)};
    return true;
}

unsigned
page_node(const unsigned char *b, unsigned i)
{
    return layout_u16(b + PAGE_HEADER + 2 * i);
}

uint64_t
page_data_size(const unsigned char *node)
{
    return layout_get(node, 4);
}

/* Bytes of a node in its page; 0: more than there are. */
static size_t
node_size(const unsigned char *b, size_t page_size, size_t at, bool leaf)
{
    const unsigned char *node = b + at;
    size_t left = page_size - at, n;

    if (left < NODE_HEADER)
        return 0;
    n = NODE_HEADER + layout_u16(node + 6);
    if (leaf && (layout_u16(node + 4) & NODE_BIG))
        n += 8;
    else if (leaf)
        n += (size_t)page_data_size(node);
    n += n & 1;
    return n <= left ? n : 0;
}

/* The nodes follow each other from `upper` to the end of the page. */
static bool
nodes_fill(const unsigned char *b, size_t page_size, unsigned n, unsigned upper,
           bool leaf)
{
    uint64_t start[PAGE_SIZE_MOST / 2 / 64];
    size_t at = upper;
    unsigned met = 0;

    memset(start, 0, page_size / 2 / 8);
    for (unsigned i = 0; i < n; i++) {
        unsigned from = page_node(b, i);

        if (from < upper || from >= page_size || (from & 1))
            return false;
        start[from / 128] |= (uint64_t)1 << from / 2 % 64;
    }
    for (size_t size; at < page_size; at += size, met++)
        if ((start[at / 128] >> at / 2 % 64 & 1) == 0 ||
            (size = node_size(b, page_size, at, leaf)) == 0)
            return false;
    return met == n;
}

const char *
page_check(const unsigned char *b, size_t size, unsigned kind, unsigned least,
           unsigned *n)
{
    unsigned lower = layout_u16(b + 12), upper = layout_u16(b + 14);

    if (layout_u16(b + 10) != kind)
        return kind == PAGE_LEAF ? "it is no leaf" : "it is no branch";
    if (lower < PAGE_HEADER || lower > upper || upper > size || (lower & 1))
        return "its bounds are garbled";
    *n = (lower - PAGE_HEADER) / 2;
    if (*n < least)
        return "it is empty";
    if (!nodes_fill(b, size, *n, upper, kind == PAGE_LEAF))
        return "its rows are garbled";
    return NULL;
}

struct str
page_key(const unsigned char *node)
{
    return str_n((const char *)node + NODE_HEADER, layout_u16(node + 6));
}
