/* tags_memory.h -- the memory of a table of tags: one range of addresses, in
 * large pages where the system has them.
 *
 * A look-up touches a dozen places anywhere in a gigabyte: in pages of 4 KiB
 * each of them is a walk through tables that are in no cache either.  Pieces
 * are taken from the lowest addresses where they fit; what is given back is
 * used again, not returned to the system.  One owner. */
#ifndef SHINGLE_TAGS_MEMORY_H
#define SHINGLE_TAGS_MEMORY_H

#include <stddef.h>

struct tags_memory {
    char *base;
    size_t reserved; /* addresses */
    size_t usable;   /* of them: may be written to; not kept up with `ahead` */
    size_t top;      /* nothing is taken behind it */
    struct tags_ahead *ahead; /* NULL: there is little yet */
    struct tags_extent {
        size_t at, bytes;
    } * free; /* in order; two of them never touch */
    size_t free_n, free_room;
};

/* All bytes 0 at first: nothing is reserved. */
void tags_memory_close(struct tags_memory *m);

/* Zeroed; NULL: there is none.  The same size is told when it is given back. */
void *tags_memory_take(struct tags_memory *m, size_t bytes);
void tags_memory_give(struct tags_memory *m, void *p, size_t bytes);

#endif
