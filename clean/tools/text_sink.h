/* text_sink.h -- text to a file or standard output, gzip-compressed if wanted.
 *
 * Belongs to one thread. */
#ifndef CLEAN_TEXT_SINK_H
#define CLEAN_TEXT_SINK_H

#include "base/status.h"
#include "base/str.h"

struct text_sink; /* opaque; see clean/tools/text_sink.c */

/* NULL and "-" are standard output.  ST_IO: reported. */
enum status text_sink_open(struct text_sink **out, const char *path, bool gzip);

/* A fault is remembered until text_sink_close(). */
void text_sink_put(struct text_sink *s, struct str text);

/* What was put so far ends a gzip member: the next text can be found and read
 * by itself. */
void text_sink_part(struct text_sink *s);

/* Write the rest and free `s` (NULL is allowed).  ST_IO: something could not
 * be written; reported. */
enum status text_sink_close(struct text_sink *s);

#endif
