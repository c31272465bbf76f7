/* word_order.h -- the common words of a language, and which words follow which
 * in running text.
 *
 * Words fall into classes: each of the commonest words belongs to one, the
 * others are told apart by their last letters (the longest ending that the
 * table has, of three letters at most), and what has none of the endings is in
 * class 0.  An ending may begin with a mark: in Tamil it is a vowel's sign that
 * tells a case, whatever consonant it stands on.
 * The classes were chosen so that they tell most about the class of the next
 * word (order_cluster.h), which finds articles, prepositions, cases and forms
 * of verbs by itself.  For every pair of classes the table has how much more
 * often the second follows the first than chance would have it.
 *
 * The mean over the pairs of a text, less what the same words would have in any
 * order, is the excess: about 0 for words that were shuffled, whatever words
 * they are; running text has much more.  A list with all the right words is
 * found out.
 *
 * In a profile file (profile.h) the table stands in lines that begin with !,
 * which texrex passes over:
 *
 *   !order|3|words|classes|running|spread|common
 *   !word|DER|-1.548|17          words times
 *   !class|MKAAN...|EN ER TE     classes times
 *
 * running: the excess of running text; spread: variance of one pair; common:
 * the evidence for the language in a word of running text (assess.h).  Then for
 * each word the decimal logarithm of its relative frequency and its class, and
 * for each class a letter for every class that may follow and its endings: M
 * for as often as by chance, N, O ... a factor of e^0.25 more often each, L, K
 * ... less often.
 *
 * Read-only once made; shared by all threads. */
#ifndef CLEAN_WORD_ORDER_H
#define CLEAN_WORD_ORDER_H

#include "base/hashmap.h"
#include "base/status.h"
#include "clean/chain/document.h"

#define ORDER_VERSION 3
#define ORDER_CLASSES_MAX 64
#define ORDER_WORDS_MAX 250
#define ORDER_ENDINGS_MAX 600
#define ORDER_ENDING_LETTERS 3
#define ORDER_ENDING_POINTS 6 /* code points: letters and their marks */
#define ORDER_CELL_MIN (-12)  /* 'A' */
#define ORDER_CELL_MAX 13     /* 'Z' */
#define ORDER_CELL_UNIT 0.25

struct buf;

struct order_word {
    struct str text; /* in capitals */
    uint64_t hash;   /* hash64() of text */
    double share;    /* log10 of its relative frequency */
    uint8_t class;
};

/* Words and endings by key: where a word belongs.  Of a key, 31 bits are kept:
 * enough for some hundreds, and all fit the first-level cache. */
struct order_slot {
    uint32_t tag; /* 0: empty */
    uint16_t value;
};
struct order_index {
    struct hashmap slots;
};

struct word_order {
    struct order_word *words;
    struct str *endings; /* of each class, with a blank between two */
    int8_t (*cells)[ORDER_CLASSES_MAX]; /* [before][after] */
    uint32_t words_n, classes_n;        /* as the first line says */
    uint32_t words_read, classes_read;  /* so far */
    double running, spread, common;     /* excess and spread in cell units */
    struct order_index index;           /* words and endings -> class */
};

/* Reading goes line by line; the table is complete when all the words and
 * classes that its first line names were read. */
bool order_is_line(struct str line); /* has it to do with word order? */
enum status order_parse_line(struct word_order **o, struct arena *a,
                             struct str line);
bool order_complete(const struct word_order *o);
void order_print(const struct word_order *o, struct buf *out);

/* Three decimals, a point in every locale. */
void order_print_real(struct buf *out, double x);

/* An empty table with room for so much, to be filled in. */
struct word_order *order_new(struct arena *a, uint32_t words_n,
                             uint32_t classes_n);

/* Once words and endings are filled in: so that they are found.  ST_INVALID:
 * an ending is too long, or there are too many. */
enum status order_finish(struct word_order *o, struct arena *a);

/* An index with room for n keys; what is not in it has the value 0. */
struct order_index order_index_new(struct arena *a, uint32_t n);
void order_index_add(struct order_index *x, uint64_t key, uint16_t value);

/* The value of a key; 0: it is not there. */
uint16_t order_index_value(const struct order_index *x, uint64_t key);

/* The value of a word (in capitals; `hash` is its hash64()), or of its longest
 * ending that is there. */
uint16_t order_index_find(const struct order_index *x, struct str word,
                          uint64_t hash);

/* The key of a word, by its hash; differs from that of any ending. */
uint64_t order_word_key(uint64_t hash);

/* The key of the ending of *word with so many code points, and the ending
 * itself; 0: it has not so many, or more than an ending may have. */
uint64_t order_ending(struct str *word, uint32_t points);

/* The class of a word. */
static inline uint8_t
order_class(const struct word_order *o, struct str word, uint64_t hash)
{
    return (uint8_t)order_index_find(&o->index, word, hash);
}

/* The mean of the cells over all pairs of `n` words, class[sequence[i]] each,
 * less what it would be with these words in any order; 0 if n is less than 2.
 */
double order_excess(const struct word_order *o, const uint8_t *class,
                    const uint32_t *sequence, uint32_t n);

/* Words that stand in a row: tokens first .. first + n - 1. */
struct token_run {
    uint32_t first, n;
};

/* The same over several runs of words; no pair reaches from one to another. */
double order_excess_of(const struct word_order *o, const uint8_t *class,
                       const uint32_t *tokens, const struct token_run *runs,
                       uint32_t runs_n);

#endif
