/* warc_write.h -- writes fetched pages as WARC 1.1, one gzip member a record.
 *
 * Files are FOLDER/PREFIX-TIMESTAMP-SERIAL.warc.gz, begun anew when they have
 * file_max bytes; while one is being written its name ends in .open.  Beside a
 * complete one stands its index, NAME.cdxj (cdxj.h).  A put is all or nothing:
 * when it fails, the file is cut back to whole records.  What a crash left is
 * cut back and completed by the next warc_write_open().  Belongs to one thread
 * at a time. */
#ifndef CLEAN_WARC_WRITE_H
#define CLEAN_WARC_WRITE_H

#include "warc_compose.h"

struct warc_write; /* opaque; see clean/archive/warc_write.c */

struct warc_write_options {
    const char *folder;  /* made when it is not there */
    const char *prefix;  /* of file names: letters, digits, - */
    uint64_t file_max;   /* bytes; a file is closed once it has as many */
    bool digests;        /* WARC-Block-Digest and WARC-Payload-Digest */
    struct str software; /* of warcinfo: "winnow/0.1" */
    struct str info;     /* more lines of warcinfo, each "name: value\r\n" */
    uint64_t now_ms;     /* for the file name and warcinfo */
    uint64_t seed;       /* of record ids: different for every run */
};

/* Where a response record went. */
struct warc_place {
    struct str file; /* name without folder and .open; until the next put */
    uint64_t offset, length;
};

/* The strings of `o` must stay.  ST_IO, ST_FULL: reported. */
enum status warc_write_open(struct warc_write **out,
                            const struct warc_write_options *o);

/* Write all that was composed into one file.  `place` (of its response) may be
 * NULL.  ST_FULL: no space; nothing was written, try again.  ST_IO: reported,
 * nothing was written. */
enum status warc_write_add(struct warc_write *w, const struct warc_composer *c,
                           uint64_t now_ms, struct warc_place *place);
/* Compose an exchange and add it. */
enum status warc_write_put(struct warc_write *w, const struct warc_exchange *x,
                           uint64_t now_ms, struct warc_place *place);

/* Complete the file.  NULL is allowed. */
enum status warc_write_close(struct warc_write *w);

#endif
