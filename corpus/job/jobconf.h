/* jobconf.h -- webcorpus' jobconf.txt: its keys as options of our jobs.
 *
 * Lines `key = value`, `key: value` or `key value`; `#` begins a comment. */
#ifndef CORPUS_JOBCONF_H
#define CORPUS_JOBCONF_H

#include "base/arena.h"
#include "base/buf.h"

#define JOBCONF_MAX 64

struct jobconf {
    struct str define[JOBCONF_MAX]; /* KEY=VALUE; in the arena */
    size_t defines_n;
    struct buf remarks; /* a line each: what has no meaning here, and why */
};

/* False: a line that is none, or a key or value that is not known; *why says
 * which.  `c` begins as {0} and ends with jobconf_free(). */
bool jobconf_read(struct jobconf *c, struct arena *a, struct str text,
                  struct buf *why);
void jobconf_free(struct jobconf *c);

/* How often a Bloom filter errs, of so many bits, for so many keys. */
double bloom_error(double bits, double keys, unsigned hashes);

#endif
