/* shards.h -- the table of bands, spread over other processes: what of it a
 * batch needs is asked for before the batch, of all shards at once.
 *
 *     shards_want ... shards_ask   batch: shards_find, shards_change ...
 *
 * Band i of a document is at shard i modulo how many there are.  A shard is
 * told with each question what was committed since the last one, out of the log
 * of records; one that was started anew is filled from its beginning.  What the
 * batch itself changes is noted here, so that its documents see each other; the
 * next shards_ask() forgets it, since by then it is in the log or undone.
 *
 * One thread. */
#ifndef SHINGLE_SHARDS_H
#define SHINGLE_SHARDS_H

#include "base/options/opt.h"
#include "proto/endpoint.h"
#include "shingle/store/record_log.h"

struct shards; /* opaque */

/* ST_USAGE (reported): one is no address, or stands there twice. */
enum status shards_check(const struct opt_list *urls,
                         const struct endpoint_options *o);

/* *out: NULL when there are no addresses.  The texts of `urls` and `o` must
 * live as long.  ST_USAGE as of shards_check(); ST_NOMEM. */
enum status shards_open(struct shards **out, const struct opt_list *urls,
                        const struct endpoint_options *o);
void shards_close(struct shards *s); /* NULL is allowed */

/* The key of band i will be looked for in the next batch. */
void shards_want(struct shards *s, uint64_t key, uint32_t i);

/* Ask for what is wanted; what was before is forgotten.  `log`: all of it is
 * committed.  ST_BUSY: a shard is away (said), or has to be filled further: ask
 * again soon. */
enum status shards_ask(struct shards *s, const struct record_log *log);

/* As tags_find(), of a key that was asked for. */
size_t shards_find(const struct shards *s, uint64_t key, uint32_t *out,
                   size_t max);
/* A change of the batch under way; and none of them. */
void shards_change(struct shards *s, uint64_t key, uint32_t place, bool added);
void shards_undo(struct shards *s);

#endif
