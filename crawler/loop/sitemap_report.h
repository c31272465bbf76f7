/* sitemap_report.h -- a fetched sitemap, told to the frontier. */
#ifndef CRAWLER_SITEMAP_REPORT_H
#define CRAWLER_SITEMAP_REPORT_H

#include "crawl_state.h"
#include "crawler/sitemap/sitemap.h"

/* Send what the visit's body lists, in batches, while the frontier wants it.
 * Entries out of scope, too long or no URLs are left out.  ST_STOPPED: report
 * nothing, the sitemap is read again. */
enum status sitemap_report(struct sitemap_result *out, struct crawl *c,
                           size_t worker, const struct visit *v);

#endif
