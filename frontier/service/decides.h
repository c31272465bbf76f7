/* decides.h -- what a frontier decides for all of its crawlers. */
#ifndef FRONTIER_DECIDES_H
#define FRONTIER_DECIDES_H

#include "base/buf.h"
#include "base/options/opt.h"

/* Append those options, lines NAME = VALUE (base/facts.h).  A crawler's own
 * values of them count nowhere. */
void frontier_decides(const struct opts *o, struct buf *out);

#endif
