/* crew.h -- threads that judge answers, a batch at a time.
 *
 * Each takes the next answer, judges it (judged.h) and keeps the result in
 * memory of its own until the next batch, so results do not depend on how many
 * threads there are. */
#ifndef LAB_CREW_H
#define LAB_CREW_H

#include "judged.h"
#include "winnow/status.h"

struct crew; /* opaque; see crawler/lab/crew.c */

#define CREW_BATCH_MAX 2048u

/* Answer number i of the batch, strings in `a`; called from all threads.  A
 * status other than ST_OK ends the batch. */
typedef enum status crew_ask(void *self, uint32_t i, struct arena *a,
                             struct answer *out);

/* `o` and `c` are borrowed.  Never fails; owned by the caller. */
struct crew *crew_open(const struct opts *o, const struct cleaner *c,
                       size_t threads_n);
void crew_close(struct crew *c); /* NULL is allowed */

/* Judge n answers.  (*out)[i] lives until the next batch. */
enum status crew_run(struct crew *c, uint32_t n, crew_ask *ask, void *self,
                     struct judged **out);

#endif
