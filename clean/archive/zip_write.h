/* zip_write.h -- a ZIP file whose members are stored as they are, of any size
 * (APPNOTE 6.3.10, with the 64-bit records where they are needed).
 *
 * The file is written from its beginning to its end, under PATH.part until it
 * is complete.  Belongs to one thread.  Faults are reported. */
#ifndef CLEAN_ZIP_WRITE_H
#define CLEAN_ZIP_WRITE_H

#include "base/buf.h"
#include "base/status.h"
#include "base/warc/digest.h"

struct zip_write; /* opaque; see clean/archive/zip_write.c */

/* What became of a member. */
struct zip_member {
    uint64_t size;
    char sha256[DIGEST_SHA256_N]; /* of its bytes, in hex */
};

/* ST_IO, ST_FULL, ST_NOMEM. */
enum status zip_write_open(struct zip_write **out, const char *path);

/* Add a member from memory, or the file at `path`, which must not change
 * meanwhile.  ST_IO, ST_FULL: the ZIP file cannot be completed. */
enum status zip_write_bytes(struct zip_write *z, const char *name,
                            struct str bytes, struct zip_member *m);
enum status zip_write_file(struct zip_write *z, const char *name,
                           const char *path, struct zip_member *m);

/* With `good`: the directory is written and the file gets its name; else it is
 * removed.  NULL is allowed. */
enum status zip_write_close(struct zip_write *z, bool good);

#endif
