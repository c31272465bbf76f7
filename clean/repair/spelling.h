/* spelling.h -- British and American spelling: which one a text has, and the
 * other one.
 *
 * The table (data/british-american.tsv) has lines BRITISH<TAB>AMERICAN in small
 * letters, and perhaps <TAB>FLAG: ">" when the American word has other meanings
 * and is not turned back, "z" for -ize, which is British, too.  Read-only after
 * it is made; thread-safe. */
#ifndef CLEAN_SPELLING_H
#define CLEAN_SPELLING_H

#include "base/arena.h"
#include "base/status.h"

#define SPELLING_WORD_MAX 32u

enum spelling_side { SPELLING_UNKNOWN, SPELLING_BRITISH, SPELLING_AMERICAN };

struct spelling; /* opaque; see clean/repair/spelling.c */

/* *bad: lines that are of another form.  `text` is copied. */
enum status spelling_parse(struct spelling **out, struct str text,
                           uint32_t *bad);
void spelling_free(struct spelling *s); /* NULL is allowed */
uint32_t spelling_pairs_n(const struct spelling *s);

/* The text in the other spelling; itself when no word changes.  Capitals stay
 * capitals; parts of addresses and file names stay as they are. */
struct str spelling_turn(const struct spelling *s, struct arena *a,
                         struct str text, enum spelling_side to);

/* Add the words that tell the sides apart to n[SPELLING_BRITISH] and
 * n[SPELLING_AMERICAN]. */
void spelling_count(const struct spelling *s, struct str text, uint32_t n[3]);

/* What such counts say: unknown unless one side has twice the other's. */
enum spelling_side spelling_decide(const uint32_t n[3]);

#endif
