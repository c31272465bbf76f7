/* shard.h -- a shard of the dedup service: has the table of some of its bands
 * in memory, and says where keys stand (shards.h asks).
 *
 * It decides nothing and writes nothing: killed, it is filled again from the
 * service's log of records.  A thread of its own; start and stop are called by
 * one. */
#ifndef SHINGLE_SHARD_H
#define SHINGLE_SHARD_H

#include "base/options/opt.h"
#include "base/status.h"

struct band_shard; /* opaque */

/* Answer at `url`, with the options of services.  ST_USAGE, ST_IO, ST_NOMEM:
 * reported. */
enum status shard_start(struct band_shard **out, struct str url,
                        const struct opts *o);
void shard_stop(struct band_shard *s); /* NULL is allowed */

#endif
