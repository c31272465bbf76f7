/* marks.h -- places in a decompressed stream and the offsets they come from.
 *
 * A queue: added at the end, forgotten from the front.  Starts as {0}. */
#ifndef CLEAN_MARKS_H
#define CLEAN_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mark {
    uint64_t position; /* in the decompressed stream, ascending */
    uint64_t offset;   /* in the file */
};

struct marks {
    struct mark *item;
    size_t from, n, room;
};

void marks_free(struct marks *m);

/* A second mark at a position replaces the first: an empty member lay between.
 * Out of memory: not added, a record less that can be found again. */
void marks_add(struct marks *m, uint64_t position, uint64_t offset);

void marks_forget(struct marks *m, uint64_t before);

/* After marks_forget() of `position`: whether there is a mark at it. */
bool marks_here(const struct marks *m, uint64_t position, uint64_t *offset);

/* The same: bytes from there to the next mark, SIZE_MAX: none. */
size_t marks_ahead(const struct marks *m, uint64_t position);

#endif
