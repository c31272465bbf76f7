/* assess.h -- the badness of a document for all languages with a profile.
 *
 * Badness is a sum of three parts, 0 .. 50 each, and at most 50:
 *   words    common words are too rare: the published badness (profile.h),
 *            cautious with short texts unless that exactly is asked for
 *   order    how much of the word order of running text is lost (word_order.h)
 *   foreign  how much nearer the common words are to another language's
 * A profile without a table of word order has no order part and is no
 * language to be nearer to.
 *
 * An assessor is read-only once made; threads share it. */
#ifndef CLEAN_ASSESS_H
#define CLEAN_ASSESS_H

#include "profiles.h"

enum assess_part {
    ASSESS_WORDS = 1,
    ASSESS_ORDER = 2,
    ASSESS_FOREIGN = 4,
    ASSESS_PUBLISHED = 8 /* words by the published formula */
};

#define ASSESS_WORST 50.0

struct assessor; /* opaque; see clean/text/assess.c */

/* `p` must outlive the result; `parts`: bits of enum assess_part that count.
 * NULL: out of memory. */
struct assessor *assessor_new(const struct profiles *p, unsigned parts);
void assessor_free(struct assessor *s); /* NULL is allowed */

/* Set badness, its parts and the language of *d for the best of the profiles
 * target[0 .. targets_n - 1], or the first of them with a badness of at most
 * `enough` if that is above 0; badness_best and language_best over all. */
void assess(const struct assessor *s, struct document *d, const size_t *target,
            size_t targets_n, double enough);

#endif
