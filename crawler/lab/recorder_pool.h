/* recorder_pool.h -- threads that record answers, a batch at a time.
 *
 * Each takes the next answer, records it (recorder.h) and keeps the result in
 * memory of its own until the next batch, so results do not depend on how many
 * threads there are. */
#ifndef LAB_RECORDER_POOL_H
#define LAB_RECORDER_POOL_H

#include "base/status.h"
#include "recorder.h"

struct recorder_pool; /* opaque; see crawler/lab/recorder_pool.c */

#define RECORDER_POOL_BATCH_MAX 2048u

/* Answer number i of the batch, strings in `a`; called from all threads.  A
 * status other than ST_OK ends the batch. */
typedef enum status recorder_pool_ask(void *self, uint32_t i, struct arena *a,
                                      struct answer *out);

/* `o` and `c` are borrowed.  Never fails; owned by the caller. */
struct recorder_pool *recorder_pool_open(const struct opts *o,
                                         const struct cleaner *c,
                                         const struct link_words_model *words,
                                         size_t threads_n);
void recorder_pool_close(struct recorder_pool *p); /* NULL is allowed */

/* Record n answers.  (*out)[i] lives until the next batch. */
enum status recorder_pool_run(struct recorder_pool *p, uint32_t n,
                              recorder_pool_ask *ask, void *self,
                              struct recorded **out);

#endif
