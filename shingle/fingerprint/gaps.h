/* gaps.h -- a sketch of few bits that are set, as the distances between them.
 *
 * Two bytes say how many are set and of how many (a power of two); then each
 * distance as a Rice code.  So a document of few shingles has a sketch of many
 * bits in as many bytes as a longer one has of few.  The length is a multiple
 * of four and never a power of two from 128 on: those are of plain bits. */
#ifndef SHINGLE_GAPS_H
#define SHINGLE_GAPS_H

#include "base/arena.h"
#include "base/str.h"

enum { GAPS_BITS_MAX = 1 << 14, GAPS_BYTES_MAX = 2 << 10 };

/* Of bits_n bits, GAPS_BITS_MAX at most; in memory of the arena. */
struct str gaps_make(const uint64_t *word, uint32_t bits_n, struct arena *a);

/* How many bits it is of; 0: these bytes are none.  `bytes` may go on behind
 * its end. */
uint32_t gaps_bits(struct str bytes);

/* Turn over each bit that is set, in a sketch of `bits` bits: those of gaps or
 * a smaller power of two.  How many bytes it has; 0: they are cut or garbled.
 */
size_t gaps_turn(struct str bytes, uint64_t *word, uint32_t bits);

#endif
