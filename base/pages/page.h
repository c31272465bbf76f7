/* page.h -- one page of an LMDB file by itself (layout.h). */
#ifndef PAGES_PAGE_H
#define PAGES_PAGE_H

#include <stdbool.h>

#include "base/str.h"
#include "layout.h"

#define PAGE_SIZE_LEAST 512u
#define PAGE_SIZE_MOST 65536u

struct page_root {
    unsigned flags, depth;
    uint64_t branches, leaves, overflows, entries, page;
};

struct page_meta {
    bool good;
    uint64_t size, txn, last; /* of a page; commit; last page */
    struct page_root free, main;
};

struct page_root page_read_root(const unsigned char *p);
/* META_SIZE bytes.  False: they are no meta page. */
bool page_read_meta(struct page_meta *out, const unsigned char *b);

/* Where node i begins; its key; how large its data is.  Of a page that
 * page_check() has passed. */
unsigned page_node(const unsigned char *b, unsigned i);
struct str page_key(const unsigned char *node);
uint64_t page_data_size(const unsigned char *node);

/* Why a page of `size` bytes is no page of this kind with at least so many
 * nodes; NULL: it is, with *n. */
const char *page_check(const unsigned char *b, size_t size, unsigned kind,
                       unsigned least, unsigned *n);

#endif
