/* make.h -- a new LMDB file that is there whole or not at all. */
#ifndef PAGES_MAKE_H
#define PAGES_MAKE_H

#include "base/status.h"

/* See to it that DIR/data.mdb is there: if it is missing or has no byte, an
 * empty store takes the name, and the name is on the disk.  ST_OK also if there
 * was one; else errno (or LMDB's code, negative) is in *fault. */
enum status pages_make(const char *dir, int *fault);

#endif
