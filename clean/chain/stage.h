/* stage.h -- one step of the cleaning chain: a row with what it needs and
 * gives.  The rows stand in base/options/stage.tbl.h; chain checks them at
 * start-up. */
#ifndef CLEAN_STAGE_H
#define CLEAN_STAGE_H

#include "base/options/opt.h"
#include "document.h"

enum {
    DOC_BYTES = 1 << 0,
    DOC_UTF8 = 1 << 1,
    DOC_BLOCKS = 1 << 2, /* blocks with counts, links, metadata */
    DOC_BOILERPLATE = 1 << 3,
    DOC_TOKENS = 1 << 4,
    DOC_BADNESS = 1 << 5,
    DOC_FINGERPRINT = 1 << 6,
    DOC_DIGEST = 1 << 7,
    DOC_NORMAL = 1 << 8 /* block texts are in their final form */
};

struct stage {
    const char *name; /* in logs, counters and the INI file */
    unsigned needs;   /* DOC_* that earlier stages must have given */
    unsigned gives;
    bool kept_only; /* skipped for documents that are already rejected */

    /* Load models, once.  *self is the stage's own read-only state.  NULL: no
     * state. */
    enum status (*open)(void **self, const struct opts *o);

    /* Work on one document, allocating from d->arena only.  Runs guarded
     * (memory.h): it may end at any allocation, so nothing that has to be given
     * back is held meanwhile.  A reason to reject is set in d->reject if that
     * is still VERDICT_NONE.  A status other than ST_OK is a fault of ours,
     * never of the page. Thread-safe. */
    enum status (*run)(const void *self, struct document *d);

    void (*close)(void *self); /* may be NULL */
};

static inline void
document_reject(struct document *d, enum verdict why)
{
    if (d->reject == VERDICT_NONE)
        d->reject = why;
}

#endif
