/* learned.h -- the operations of scorer `learned` on its state (scorer.h). */
#ifndef FRONTIER_LEARNED_H
#define FRONTIER_LEARNED_H

#include "learner.h"

enum status learned_open(void **state, const struct opts *o);
void learned_close(void *state);
enum url_language learned_language(const void *state, struct str code);
struct sibling_counts learned_siblings(const void *state, uint32_t host,
                                       uint64_t page);
void learned_learn(void *state, const struct scorer_lesson *n,
                   struct buf *said);
enum status learned_load(void *state, struct url_store *db);
enum status learned_save(void *state, struct url_store *db);
void learned_saved(void *state);
enum status learned_rollback(void *state, struct url_store *db);
void learned_explain(const void *state, const struct scorer_lesson *n,
                     struct buf *out);
void learned_reliability(const void *state, struct buf *out);

#endif
