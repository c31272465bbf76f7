/* confusable.h -- the stems that tell a language from one that is so near to it
 * that the common words do not: Croatian from Bosnian, Indonesian from Malay.
 * A language may have several: Bosnian has Croatian and Serbian.
 *
 * A stem is the first CONFUSABLE_STEM_LETTERS letters of a word (in capitals),
 * so that it stands for all forms of a word.  Its weight is the logarithm of
 * how much more often the confusable language has it; the mean over the words
 * of a text is its leaning.  Running text of the language leans by `mean`,
 * which is below 0; text of the confusable language leans by more.
 *
 * In a profile file (profile.h) of the language, lines that texrex passes over:
 *
 *   !sibling|bs|stems|mean|kinds|spread
 *   !stems|-16|DRŽAVN TJEDAN ...
 *
 * kinds: the deviation of the leaning from one kind of text to another; spread:
 * the variance of one word.  Then the stems by weight, in CONFUSABLE_UNITs, up
 * to the next !sibling.
 *
 * Read-only once made; shared by all threads. */
#ifndef CLEAN_CONFUSABLE_H
#define CLEAN_CONFUSABLE_H

#include "base/status.h"
#include "clean/chain/document.h"
#include "word_order.h"

#define CONFUSABLE_STEM_LETTERS 6
#define CONFUSABLE_STEMS_MAX 20000
#define CONFUSABLE_UNIT 0.25
#define CONFUSABLE_WEIGHT_MAX 16 /* units; as far below 0 */

struct buf;

struct confusable_stem {
    struct str text;
    int8_t weight; /* units; not 0 */
};

struct confusable {
    struct str language; /* of the confusable language */
    struct confusable_stem *stems;
    uint32_t stems_n, stems_read; /* as the first line says; so far */
    double mean, kinds, spread;
    struct order_index index; /* stem -> weight */
    struct confusable *next;  /* the table for another language; NULL: none */
};

/* Reading goes line by line, as that of a table of word order; *s is the first
 * table.  Complete: all of them are, as all are printed. */
bool confusable_is_line(struct str line);
enum status confusable_parse_line(struct confusable **s, struct arena *a,
                                  struct str line);
bool confusable_complete(const struct confusable *s);
void confusable_print(const struct confusable *s, struct buf *out);

/* Once stems are filled in: so that they are found. */
void confusable_finish(struct confusable *s, struct arena *a);

/* The first letters of a word. */
struct str confusable_stem(struct str word);

/* The weight of a word in capitals; 0: its stem is not there. */
double confusable_weight(const struct confusable *s, struct str word);

/* How many of `count` occurrences of a word in `tokens_n` words count: what a
 * text is about it has more often than the language. */
double confusable_counted(uint32_t count, uint32_t tokens_n);

/* The leaning of a text; tokens_n is not 0. */
double confusable_leaning(const struct confusable *s,
                          const struct token_type *types, uint32_t types_n,
                          uint32_t tokens_n);

#endif
