/* word_codes.h -- a number for each word, given by several threads at once.
 *
 * Numbers begin with 1.  A thread looks words up through a cache of its own. */
#ifndef CORPUS_WORD_CODES_H
#define CORPUS_WORD_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define WORD_CODE_BITS 25

struct word_codes;      /* opaque; thread-safe */
struct word_code_cache; /* opaque; one thread */

/* `memory`: bytes that it may use. */
struct word_codes *word_codes_new(size_t memory);
void word_codes_free(struct word_codes *w); /* NULL is allowed */

struct word_code_cache *word_code_cache_new(struct word_codes *w);
/* Counts that the cache holds go to the words. */
void word_code_cache_end(struct word_code_cache *c);

/* The number of a word, which is counted; 0: there is no more memory, or no
 * more numbers. */
uint32_t word_code(struct word_code_cache *c, struct str word);

/* ---- when no thread asks any more ---- */

/* More than any number. */
uint32_t word_codes_end(const struct word_codes *w);
/* The word of a number, "" when it has none; how often it was asked for. */
struct str word_of_code(const struct word_codes *w, uint32_t code);
uint64_t word_code_count(const struct word_codes *w, uint32_t code);

#endif
