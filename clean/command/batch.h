/* batch.h -- many files and archives through one cleaner, by several
 * threads. */
#ifndef CLEAN_BATCH_H
#define CLEAN_BATCH_H

#include <signal.h>
#include <stdatomic.h>

#include "clean/archive/warc.h"
#include "clean/cleaner/cleaner.h"
#include "clean/convert/converter.h"
#include "clean/scope/scope.h"
#include "inputs.h"
#include "outputs.h"

struct batch {
    const struct cleaner *cleaner;
    const struct scope *scope; /* of documents that have a URL */
    struct outputs *outputs;
    const struct inputs *inputs;
    bool all;                /* also write what the filters reject */
    bool missing;            /* only inputs whose results are not there */
    bool strict;             /* what they reject makes another exit code */
    const char *gzip;        /* input.gzip; NULL: none */
    enum warc_format format; /* input.format; WARC_FORMAT_NONE: any */
    struct stats_log *stats; /* NULL: none */
    struct str url;          /* base of the documents' URLs, or "" */
    size_t threads_n, page_max;
    struct converter *converter; /* NULL: only HTML is wanted */
    unsigned documents;          /* the kinds that are: convert_wanted() */
    size_t document_max;         /* bytes of such */
    bool sandboxed;              /* pages are read in one (clean/sandbox) */
    const volatile sig_atomic_t *stop; /* set: finish what is in work ... */
    int stop_fd; /* ... and, when this can be read, wait for no input; -1 */

    /* Results. */
    atomic_size_t done, reject[VERDICT_N], not_html, unreadable, damaged,
        unwritten, stale, there;
    atomic_bool lost; /* what all documents go to cannot be written, or there is
                         no room for any: no more are cleaned */
    atomic_ullong bytes_in;

    /* Of archives; not_page: records that hold no HTML page, which is as it
     * should be. */
    atomic_size_t archives, pages, not_page;
    atomic_ullong records[WARC_TYPE_N], faults[WARC_FAULT_N];
};

/* Work through all inputs.  ST_OK even when single files fail: they are
 * reported and counted; but not on when one file for all of them does.
 * ST_NOMEM: no thread could be started. */
enum status batch_run(struct batch *b);

#endif
