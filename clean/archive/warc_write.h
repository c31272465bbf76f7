/* warc_write.h -- writes fetched pages as WARC 1.1, one gzip member a record.
 *
 * Files are FOLDER/PREFIX-TIMESTAMP-SERIAL.warc.gz, begun anew when they have
 * file_max bytes; while one is being written its name ends in .open.  A put is
 * all or nothing: when it fails, the file is cut back to whole records.  What a
 * crash left is cut back and completed by the next warc_write_open().  Belongs
 * to one thread at a time. */
#ifndef CLEAN_WARC_WRITE_H
#define CLEAN_WARC_WRITE_H

#include "winnow/document_id.h"
#include "winnow/random.h"
#include "winnow/status.h"
#include "winnow/str.h"

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

/* One request and its answer. */
struct warc_exchange {
    struct document_id id; /* of the response record; "": a random one */
    struct str url, ip;
    uint64_t date_ms;
    struct str request;       /* as sent; empty: not recorded */
    struct str response_head; /* status line to empty line */
    struct str response_body; /* as the head describes it */
    struct str payload_type;  /* found by looking at the bytes; may be empty */
    struct str protocol[2];   /* "http/1.1", "tls/1.3"; "": none */
    struct str cipher;        /* TLS cipher suite by its IANA name, or "" */
    const char *truncated;    /* "length", "time"; NULL: it is whole */
};

/* Where a response record went. */
struct warc_place {
    struct str file; /* name without folder and .open; until the next put */
    uint64_t offset, length;
};

/* The strings of `o` must stay.  ST_IO, ST_FULL: reported. */
enum status warc_write_open(struct warc_write **out,
                            const struct warc_write_options *o);

/* `place` may be NULL.  ST_FULL: no space; nothing was written, try again.
 * ST_IO: reported, nothing was written. */
enum status warc_write_put(struct warc_write *w, const struct warc_exchange *x,
                           uint64_t now_ms, struct warc_place *place);

/* Complete the file.  NULL is allowed. */
enum status warc_write_close(struct warc_write *w);

#endif
