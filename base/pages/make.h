/* make.h -- a new LMDB file that is there whole or not at all. */
#ifndef PAGES_MAKE_H
#define PAGES_MAKE_H

#include <lmdb.h>
#include <stddef.h>

#include "base/status.h"

/* What a new store holds from the start. */
struct pages_content {
    size_t tables_n;
    /* In a transaction of its own; the environment stays the caller's. */
    enum status (*fill)(void *self, MDB_env *env);
    void *self;
};

/* See to it that DIR/data.mdb is there: if it is missing or has no byte, a
 * store with that content (NULL: an empty one) takes the name, and the name is
 * on the disk.  ST_OK also if there was one.  Else errno (or LMDB's code,
 * negative) is in *fault, or 0 when the status is that of fill(). */
enum status pages_make(const char *dir, const struct pages_content *c,
                       int *fault);

#endif
