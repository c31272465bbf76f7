/* backup.h -- a copy of a corpus and its index while they are written. */
#ifndef SHINGLE_BACKUP_H
#define SHINGLE_BACKUP_H

#include "base/options/opt.h"
#include "base/status.h"

/* A copy of corpus and index in the folder `to`, with all that was acknowledged
 * before the call; a service may be writing meanwhile.  ST_USAGE: there is one
 * in `to`, or one that was killed has left something that nobody saves; all
 * reported. */
enum status dedup_backup(const char *dir, const char *to, const struct opts *o);

#endif
