/* put_fault.h -- may the documents of a put be stored?
 *
 * Its messages are well-formed (dedup_message.h); this is what the service's
 * own index and formats have to say. */
#ifndef SHINGLE_PUT_FAULT_H
#define SHINGLE_PUT_FAULT_H

#include "shingle/index/index.h"
#include "shingle/message/dedup_message.h"

struct opts;

/* Why they are not taken, for people (in `a`, or for ever); NULL: they are. */
const char *put_fault(struct index *x, const struct opts *o,
                      const struct dedup_request *r, struct arena *a);

#endif
