/* document_wet.h -- WET files: what pages say as conversion records of WARC, as
 * Common Crawl has them and `winnow clean --format wet` writes them.  Nothing
 * is left to clean: a line of the text is a paragraph. */
#ifndef CORPUS_DOCUMENT_WET_H
#define CORPUS_DOCUMENT_WET_H

#include "document_read.h"

struct document_wet; /* opaque */

/* `path` NULL: standard input.  ST_NONE: the first record behind the warcinfo
 * is no conversion, so the file is none; else ST_IO, reported.  With both *out
 * is NULL. */
enum status document_wet_open(struct document_wet **out, const char *path);
void document_wet_close(struct document_wet *w); /* NULL is allowed */

/* As document_read_next(). */
enum status document_wet_next(struct document_wet *w, struct raw_document *out,
                              const char **why);

/* Whether records could not be read (reported). */
bool document_wet_damaged(const struct document_wet *w);

#endif
