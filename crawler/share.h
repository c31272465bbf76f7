/* share.h -- one corpus, one job: what a crawler says to the service that owns
 * the corpus before its first document. */
#ifndef CRAWLER_SHARE_H
#define CRAWLER_SHARE_H

#include <stdatomic.h>

#include "crawl.h"
#include "crawl_state.h"

/* The corpus is to be of setup->job.  With setup->change it becomes so, which
 * the job then records.  ST_USAGE (reported): it is of another one;
 * ST_STOPPED. */
enum status crawl_share_job(struct crawl *c, const struct crawl_setup *setup,
                            const atomic_bool *stop);

#endif
