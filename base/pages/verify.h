/* verify.h -- before LMDB maps a file: is it whole? */
#ifndef PAGES_VERIFY_H
#define PAGES_VERIFY_H

#include "base/buf.h"
#include "walk.h"

/* Read DIR/data.mdb (walk.h), unless it is just as pages_closed() has left it;
 * a file larger than half the memory without its leaves.  The caller holds the
 * lock of DIR.  ST_STORE: it is damaged (reported, under `topic`, with the
 * page, the table and `command`, which repairs).  What is no LMDB file, or
 * none at all, is left to LMDB to say: ST_OK. */
enum status pages_verify(const char *dir, const char *topic,
                         const char *command);

/* The store was closed and synced: nobody needs to read it at the next opening.
 * A small file in DIR says how large it is and when it was written last. */
void pages_closed(const char *dir);
#define PAGES_CLOSED_FILE "closed"

/* Every page, whatever was noted: a line of text a fault into `out`, the first
 * ones of them.  txn: the snapshot that the caller holds, 0: the last one.
 * ST_BUSY: it is gone. */
enum status pages_check(const char *dir, uint64_t txn, struct buf *out,
                        uint64_t *faults);

/* LMDB would abort the process when it stumbles over a page: say which command
 * repairs, and end with EXIT_FAILED. */
struct MDB_env;
void pages_on_assert(struct MDB_env *env, const char *text);

#endif
