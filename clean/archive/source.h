/* source.h -- the pages of one input: an HTML file, a WARC or ARC file, a WACZ
 * file (FILE.wacz) with WARC files in it, or standard input or a stream holding
 * one of the first three.
 *
 * What it is shows in its first bytes; compressed files are decompressed on the
 * way.  Only when these bytes begin nothing that is known, a name with .warc or
 * .arc in it counts (an archive that begins with damage).  A source belongs to
 * one thread at a time. */
#ifndef CLEAN_SOURCE_H
#define CLEAN_SOURCE_H

#include "base/arena.h"
#include "base/document_id.h"
#include "inflate_stream.h"
#include "warc.h"

struct source; /* opaque; see clean/archive/source.c */

/* What names a payload; in a revisit, that of the record which has it.  Empty
 * where it does not stand there. */
struct source_payload {
    struct document_id record, place; /* its id; of its URL and date */
    struct str digest;                /* as it stands there */
};

/* Strings live in the arena given to source_next(), except `file`. */
struct source_page {
    struct str url; /* "" for a page that is not from an archive */
    struct str content_type, x_robots_tag, last_modified, location;
    struct str headers; /* of HTTP, all lines */
    uint64_t date_ms;   /* of the record, or when the file was modified; 0 */
    struct str body;    /* without transfer and content codings */
    bool cut;           /* it had more than page_max bytes, or broke off ... */
    bool damaged;       /* ... where its compression is damaged */

    /* From an archive. */
    struct document_id id; /* the record's, else of URL and date; else "" */
    struct str file;       /* path as given to source_open() */
    struct str ip;
    uint64_t sitemap_ms; /* when it changed, by its site's sitemap; 0 */
    uint16_t status;     /* of HTTP, 0: none */
    uint64_t offset, length;
    bool decompressed; /* see struct warc_record */

    /* Where source_give_revisits() asks for them. */
    bool revisit; /* the body, which is not here, is that of another record */
    struct source_payload payload;
};

/* Is it what was asked for?  Archives also hold redirects and error pages. */
static inline bool
source_page_answers(const struct source_page *p)
{
    return p->status == 0 || (p->status >= 200 && p->status < 300);
}

/* `path` is a file or "-", and must live as long as the source.  ST_IO,
 * ST_INVALID (an archive of a kind that is not read): reported. */
enum status source_open(struct source **out, const char *path, size_t page_max);
/* The same; a file in gzip is unpacked by `program -c -d path` (NULL: needs
 * none), so offsets are those of the decompressed file.  Once `stop` can be
 * read (a descriptor; -1: never) nothing waits for an input that does not come,
 * a FIFO or a pipe: here and later ST_STOPPED, which is not reported. */
enum status source_open_by(struct source **out, const char *path,
                           size_t page_max, const char *program, int stop);
/* What `bytes` gives, which must live as long, under a name that says in
 * messages and records what it is; no WACZ file, which is read from its end. */
enum status source_open_stream(struct source **out, struct inflate_source bytes,
                               const char *name, size_t page_max);
void source_close(struct source *s); /* NULL is allowed */

/* WARC_FORMAT_NONE: it is a single page. */
enum warc_format source_format(const struct source *s);

/* From now on revisits are pages, too. */
void source_give_revisits(struct source *s);

/* The next page: a response, or a resource record.  ST_NONE: the end; ST_IO:
 * reported; ST_STOPPED: see source_open_by(). */
enum status source_next(struct source *s, struct arena *a,
                        struct source_page *p);

/* Of an archive; NULL for a single page. */
const struct warc_counts *source_counts(const struct source *s);

#endif
