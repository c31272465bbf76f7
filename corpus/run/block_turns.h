/* block_turns.h -- blocks of lines to several takers in turns: the first to
 * taker 0, the next to taker 1 ..., whoever is faster.
 *
 * So what a taker makes of its blocks is the same in every run.  Who asks while
 * it is another one's turn reads for that one, up to a few blocks ahead. */
#ifndef CORPUS_BLOCK_TURNS_H
#define CORPUS_BLOCK_TURNS_H

#include "line_source.h"

struct block_turns; /* opaque; thread-safe */

/* The source is borrowed, and nobody else takes blocks of it. */
struct block_turns *block_turns_new(struct line_source *s, size_t takers);
void block_turns_free(struct block_turns *t); /* NULL is allowed */

/* The next block of taker `i`, as line_source_block() has it.  May wait until
 * others have taken theirs; nobody waits for one that has not asked yet. */
enum status block_turns_next(struct block_turns *t, size_t i, struct buf *block,
                             uint64_t *too_long);
/* Taker `i` asks for no more: what is left for it is read and thrown away. */
void block_turns_leave(struct block_turns *t, size_t i);

#endif
