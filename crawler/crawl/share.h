/* share.h -- one corpus, one job: what a crawler says to its services before
 * anything else. */
#ifndef CRAWLER_SHARE_H
#define CRAWLER_SHARE_H

#include <stdatomic.h>

#include "crawl.h"
#include "crawler/loop/crawl_state.h"

/* Frontier and corpus are to be of setup->job.  With setup->change they become
 * so, which the job then records.  ST_USAGE (reported): they are of another
 * one; ST_STOPPED. */
enum status crawl_share_job(struct crawl *c, const struct crawl_setup *setup,
                            const atomic_bool *stop);

#endif
