/* warc_record.h -- WARC 1.1 records (ISO 28500:2017), built in memory.
 *
 * A record is begun, gets its fields in the caller's order, and is ended with
 * its block.  Nothing here knows of files. */
#ifndef BASE_WARC_WARC_RECORD_H
#define BASE_WARC_WARC_RECORD_H

#include "base/buf.h"
#include "base/document_id.h"

#define WARC_URN_N 48

/* "<urn:uuid:...>": the id as that of a record. */
void warc_urn(const struct document_id *id, char out[WARC_URN_N]);

/* Append version, WARC-Type, WARC-Record-ID and WARC-Date. */
void warc_record_begin(struct buf *out, const char *type, const char *urn,
                       uint64_t date_ms);
/* Line ends in a value become blanks; an empty value is left out. */
void warc_record_field(struct buf *out, const char *name, struct str value);
/* The field `name` with the digest of a and b together. */
void warc_record_digest(struct buf *out, const char *name, struct str a,
                        struct str b);
/* Content-Type and -Length, the block (a and b together), the end. */
void warc_record_end(struct buf *out, const char *type, struct str a,
                     struct str b);

/* A whole warcinfo record.  file: name without folder, NULL: none; software:
 * "winnow/0.1"; more: further lines, each "name: value\r\n". */
void warc_record_info(struct buf *out, const char *urn, uint64_t now_ms,
                      const char *file, struct str software, struct str more);

/* The bytes of the record that `text` begins with, its end included; 0: none
 * begins here, or not all of it is there. */
size_t warc_record_length(struct str text);

#endif
