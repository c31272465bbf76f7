/* records.h -- the documents of a corpus file, each as it stands there.
 *
 * Five forms, told by the first bytes; compressed files (gzip, zstd) are
 * decompressed on the way:
 * DOC    XML and vertical text: from a line that begins `<doc` to the line
 *        `</doc>`; id and URL are attributes.  TEI: from `<TEI` to `</TEI>`; id
 *        is the line `<idno type="id">`, URL the target of its `<ptr`
 * JSONL  a line each; id is the member "id", of a number its text, URL the
 *        member "url", or they are where dolma and oscar have them
 *        (clean/write/json_fields.h)
 * WET    WARC records of type conversion; id is that of WARC-Refers-To, or else
 *        of WARC-Record-ID, URL WARC-Target-URI
 * SHINGLES  fingerprints, a line each: id is its first field, there is no URL
 *
 * Of an id <urn:uuid:ID> only ID is given.
 *
 * What stands outside of documents comes as records without an id.  A record is
 * whole in memory.  Belongs to one thread. */
#ifndef CORPUS_RECORDS_H
#define CORPUS_RECORDS_H

#include <stdbool.h>

#include "base/status.h"
#include "base/str.h"

enum record_form {
    RECORD_EMPTY,
    RECORD_DOC,
    RECORD_JSONL,
    RECORD_WET,
    RECORD_SHINGLES
};

struct corpus_record {
    struct str bytes; /* with its last line end */
    struct str id;    /* of a document, may be "" */
    struct str url;   /* likewise, as it stands there */
    bool is_document;
};

struct records; /* opaque */

/* ST_IO; ST_INVALID: of no such form; reported.  `path` must live as long; "-"
 * is standard input. */
enum status records_open(struct records **out, const char *path);
void records_close(struct records *r); /* NULL is allowed */

enum record_form records_form(const struct records *r);

/* The next one, valid until the next call.  ST_NONE: the end.  ST_INVALID: the
 * file is damaged or ends inside of a document, of which nothing is given out
 * (of JSONL only at its end: a line that is no object is left out), or it has
 * ended, and what was in it is no corpus; ST_IO; reported. */
enum status records_next(struct records *r, struct corpus_record *out);

#endif
