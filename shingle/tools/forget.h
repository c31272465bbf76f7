/* forget.h -- what is left of documents that are to be forgotten, in the folder
 * of a dedup service that does not run. */
#ifndef SHINGLE_FORGET_H
#define SHINGLE_FORGET_H

#include "base/options/opt.h"
#include "base/status.h"
#include <stdbool.h>
#include <stdint.h>

/* Hold DIR until *lock is closed, bring all that was acknowledged into the
 * files, compressed, and end their parts: from then on each file of the corpus
 * is one that nobody appends to, and may be replaced by one with fewer records.
 * ST_USAGE: it is in use, or its verdicts are published (both reported).
 * ST_NONE: there is no index. */
enum status dedup_forget_begin(int *lock, const char *dir,
                               const struct opts *o);

/* The index forgets the texts of these documents (by the bytes of their ids):
 * equal and similar ones are new again; their visits are still known.  Killed
 * anywhere, it is done by the same call.  *n: how many. */
typedef bool dedup_forget_is(void *self, const unsigned char *id);
enum status dedup_forget_records(const char *dir, const struct opts *o,
                                 dedup_forget_is *is, void *self, uint64_t *n);

#endif
