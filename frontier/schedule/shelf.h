/* shelf.h -- a host's queue in shelves: kinds of pages inside a host, told
 * apart by their URLs.
 *
 * The pages of a shelf share a fate: /docs/2.4/de/ is in one language, /tag/
 * is lists, /L0*.html is gone.  Each shelf has its own order, by what is known
 * of the links, and its own counts of how its pages ended; what a scorer makes
 * of the counts moves a whole shelf at once, so that what is queued follows
 * what is learnt without being rewritten.
 *
 * A kind is a hash of parts of the URL behind the authority, at three levels:
 *   fine    two directories with runs of digits made one, how many there are,
 *           the last segment's letters before its first digit (nothing of a
 *           name without digits), extension, name of the first parameter
 *   middle  one directory, extension, query or not
 *   coarse  extension, query or not
 * and at each of them the marks of a language anywhere: /de/, x.de.html,
 * lang=de.  A host's first shelves are fine ones, when many are taken its new
 * ones are middle, then coarse; the last takes the rest. */
#ifndef FRONTIER_SHELF_H
#define FRONTIER_SHELF_H

#include <stddef.h>
#include <stdint.h>

#include "frontier/score/cause.h"
#include "winnow/arena.h"
#include "winnow/str.h"

#define SHELVES_MAX 32u /* numbers fit a byte of the queue's keys */
#define SHELF_LEVELS 3u
#define SHELF_REST 0u /* the kind of the shelf that takes all others */

struct shelf {
    uint64_t queued;        /* rows in `queue` */
    uint64_t head_sequence; /* of the best row */
    uint32_t kind;
    uint16_t head_priority; /* 0: it is empty */
    struct causes causes;
};

struct shelves { /* of one host; a shelf keeps its number for good */
    struct shelf *item;
    size_t n, room;
};

struct shelf_kinds {
    uint32_t level[SHELF_LEVELS]; /* fine first; never SHELF_REST */
};
struct shelf_kinds shelf_kinds(struct str rest); /* behind the authority */

/* The number of the shelf for these kinds (NULL: the rest), made when there is
 * none, in the arena. */
size_t shelves_find(struct shelves *s, const struct shelf_kinds *kinds,
                    struct arena *a);

#endif
