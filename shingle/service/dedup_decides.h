/* dedup_decides.h -- what a dedup service decides for all of its crawlers. */
#ifndef SHINGLE_DEDUP_DECIDES_H
#define SHINGLE_DEDUP_DECIDES_H

#include "base/buf.h"
#include "base/options/opt.h"

/* Append those options, lines NAME = VALUE (base/facts.h): which documents
 * stay, and how they are written.  A crawler's own values of them count
 * nowhere.  `own`: only those that were set, or are not as preset (in a crawl
 * that goes on). */
void dedup_decides(const struct opts *o, bool own, struct buf *out);

#endif
