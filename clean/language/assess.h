/* assess.h -- the badness of a document for all languages with a profile.
 *
 * Badness is the worst of three parts, and at most 50:
 *   words    common words are too rare
 *   order    the words are in no order (word_order.h)
 *   foreign  the common words are nearer to those of another language, or the
 *            stems to those of a confusable language (confusable.h)
 * Each is the square of how many standard deviations the document is from
 * running text of the language, scaled so that ASSESS_LIMIT of them are 25.
 * Both what kinds of text differ by and what chance does to so few words go
 * into the deviation: short texts need to be stranger than long ones.
 * They are not added up: code between paragraphs takes from the words and from
 * the order alike, and would count twice.
 * Instead of `words` the published badness can be had (profile.h).  A profile
 * without a table of word order, as texrex has them, always gets that; it has
 * no order part and is no language to be nearer to.
 *
 * An assessor is read-only once made; threads share it. */
#ifndef CLEAN_ASSESS_H
#define CLEAN_ASSESS_H

#include "profiles.h"

enum assess_part {
    ASSESS_WORDS = 1,
    ASSESS_ORDER = 2,
    ASSESS_FOREIGN = 4,
    ASSESS_PUBLISHED = 8 /* instead of words: the published formula */
};

#define ASSESS_WORST 50.0
#define ASSESS_LIMIT 2.6

struct assessor; /* opaque; see clean/language/assess.c */

/* `p` must outlive the result; `parts`: bits of enum assess_part that count.
 * NULL: out of memory. */
struct assessor *assessor_new(const struct profiles *p, unsigned parts);
void assessor_free(struct assessor *s); /* NULL is allowed */

/* Set badness, its parts and the language of *d for the best of the profiles
 * target[0 .. targets_n - 1], or the first of them with a badness of at most
 * `enough` if that is above 0; badness_best and language_best over all. Without
 * a word there is no best language, and of several targets none: "". */
void assess(const struct assessor *s, struct document *d, const size_t *target,
            size_t targets_n, double enough);

#endif
