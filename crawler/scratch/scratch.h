/* scratch.h -- a folder for stores that need not outlive a run.  It is locked
 * as long as its process lives; what a killed one left is removed by the next.
 */
#ifndef CRAWLER_SCRATCH_H
#define CRAWLER_SCRATCH_H

#include "base/status.h"

struct scratch {
    char path[4096]; /* "": none */
    int lock;        /* of one that scratch_make() made */
};

/* A new folder below $TMPDIR, else /tmp.  ST_IO: reported. */
enum status scratch_make(struct scratch *s);
/* A folder in it.  ST_IO, ST_LIMIT (the name is too long): reported. */
enum status scratch_folder(const struct scratch *s, const char *name,
                           struct scratch *out);
void scratch_remove(struct scratch *s); /* with all that is in it */

#endif
