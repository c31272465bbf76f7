/* lab_open.h -- the web of an experiment, whatever form it has on disk. */
#ifndef LAB_LAB_OPEN_H
#define LAB_LAB_OPEN_H

#include "base/options/opt.h"
#include "base/status.h"
#include "web.h"

struct lab_source {
    struct opts *opts;  /* those of a recorded web follow it */
    const char *web;    /* see below */
    const char *seeds;  /* file; NULL: the web's own */
    const char *record; /* file to write the web to; NULL: none */
    size_t threads_n;
};

/* `web` is a folder of sites, the folder of a crawl with output.warc, a WARC or
 * ARC file, or a recorded web (then nothing is cleaned).  ST_USAGE, ST_IO,
 * ST_FULL, ST_LIMIT: reported.  Owned by the caller: web_free(). */
enum status lab_open(struct web **out, const struct lab_source *s);

#endif
