/* warc_write.h -- writes fetched pages as WARC 1.1, each record a gzip member
 * or a zstd frame of its own.
 *
 * Files are FOLDER/PREFIX-TIMESTAMP-SERIAL.warc.gz (or .warc.zst), begun anew
 * when they have file_max bytes; while one is being written its name ends in
 * .open.  Beside a complete one stands its index, NAME.cdxj (cdxj.h).  A put
 * is all or nothing: when it fails, the file is cut back to whole records. What
 * a crash left is cut back and completed by the next warc_write_open().
 *
 * Files of zstd frames begin with a dictionary: that of the files that are
 * there, or one learnt from the first records, which stand in a file without.
 *
 * Belongs to one thread at a time, but for what says otherwise. */
#ifndef CLEAN_WARC_WRITE_H
#define CLEAN_WARC_WRITE_H

#include "warc_compose.h"

struct warc_write; /* opaque; see clean/archive/warc_write.c */

struct warc_write_options {
    const char *folder; /* made when it is not there */
    const char *prefix; /* of file names: letters, digits, - */
    uint64_t file_max;  /* bytes; a file is closed once it has as many */
    enum warc_form form;
    uint64_t learn_from; /* bytes of records for a dictionary; 0: none */
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

/* How records are packed now: what was packed otherwise is packed again by
 * warc_write_add().  Thread-safe. */
struct warc_packing warc_write_packing(const struct warc_write *w);

/* Write all that was composed into one file.  `place` (of its response) may be
 * NULL.  ST_FULL: no space; nothing was written, try again.  ST_IO: reported,
 * nothing was written.  ST_NOMEM. */
enum status warc_write_add(struct warc_write *w, struct warc_composer *c,
                           uint64_t now_ms, struct warc_place *place);

/* Whether there are records enough for a dictionary: true once.  Then somebody
 * calls warc_write_learn(), which takes a second or so, beside other calls;
 * NULL: it cannot be; and warc_write_use(), with which the next file begins.
 * `d` is the writer's then; NULL is allowed. */
bool warc_write_may_learn(struct warc_write *w);
struct zstd_dictionary *warc_write_learn(const struct warc_write *w);
void warc_write_use(struct warc_write *w, struct zstd_dictionary *d);

/* Complete the file.  NULL is allowed. */
enum status warc_write_close(struct warc_write *w);

#endif
