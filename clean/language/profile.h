/* profile.h -- how often the commonest words of a language occur in running
 * text, and how much that varies from document to document.
 *
 * A profile file has lines TYPE|mean|sd|limit as texrex writes them: a word in
 * capitals, mean and standard deviation of the decimal logarithm of its
 * relative frequency, and the most that it may add to the badness.  # starts a
 * comment, ! a line that is ignored unless it is about word order
 * (word_order.h) or a confusable language (confusable.h).  `# language=nl`
 * names the language; `# lines=N`, which texrex' have not, says how many lines
 * there are that are neither empty nor a comment: a file that was cut has
 * fewer.
 *
 * Badness ("The Good, the Bad, and the Hazy", Schaefer, Barbaresi & Bildhauer
 * 2013): the sum over types of how many standard deviations a word is rarer
 * than in running text, at most its limit; a missing word costs the limit.
 * Sums are scaled as if a profile had PROFILE_SCALE types, so that badness is
 * 0 (like running text) to 50 (nothing in common) whatever their number. */
#ifndef CLEAN_PROFILE_H
#define CLEAN_PROFILE_H

#include "base/status.h"
#include "clean/chain/document.h"
#include "confusable.h"
#include "word_order.h"

#define PROFILE_TYPES_MAX 100
#define PROFILE_SCALE 10.0
#define PROFILE_LIMIT 5.0 /* what a type may add, in profiles of ours */

struct buf;

struct profile_type {
    struct str text; /* in capitals */
    uint64_t hash;   /* hash64() of text */
    double mean, sd, limit;
    double share; /* 10 to the power of mean */
};

struct profile {
    struct str language; /* "nl" */
    struct profile_type *types;
    uint32_t types_n;
    double worst;                  /* badness of a text without words */
    struct word_order *order;      /* NULL: the file has none */
    struct confusable *confusable; /* the first; NULL: the file has none */
};

/* Parse the text of a profile; strings are copied to `a`.  ST_INVALID: not a
 * profile; *line is the line at fault (0: the whole, which may be cut). */
enum status profile_parse(struct profile *out, struct arena *a, struct str text,
                          struct str language, size_t *line);
void profile_print(const struct profile *p, struct buf *out);

/* The badness of a text of `tokens_n` words in which type i of the profile
 * occurs counts[i] times, by the published formula; all counts are 0 when
 * tokens_n is. */
double profile_badness(const struct profile *p, const uint32_t *counts,
                       uint32_t tokens_n);

#endif
