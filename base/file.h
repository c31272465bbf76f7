/* file.h -- whole files: read into memory, or written so that they are there
 * whole or not at all.
 *
 * Thread-safe.  Nothing is logged: callers know what the file is for.  After
 * ST_IO and ST_FULL errno says why. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/buf.h"
#include "base/status.h"

/* Replace what *out holds by the bytes of the file at `path`.  ST_IO: it cannot
 * be opened or read, or is a folder.  ST_LIMIT: it has more than `bytes_max`
 * bytes; *out holds that many of them.  The caller frees *out in any case. */
enum status file_read(struct buf *out, const char *path, size_t bytes_max);

/* Make the file at `path` have just `bytes`: they are written to PATH.part in
 * the same folder, which then takes the name.  On failure (ST_FULL: no space;
 * ST_IO) the file that was there before stays, and PATH.part is removed.  It is
 * synced, so after a power loss there is the old file or the new one. */
enum status file_write(const char *path, struct str bytes);

/* A name that was made, changed or removed is on the disk when its folder is:
 * sync the folder in which PATH stands. */
enum status file_sync_name(const char *path);

#endif
