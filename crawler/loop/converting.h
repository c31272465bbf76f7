/* converting.h -- documents among the visits (convert.types). */
#ifndef CRAWLER_CONVERTING_H
#define CRAWLER_CONVERTING_H

#include "crawler/visit/visit.h"

struct crawl;

/* Hands a visit that has brought a document and was not converted yet to the
 * threads below, which hand it to the workers again.  False: it is none. */
bool crawl_converts(struct crawl *c, struct visit *v);

void *crawl_convert_thread(void *crawl);

#endif
