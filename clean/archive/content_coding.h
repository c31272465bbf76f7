/* content_coding.h -- a body as it was before its content codings (RFC 9110,
 * section 8.4.1; br is RFC 7932, zstd RFC 8878), in memory. */
#ifndef CLEAN_CONTENT_CODING_H
#define CLEAN_CONTENT_CODING_H

#include "base/buf.h"

/* All that are known, as a request offers them, and those that whatever reads
 * archives knows. */
#define CONTENT_CODINGS "gzip, deflate, br, zstd"
#define CONTENT_CODINGS_COMMON "gzip, deflate"

struct uncoded {
    struct str body; /* of the input or of one of the buffers */
    bool cut;        /* the first `max` bytes of more */
    bool early;      /* what came before the coded bytes ended too early ... */
    bool damaged;    /* ... or before those that are damaged */
    bool plain;      /* text, though a coding is named that has no mark ... */
    bool foreign;    /* ... or neither in the coding that is named, nor text */
    double growth;   /* bytes made of each coded one */
};

/* Does the list, the value of Content-Encoding, name a coding that is known?
 * Others ("utf-8", "none") say nothing of a body. */
bool content_coding_is_known(struct str list);

/* Undo the codings of the list, at most `max` bytes each.  A coding that is
 * named but not there is passed over, as archives often keep decoded bodies
 * under their original header and some servers name one that they do not use.
 * The buffers are empty, and hold the result as long as they last. */
void content_coding_undo(struct uncoded *u, struct str list, struct str body,
                         size_t max, struct buf room[2]);

#endif
