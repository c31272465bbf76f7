/* writer.h -- a document as one record of a corpus format.
 *
 * Formats are a table: name, suffix, render().  A record is self-contained:
 * files are made by concatenating records (and a head and a tail, in some).
 * What a format leaves open is in section `output` of the options.  All calls
 * are pure and thread-safe. */
#ifndef CLEAN_WRITER_H
#define CLEAN_WRITER_H

#include "base/buf.h"
#include "base/options/opt.h"
#include "clean/chain/document.h"
#include "clean/registry/registry_place.h"

struct writer {
    const char *name;   /* "xml", "jsonl", "text" ... */
    const char *suffix; /* file name ending: a-z and 0-9, at most 8 */
    const char *help;   /* one line */
    bool alone;         /* each record is compressed by itself */
    /* Append what stands before and behind the records of a file, which may
     * be nothing; NULL: nothing.  file: its name without folder, NULL:
     * standard output. */
    void (*head)(const struct opts *o, const char *file, struct buf *out);
    void (*tail)(const struct opts *o, struct buf *out);
    /* Append the record for *d (any reject state) to `out`; may be nothing. */
    void (*render)(const struct opts *o, const struct document *d,
                   struct buf *out);
    /* The description a corpus manager wants beside the files; may be NULL. */
    void (*registry)(const struct opts *o, const struct registry_place *at,
                     struct buf *out);
};

/* Whether records say which blocks are readers' comments. */
static inline bool
writer_marks_comments(const struct opts *o)
{
    return str_eq(o->clean_comments, S("mark"));
}

const struct writer *writer_find(struct str name); /* NULL: unknown */
extern const struct writer *const writer_table[];  /* ended by NULL */

#endif
