/* warc_members.h -- the records of a WARC file that Winnow has written, each a
 * gzip member or zstd frame of its own, one behind the other without a gap: so
 * that it is known of each byte which record it is of. */
#ifndef CLEAN_WARC_MEMBERS_H
#define CLEAN_WARC_MEMBERS_H

#include "base/buf.h"
#include "warc.h"

struct warc_members; /* opaque; belongs to one thread at a time */

/* `path` is borrowed.  ST_IO: reported. */
enum status warc_members_open(struct warc_members **out, const char *path);
void warc_members_close(struct warc_members *m); /* NULL is allowed */

/* The next record, without its block.  ST_NONE: the end of the file;
 * ST_INVALID: what stands there is no such record; ST_IO (both reported). */
enum status warc_members_next(struct warc_members *m, struct warc_record *r);

/* Where the first record begins: after the dictionary of a zstd file. */
uint64_t warc_members_begin(const struct warc_members *m);

/* Replace *out by the text of the record that has n bytes of the file from
 * `offset` on, wherever next() has come to.  Its end, two empty lines, is left
 * out.  ST_INVALID: no record is there; ST_IO (both reported). */
enum status warc_members_text(struct warc_members *m, uint64_t offset,
                              uint64_t n, struct buf *out);

/* The bytes [from, from + n) of the file, to `fd`, which is the file `to`.
 * ST_IO, ST_FULL: reported. */
enum status warc_members_copy(struct warc_members *m, uint64_t from, uint64_t n,
                              int fd, const char *to);

/* Append *text, which gets the end of a record, as one of such a file: in gzip,
 * or as a frame with its dictionary.  ST_NOMEM. */
enum status warc_members_pack(struct warc_members *m, struct buf *text,
                              struct buf *out);

#endif
