/* forget.h -- a host, or all hosts of an owner, leave a corpus. */
#ifndef CRAWLER_FORGET_FORGET_H
#define CRAWLER_FORGET_FORGET_H

#include "base/options/opt.h"
#include "base/status.h"

/* Whose documents of DIR are cannot be told of all output formats.  ST_USAGE:
 * of one that is there (reported).  Only names of files are looked at, so
 * somebody may be working on them. */
enum status forget_can(const char *dir);

struct forget; /* opaque */

/* Which documents are of hosts that match one of the patterns (frontier/
 * features/pattern.h; no two the same, and they outlive it), in the corpus in
 * DIR: nobody may be working on it, and nobody can until forget_close().  It is
 * all read, and nothing changed.  ST_USAGE: it is in use, or has files whose
 * documents cannot be told (reported). */
enum status forget_open(struct forget **out, const char *dir,
                        const char *const *patterns, size_t n,
                        const struct opts *o);

/* Remove them from it and from the index of its dedup service; append a receipt
 * of each pattern to DIR/forgotten.jsonl and print it.  queued: how many URLs
 * the frontier has let go by each, for that.  Of a document that several match
 * the first has it.  Killed anywhere, the same calls do the rest, and their
 * receipts tell of all of it. */
enum status forget_run(struct forget *f, const uint64_t *queued);
void forget_close(struct forget *f);

#endif
