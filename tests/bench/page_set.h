/* page_set.h -- the pages that a benchmark works on, in memory. */
#ifndef BENCH_PAGE_SET_H
#define BENCH_PAGE_SET_H

#include "base/arena.h"
#include "base/buf.h"

struct page_set {
    struct arena *arena;
    const char **path;
    struct str *bytes; /* of each page */
    size_t n, room;
    size_t bytes_n; /* of all */
};

void page_set_init(struct page_set *s);
void page_set_free(struct page_set *s);

/* A file, or every file below a folder whose name holds ".htm", in the order of
 * their names.  False: reported.  page_set_list(): the paths that stand in a
 * file, one a line ("-": standard input). */
bool page_set_add(struct page_set *s, const char *path);
bool page_set_list(struct page_set *s, const char *path);

#endif
