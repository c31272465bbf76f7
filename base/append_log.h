/* append_log.h -- a file that grows at its end, in whole pieces, and is cut
 * back to the length that its owner knows.
 *
 * What is common to the discovery log, the log of leases, the crawl log and the
 * corpus: a write is there whole or not at all; what a crash left behind the
 * known length is cut off when it is opened; a file of a new name is on the
 * disk only when its folder is.  How bytes are framed and which length counts
 * is the owner's business.
 *
 * Errors, from any call: ST_FULL, no space (or a limit on the size of files);
 * ST_IO, anything else (reported in the name of the owner).  After either the
 * log is as it was before the call.  Belongs to one thread. */
#ifndef BASE_APPEND_LOG_H
#define BASE_APPEND_LOG_H

#include "base/buf.h"
#include "base/status.h"

struct append_log; /* opaque; see base/append_log.c */

enum append_log_how {
    APPEND_LOG_READ,   /* nothing is written */
    APPEND_LOG_GO_ON,  /* the file is there */
    APPEND_LOG_MAKE,   /* ... or is made */
    APPEND_LOG_ANEW,   /* ... and is empty */
    APPEND_LOG_SHARED, /* as MAKE; others may cut it or append to it */
};

/* All that is in the file counts, for now.  ST_NONE: it is not there (READ,
 * GO_ON).  `owner` is who reports: it is borrowed. */
enum status append_log_open(struct append_log **out, const char *owner,
                            const char *path, enum append_log_how how);
/* What was added and not written is lost.  NULL is allowed. */
void append_log_close(struct append_log *l);

/* Where the next byte will stand. */
uint64_t append_log_end(const struct append_log *l);

/* Forget what is behind `end`, in memory and in the file. */
enum status append_log_cut(struct append_log *l, uint64_t end);
/* The same without shortening the file: who reads it can tell old bytes from
 * new ones, or knows the length. */
void append_log_back(struct append_log *l, uint64_t end);

/* Add head and body, of which a reader sees both or neither, to a buffer.  It
 * is written when it is large, and by append_log_flush(), which tells of a
 * fault in either, again and again until the log is cut. */
void append_log_add(struct append_log *l, struct str head, struct str body);
enum status append_log_flush(struct append_log *l);
/* Both at once, without the buffer. */
enum status append_log_write(struct append_log *l, struct str bytes);
/* What was flushed is on the disk, and so is its name.  After a fault here
 * nobody knows what is: the log is to be cut or closed. */
enum status append_log_sync(struct append_log *l);
/* Once so many bytes have come since it last did so: have the system begin to
 * write them to the disk, so that the next sync, of this file or of another one
 * there, does not wait for all of them at once.  Advice: nothing is durable by
 * it, and no fault is told. */
void append_log_write_behind(struct append_log *l, uint64_t least);

/* Make the file `size` bytes long, if it is shorter, by zeros behind what was
 * written, and have them on the disk: bytes that replace them later are synced
 * without a change to the file system's tables, for which a sync else waits
 * until all that other files have grown by is written, too.  False: it is as
 * long as before, and nothing is reported. */
bool append_log_fill(struct append_log *l, uint64_t size);

/* Append bytes from, from + 1 ... of the file to `out`.  ST_LIMIT: there are
 * fewer, all are in `out`. */
enum status append_log_read(const struct append_log *l, uint64_t from, size_t n,
                            struct buf *out);
/* The first bytes of the file in memory, up to size_max of them as they are
 * written; read no more than append_log_written() bytes.  Unmapped when it is
 * closed.  (Who shortens the file by hand ends the reader.) */
enum status append_log_map(struct append_log *l, uint64_t size_max,
                           const char **out);
/* How what is mapped is read from now on.  SCATTERED: a byte here and there;
 * then one page of the disk is read for it, not megabytes around it. */
enum append_log_order { APPEND_LOG_IN_ORDER, APPEND_LOG_SCATTERED };
void append_log_map_order(struct append_log *l, enum append_log_order order);
uint64_t append_log_written(const struct append_log *l);

const char *append_log_path(const struct append_log *l);
/* Another thread may sync what was written (fdatasync(2)) while it is open. */
int append_log_fd(const struct append_log *l);

#endif
