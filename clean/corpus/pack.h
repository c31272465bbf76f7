/* pack.h -- compressed pieces of files: a gzip member (RFC 1952) or a zstd
 * frame (RFC 8878) each.
 *
 * Both formats allow pieces to be concatenated.  All calls are thread-safe. */
#ifndef CLEAN_PACK_H
#define CLEAN_PACK_H

#include "base/buf.h"
#include "base/status.h"

enum pack { PACK_NONE, PACK_GZIP, PACK_ZSTD, PACK_N };

/* "none", "gzip", "zstd" to *out; false: another word, *out as it was. */
bool pack_named(struct str name, enum pack *out);

/* What compressed files end in: "", ".gz", ".zst"; static. */
const char *pack_suffix(enum pack p);

/* Append `in` as one piece; PACK_NONE: as it is.  ST_NOMEM: `out` is as it was.
 */
enum status pack_add(enum pack p, struct str in, struct buf *out);

#endif
