/* web_file.h -- a recorded web as one file.
 *
 *   "WINNOWEB" | be32 version | be64 n | n bytes | 16 bytes XXH3-128 of them
 *
 * A file is written whole or not at all, and read whole or refused: it is
 * outside input, nothing in it is believed. */
#ifndef LAB_WEB_FILE_H
#define LAB_WEB_FILE_H

#include "base/buf.h"
#include "base/status.h"
#include "web.h"

#define WEB_FILE_VERSION 3u

/* ST_IO, ST_FULL: reported; nothing has changed then. */
enum status web_file_write(const struct web *w, const char *path);

/* ST_NONE: the file does not begin like a recorded web.  ST_USAGE: of another
 * version, or damaged; ST_IO (both reported).  Owned by the caller. */
enum status web_file_read(struct web **out, const char *path);

/* What stands between header and checksum. */
void web_pack(const struct web *w, struct buf *out);
/* ST_INVALID: not made by web_pack().  Strings are copied. */
enum status web_unpack(struct web **out, struct str bytes);

#endif
