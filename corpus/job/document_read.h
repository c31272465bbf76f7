/* document_read.h -- documents of Winnow's JSONL, of the Leipzig Corpora
 * Collection's source format, of WET files, or of archives and HTML by way of
 * `winnow clean`. */
#ifndef CORPUS_DOCUMENT_READ_H
#define CORPUS_DOCUMENT_READ_H

#include "base/status.h"
#include "base/str.h"

enum document_form {
    DOCUMENT_AUTO, /* what the first bytes say */
    DOCUMENT_JSONL,
    DOCUMENT_LEIPZIG,
    DOCUMENT_WET,
    DOCUMENT_ARCHIVE /* WARC, ARC, HTML: cleaned on the way */
};

struct document_read; /* opaque */

/* What is not known is "".  Strings live until the next call. */
struct raw_document {
    struct str url, language, user, encoding, content_type;
    struct str date;      /* of the page; of Leipzig's format as it says */
    struct str timestamp; /* of the fetch */
    struct str id, title, author;
    struct str text;
    struct str headings; /* which lines of the text are: "0 7 12" */
    struct str quality;  /* elements that belong into the column `process` */
    bool blank_lines;    /* between paragraphs; else each line is one */
};

/* `path` NULL: standard input.  `sets`: what the `winnow clean`
 * that reads an archive has behind --set, each, ended by NULL.  ST_IO,
 * ST_NOMEM: reported. */
enum status document_read_open(struct document_read **out, const char *path,
                               enum document_form form,
                               const char *const *sets);
void document_read_close(struct document_read *d); /* NULL is allowed */

/* The next one.  ST_NONE: the end; ST_INVALID: a record that is none (*why,
 * static), the next call goes on behind it; others: reading failed, reported.
 */
enum status document_read_next(struct document_read *d,
                               struct raw_document *out, const char **why);

/* Whether it is cleaned on the way, which is most of the work. */
bool document_read_cleans(const struct document_read *d);

/* Whether some of the input could not be read (reported): damaged compression,
 * or what the cleaner rejected of an archive. */
bool document_read_damaged(const struct document_read *d);

#endif
