/* chain.h -- stages run one after the other over a document.
 *
 * Opened once, read-only after, shared by all threads. */
#ifndef CLEAN_CHAIN_H
#define CLEAN_CHAIN_H

#include "stage.h"

#define CHAIN_STAGES_MAX 32

struct chain; /* opaque; see clean/chain/chain.c */

/* Open the stages of `table` (ended by NULL) in order.  When one fails, those
 * opened before it are closed again, in reverse, and its status is returned.
 * ST_USAGE: a stage needs what no earlier one gives; reported with the name of
 * both, the other one from `known` (all stages there are; ended by NULL).
 * `given` is what a document has from the start (DOC_BYTES). */
enum status chain_open(struct chain **out, const struct stage *const *table,
                       const struct stage *const *known, unsigned given,
                       const struct opts *o);
void chain_close(struct chain *c); /* NULL is allowed */

/* Run every stage.  Without `all`, stages that only matter for kept documents
 * are skipped once there is a reason to reject; with d->only_kept all are. */
enum status chain_run(const struct chain *c, struct document *d, bool all);

/* Run one stage only, for measuring: stage_i < chain_stages_n(). */
size_t chain_stages_n(const struct chain *c);
const char *chain_stage_name(const struct chain *c, size_t stage_i);
enum status chain_run_one(const struct chain *c, size_t stage_i,
                          struct document *d, bool all);

#endif
