/* judge_pool.h -- threads that judge answers, a batch at a time.
 *
 * Each takes the next answer, judges it (judged.h) and keeps the result in
 * memory of its own until the next batch, so results do not depend on how many
 * threads there are. */
#ifndef LAB_JUDGE_POOL_H
#define LAB_JUDGE_POOL_H

#include "judged.h"
#include "winnow/status.h"

struct judge_pool; /* opaque; see crawler/lab/judge_pool.c */

#define JUDGE_POOL_BATCH_MAX 2048u

/* Answer number i of the batch, strings in `a`; called from all threads.  A
 * status other than ST_OK ends the batch. */
typedef enum status judge_pool_ask(void *self, uint32_t i, struct arena *a,
                                   struct answer *out);

/* `o` and `c` are borrowed.  Never fails; owned by the caller. */
struct judge_pool *judge_pool_open(const struct opts *o,
                                   const struct cleaner *c, size_t threads_n);
void judge_pool_close(struct judge_pool *c); /* NULL is allowed */

/* Judge n answers.  (*out)[i] lives until the next batch. */
enum status judge_pool_run(struct judge_pool *c, uint32_t n,
                           judge_pool_ask *ask, void *self,
                           struct judged **out);

#endif
