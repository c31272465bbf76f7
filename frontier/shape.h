/* shape.h -- kinds of pages inside a host, told apart by their URLs.
 *
 * The shape of a URL is its path with runs of digits made one, and of the last
 * segment only the letters before the first digit (or nothing of a name without
 * digits) and the extension: /book/de/v2/ch01-a.html and ch02-b.html are one
 * shape, so are all of /posts/.  A host counts for a few shapes how many of
 * their pages were wasted fetches (gone, copies); what is left of a shape that
 * is nothing else goes behind the rest of the host and of other hosts. */
#ifndef FRONTIER_SHAPE_H
#define FRONTIER_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "winnow/str.h"

#define SHAPES_MAX 16u

struct shape {
    uint32_t id, useful, wasted;
};

struct shapes { /* of one host; the least used one gives way */
    struct shape item[SHAPES_MAX];
    size_t n;
};

uint32_t shape_id(struct str rest); /* of what follows the authority */
void shapes_note(struct shapes *s, uint32_t id, bool wasted);

/* The priority a URL of this shape should have: lower if the shape is bad. */
uint16_t shapes_priority(const struct shapes *s, uint32_t id,
                         uint16_t priority);

/* Wasted fetches of bad shapes: they are no sign against the whole host. */
uint64_t shapes_bad_wasted(const struct shapes *s);

#endif
