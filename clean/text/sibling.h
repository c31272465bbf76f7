/* sibling.h -- the stems that tell a language from one that is so near to it
 * that the common words do not: Croatian from Bosnian, Indonesian from Malay.
 *
 * A stem is the first SIBLING_STEM_LETTERS letters of a word (in capitals), so
 * that it stands for all forms of a word.  Its weight is the logarithm of how
 * much more often the sibling has it; the mean over the words of a text is its
 * leaning.  Running text of the language leans by `mean`, which is below 0;
 * text of the sibling leans by more.
 *
 * In a profile file (profile.h) of the language, lines that texrex passes over:
 *
 *   !sibling|bs|stems|mean|kinds|spread
 *   !stems|-16|DRŽAVN TJEDAN ...
 *
 * kinds: the deviation of the leaning from one kind of text to another; spread:
 * the variance of one word.  Then the stems by weight, in SIBLING_UNITs.
 *
 * Read-only once made; shared by all threads. */
#ifndef CLEAN_SIBLING_H
#define CLEAN_SIBLING_H

#include "winnow/document.h"
#include "winnow/status.h"
#include "word_order.h"

#define SIBLING_STEM_LETTERS 6
#define SIBLING_STEMS_MAX 20000
#define SIBLING_UNIT 0.25
#define SIBLING_WEIGHT_MAX 16 /* units; as far below 0 */

struct buf;

struct sibling_stem {
    struct str text;
    int8_t weight; /* units; not 0 */
};

struct sibling {
    struct str language; /* of the sibling */
    struct sibling_stem *stems;
    uint32_t stems_n, stems_read; /* as the first line says; so far */
    double mean, kinds, spread;
    struct order_index index; /* stem -> weight */
};

/* Reading goes line by line, as that of a table of word order. */
bool sibling_is_line(struct str line);
enum status sibling_parse_line(struct sibling **s, struct arena *a,
                               struct str line);
bool sibling_complete(const struct sibling *s);
void sibling_print(const struct sibling *s, struct buf *out);

/* Once stems are filled in: so that they are found. */
void sibling_finish(struct sibling *s, struct arena *a);

/* The first letters of a word. */
struct str sibling_stem(struct str word);

/* The weight of a word in capitals; 0: its stem is not there. */
double sibling_weight(const struct sibling *s, struct str word);

/* How many of `count` occurrences of a word in `tokens_n` words count: what a
 * text is about it has more often than the language. */
double sibling_counted(uint32_t count, uint32_t tokens_n);

/* The leaning of a text; tokens_n is not 0. */
double sibling_leaning(const struct sibling *s, const struct token_type *types,
                       uint32_t types_n, uint32_t tokens_n);

#endif
