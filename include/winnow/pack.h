/* pack.h -- compressed pieces of files: a gzip member or a zstd frame each.
 *
 * Both formats allow pieces to be concatenated. */
#ifndef WINNOW_PACK_H
#define WINNOW_PACK_H

#include "winnow/buf.h"
#include "winnow/status.h"

enum pack { PACK_NONE, PACK_GZIP, PACK_ZSTD, PACK_N };

/* "none", "gzip", "zstd"; false: another word. */
bool pack_named(struct str name, enum pack *out);

/* What compressed files end in: "", ".gz", ".zst". */
const char *pack_suffix(enum pack p);

/* Append `in` as one piece.  ST_NOMEM. */
enum status pack_add(enum pack p, struct str in, struct buf *out);

#endif
