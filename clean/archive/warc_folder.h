/* warc_folder.h -- the names of an archive's files: NAME.warc.gz or
 * NAME.warc.zst, with .open behind while it is being written, and beside a
 * complete one its index, NAME.cdxj. */
#ifndef CLEAN_WARC_FOLDER_H
#define CLEAN_WARC_FOLDER_H

#include "base/buf.h"
#include "base/path.h"
#include "base/status.h"
#include "warc_compose.h"

#define WARC_OPEN ".open"

const char *warc_suffix(enum warc_form form); /* ".warc.gz"; static */

/* NAME of NAME.warc.gz, a part of it; "": it is not called so. */
struct str warc_stem(struct str name);

/* Reports a fault with `path`, by errno: ST_FULL or ST_IO. */
enum status warc_io_fault(const char *path, const char *doing);

/* The path of the index beside a complete file. */
struct path warc_index_path(const char *path);

/* Sort these lines of CDXJ and make them that file's index.  Faults are
 * reported. */
enum status warc_index_write(const char *path, struct buf *lines);

/* Of FOLDER/PREFIX*.open, which a crash left, the whole records become complete
 * files.  Nobody may be writing there.  ST_IO, ST_FULL: reported. */
enum status warc_complete(const char *folder, const char *prefix);

#endif
