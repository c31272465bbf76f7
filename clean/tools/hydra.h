/* hydra.h -- hard hyphenation undone: "unter- werfen" is one word.
 *
 * Pure but for the state that joins over line ends.  Belongs to one thread. */
#ifndef CLEAN_HYDRA_H
#define CLEAN_HYDRA_H

#include <stdio.h>

#include "unigrams.h"

struct hydra_options {
    bool german; /* Noun- Noun, both with a capital, is a compound */
    bool mark;   /* write <normalized from="..."> instead of the plain word */
    bool across; /* join over the end of a line, too */
    FILE *made;  /* "unter- werfen => unterwerfen" of each pair that was joined;
                    NULL: nowhere */
    FILE *left;  /* "vor- Ort ==" of each that might have been; NULL: nowhere */
};

struct hydra_counts {
    uint64_t lines, candidates, concatenated, merged;
};

struct hydra; /* opaque; see clean/tools/hydra.c */

/* Both must outlive the result. */
struct hydra *hydra_new(const struct unigrams *u, const struct letters *l,
                        struct hydra_options o);
void hydra_free(struct hydra *h); /* NULL is allowed */

/* Take a line of valid UTF-8 (without its end).  Lines that are finished are
 * appended to `out`, each with \n; with `across` the latest may be held back.
 */
void hydra_line(struct hydra *h, struct str line, struct buf *out);

/* Append a line as it is; nothing is joined over it. */
void hydra_copy(struct hydra *h, struct str line, struct buf *out);

/* What is held back; with its \n. */
void hydra_finish(struct hydra *h, struct buf *out);

struct hydra_counts hydra_counts(const struct hydra *h);

#endif
