/* forget.h -- a host, or all hosts of an owner, leave a corpus. */
#ifndef CRAWLER_FORGET_FORGET_H
#define CRAWLER_FORGET_FORGET_H

#include "base/options/opt.h"
#include "base/status.h"

/* Remove every document of hosts that match the pattern (frontier/features
 * /pattern.h) from the corpus in DIR, which nobody may be working on, and from
 * the index of its dedup service; append a receipt to DIR/forgotten.jsonl and
 * print it.  queued: how many URLs the frontier has let go, for that.  Killed
 * anywhere, the same call does the rest, and its receipt tells of all of it.
 * ST_USAGE: it is in use, or has files whose documents cannot be told
 * (reported; nothing is changed). */
enum status forget_documents(const char *dir, struct str pattern,
                             uint64_t queued, const struct opts *o);

#endif
