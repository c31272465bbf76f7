/* document_id.h -- what a document is called, wherever it is named.
 *
 * A document is one capture of a URL: the URL and the moment its bytes were
 * there.  Its id is a UUID (RFC 9562, version 8) of the two, as text: 36
 * characters, which is what the formats of texrex have room for and, after
 * "urn:uuid:", a WARC-Record-ID.  The same capture has the same id on every
 * machine and in every run; another capture of the URL has another.  Pure,
 * thread-safe. */
#ifndef BASE_DOCUMENT_ID_H
#define BASE_DOCUMENT_ID_H

#include "base/str.h"

#define DOCUMENT_ID_CHARS 36
#define DOCUMENT_ID_BYTES 16 /* packed */

/* By value; ""  is no id. */
struct document_id {
    char z[DOCUMENT_ID_CHARS + 1];
};

/* The one place where ids are made.  capture: when the bytes were there, in ms
 * since the Unix epoch; of bytes whose time nobody knows, their hash64(). */
struct document_id document_id_make(struct str url, uint64_t capture);

/* What others wrote: a UUID of any version, in digits of either case.  False:
 * it is none, *out is "". */
bool document_id_read(struct str text, struct document_id *out);
/* That of a WARC-Record-ID, with or without angle brackets:
 * "<urn:uuid:...>".  False as above. */
bool document_id_read_urn(struct str urn, struct document_id *out);

/* What others called it: of "<urn:uuid:ID>", with or without angle brackets,
 * the ID, of anything else all. */
struct str document_id_bare(struct str text);

/* The same document?  Ids that were made or read here; "" equals "". */
static inline bool
document_id_equal(const struct document_id *a, const struct document_id *b)
{
    return memcmp(a->z, b->z, DOCUMENT_ID_CHARS) == 0;
}

/* As 16 bytes and back.  What is packed must be an id, not "". */
void document_id_pack(const struct document_id *id,
                      unsigned char out[DOCUMENT_ID_BYTES]);
struct document_id
document_id_unpack(const unsigned char bytes[DOCUMENT_ID_BYTES]);

#endif
