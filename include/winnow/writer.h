/* writer.h -- a document as one record of a corpus format.
 *
 * Formats are a table: name, suffix, render().  A record is self-contained:
 * files are made by concatenating records. */
#ifndef WINNOW_WRITER_H
#define WINNOW_WRITER_H

#include "winnow/buf.h"
#include "winnow/document.h"

struct writer {
    const char *name;   /* "xml", "jsonl", "text" */
    const char *suffix; /* file name ending, "xml", "jsonl", "txt" */
    /* Append the record for *d (any reject state) to `out`. */
    void (*render)(const struct document *d, struct buf *out);
};

const struct writer *writer_find(struct str name); /* NULL: unknown */
extern const struct writer *const writer_table[];  /* ended by NULL */

#endif
