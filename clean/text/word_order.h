/* word_order.h -- which words follow which in running text.
 *
 * Words fall into classes: each of a language's commonest words is one, the
 * others are told apart by their last letter, the rest is one more.  A table
 * has, for every pair of classes, how much more often the second follows the
 * first than chance would have it ("of" before "the": much more often; "the"
 * before "of": hardly ever).  The mean over the pairs of a text is high in
 * running text and low once the words are shuffled, whatever the words are: a
 * list with all the right words is found out.
 *
 * In a profile file (profile.h) the table stands in lines that begin with !,
 * which texrex and Winnow before version 2 of the format pass over:
 *
 *   !order|2|words|endings|running|spread
 *   !word|DER|-1.548|MKAAN...       words times
 *   !ending|N|-0.912|PMMLO...       endings times
 *   !rest||-1.702|MMNMM...
 *
 * running: the mean that three of four running texts exceed; spread: variance
 * of the cells around a text's mean.  Then per class the decimal logarithm of
 * its relative frequency and a letter for every class that may follow: M for as
 * often as by chance, N, O ... a factor of e^0.25 more often each, L, K ...
 * less often.
 *
 * Read-only once made; shared by all threads. */
#ifndef CLEAN_WORD_ORDER_H
#define CLEAN_WORD_ORDER_H

#include "winnow/document.h"
#include "winnow/status.h"

#define ORDER_VERSION 2
#define ORDER_CLASSES_MAX 128
#define ORDER_WORDS_MAX 96
#define ORDER_ENDINGS_MAX (ORDER_CLASSES_MAX - ORDER_WORDS_MAX - 1)
#define ORDER_CELL_MIN (-12) /* 'A' */
#define ORDER_CELL_MAX 13    /* 'Z' */
#define ORDER_CELL_UNIT 0.25

struct buf;

struct order_class {
    struct str text; /* word in capitals, or the letter, or "" for the rest */
    uint64_t hash;   /* hash64() of text */
    double share;    /* log10 of its relative frequency */
};

struct word_order {
    struct order_class *classes; /* words, endings, rest */
    uint32_t words_n, endings_n, classes_n;
    int8_t *cells;   /* [before * ORDER_CLASSES_MAX + after] */
    double running;  /* mean over the pairs of running text, in cell units */
    double spread;   /* variance of that mean times the pairs */
    double shuffled; /* what it is when words stand in any order */

    /* last letter -> class */
    uint8_t ascii[128];
    struct {
        uint32_t letter;
        uint8_t class;
    } other[ORDER_CLASSES_MAX];
};

/* Reading goes line by line; the table is complete when all the classes that
 * its first line names were read. */
bool order_is_line(struct str line); /* has it to do with word order? */
enum status order_parse_line(struct word_order **o, struct arena *a,
                             struct str line);
bool order_complete(const struct word_order *o);
void order_print(const struct word_order *o, struct buf *out);

/* Three decimals, a point in every locale. */
void order_print_real(struct buf *out, double x);

/* An empty table, to be filled in. */
struct word_order *order_new(struct arena *a);

/* Once classes and cells are filled in: everything that follows from them. */
void order_finish(struct word_order *o);

/* The last code point of a word; 0: it has none. */
uint32_t order_last_letter(struct str word);

/* The class of a word (in capitals) that is none of the table's words. */
uint8_t order_ending(const struct word_order *o, struct str word);

/* Sum of the cells over all pairs of `n` words, class[sequence[i]] each. */
int64_t order_sum(const struct word_order *o, const uint8_t *class,
                  const uint32_t *sequence, uint32_t n);

/* How much of the order of running text is lost in `n` words with this sum, as
 * far as so few words allow to tell: 0 (like running text) to 1 (shuffled). */
double order_lost(const struct word_order *o, int64_t sum, uint32_t n);

#endif
