/* traces.h -- what a folder still has of a crawl whose log was moved away, or
 * is lost. */
#ifndef CRAWLER_TRACES_H
#define CRAWLER_TRACES_H

#include <stdbool.h>

/* Is there a document in DIR/corpus? */
bool traces_documents(const char *dir);
/* Does DIR/log hold a log under another name (crawl.jsonl.1)? */
bool traces_older_log(const char *dir);

#endif
