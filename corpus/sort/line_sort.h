/* line_sort.h -- lines in the order of their bytes, in parts by their keys,
 * however many they are.
 *
 * A line's key is what stands before its first TAB; all lines of a key come
 * into one part, and in it they are neighbours.  A sorter belongs to one thread
 * and holds lines in the memory it is given; when that is full they are sorted,
 * combined and written to a run.  The runs of all sorters are then merged, part
 * by part, by any threads. */
#ifndef CORPUS_LINE_SORT_H
#define CORPUS_LINE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line_stream.h"

#define LINE_SORT_PARTS_MAX 64u
#define LINE_SORT_MEMORY_MIN ((size_t)64 << 10)
#define LINE_SORT_MEMORY_MAX ((size_t)3 << 30)

/* Lines in order in, lines in order out; fewer of them. */
typedef enum status line_combine(void *self, const struct line_stream *in,
                                 const struct line_sink *out);

struct line_sort_options {
    const char *path;      /* runs are PATH-SORTER-N-PART */
    unsigned sorter;       /* number of the sorter */
    unsigned parts;        /* 1 to LINE_SORT_PARTS_MAX */
    size_t memory;         /* bytes, in the bounds above */
    line_combine *combine; /* NULL: as they are */
    void *self;
};

struct line_sort; /* opaque */

struct line_sort *line_sort_new(const struct line_sort_options *o);
void
line_sort_free(struct line_sort *s); /* its runs go, too; NULL is allowed */

/* ST_FULL, ST_IO: reported. */
enum status line_sort_put(void *sorter, struct str line);
/* There are no more: what is in memory is written, and the memory is freed. */
enum status line_sort_end(struct line_sort *s);

uint64_t line_sort_runs(const struct line_sort *s);
uint64_t line_sort_bytes(const struct line_sort *s); /* of runs, packed */

/* ---- merging ---- */

struct line_merge; /* opaque; one thread */

/* What a merge may have at once. */
struct line_merge_bounds {
    size_t memory; /* bytes, for buffers */
    size_t files;  /* descriptors; at least 3 are taken */
};

/* The lines of a part in order, of sorters that have ended and stay.  More
 * runs than can be read at once are merged into larger ones first. */
enum status line_merge_open(struct line_merge **out,
                            struct line_sort *const *sorters, size_t n,
                            unsigned part,
                            const struct line_merge_bounds *bounds);
enum status line_merge_next(void *merge, struct str *line);
void line_merge_close(struct line_merge *m); /* NULL is allowed */

#endif
