/* wacz.h -- WARC files as one WACZ file (Web Archive Collection Zipped 1.1.1),
 * with their index and a list of pages, for viewers that read such. */
#ifndef CLEAN_WACZ_H
#define CLEAN_WACZ_H

#include "base/status.h"
#include "base/str.h"

/* Of the n WARC files, each a gzip member a record; an index beside one
 * (NAME.cdxj) is believed, else it is made.  title: of the collection.
 * ST_INVALID: a file is no WARC, or two have the same name (reported);
 * otherwise as zip_write. */
enum status wacz_write(const char *out, const char *const *warc, size_t n,
                       struct str title, uint64_t now_ms);

#endif
