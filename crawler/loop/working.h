/* working.h -- which pages are being read at this moment, where a crash leaves
 * it.
 *
 * A page that kills the process is leased again when the crawler is back, and
 * again.  Nothing can be said once a process is dead, so each worker says
 * before: DIR/working is a small mapped file with a row a worker, which holds
 * the hash of a URL while its answer is parsed or cleaned, and nothing while
 * the worker waits for disk or services.  What stands in it when a crawl starts
 * was being read when the last one ended: at kill -9 a page or two by chance,
 * at a crash the page that did it.  The frontier counts
 * (HelloRequest.suspects). */
#ifndef CRAWLER_WORKING_H
#define CRAWLER_WORKING_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/str.h"

#define WORKING_MAX 256u /* rows */

struct working; /* opaque; crawler/loop/working.c */

/* Without room on the disk it works, but leaves nothing.  ST_NOMEM, ST_IO
 * (reported). */
enum status working_open(struct working **out, const char *dir);
void working_close(struct working *w); /* NULL is allowed */

/* What was left: hash64() of URLs; they stay until working_told(). */
size_t working_left(const struct working *w, uint64_t out[WORKING_MAX]);
void working_told(struct working *w);

/* Slot i: this URL; nothing.  NULL is allowed. */
void working_on(struct working *w, size_t i, struct str url);
void working_off(struct working *w, size_t i);

#endif
