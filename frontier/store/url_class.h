/* url_class.h -- a host's queue in URL classes: kinds of pages inside a host,
 * told apart by their URLs.
 *
 * The pages of a URL class share a fate: /docs/2.4/de/ is in one language,
 * /tag/ is lists, /L0*.html is gone.  Each URL class has its own order, by what
 * is known of the links, and its own counts of how its pages ended; what a
 * scorer makes of the counts moves a whole URL class at once, so that what is
 * queued follows what is learnt without being rewritten.
 *
 * A kind is a hash of parts of the URL behind the authority, at three levels:
 *   fine    two directories with runs of digits made one, how many there are,
 *           the last segment's letters before its first digit (nothing of a
 *           name without digits), extension, name of the first parameter
 *   middle  one directory, extension, query or not
 *   coarse  extension, query or not
 * and at each of them the marks of a language anywhere: /de/, x.de.html,
 * lang=de.  A host's first URL classes are fine ones, when many are taken its
 * new ones are middle, then coarse; the last takes the rest. */
#ifndef FRONTIER_URL_CLASS_H
#define FRONTIER_URL_CLASS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "outcome_class.h"

#define URL_CLASSES_MAX 32u /* numbers fit a byte of the queue's keys */
#define URL_CLASS_LEVELS 3u
#define URL_CLASS_REST                                                         \
    0u /* the kind of the URL class that takes all others                      \
        */

struct url_class {
    uint64_t queued;        /* rows in `queue` */
    uint64_t head_sequence; /* of the best row */
    uint32_t kind;
    uint16_t head_priority; /* 0: it is empty */
    struct outcome_counts outcomes;
};

struct url_classes { /* of one host; a URL class keeps its number for good */
    struct url_class *item;
    size_t n, room;
};

struct url_class_kinds {
    uint32_t level[URL_CLASS_LEVELS]; /* fine first; never URL_CLASS_REST */
};
struct url_class_kinds
url_class_kinds(struct str rest); /* behind the authority */

/* The number of the URL class for these kinds (NULL: the rest), made when there
 * is none, in the arena. */
size_t url_class_find(struct url_classes *s,
                      const struct url_class_kinds *kinds, struct arena *a);

#endif
