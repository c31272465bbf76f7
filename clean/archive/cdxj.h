/* cdxj.h -- an index of WARC files: a line of CDXJ for each capture.
 *
 * "KEY YYYYMMDDhhmmss {"url": ..., "mime": ..., "status": ..., "digest": ...,
 * "length": ..., "offset": ..., "filename": ...}", as pywb and OpenWayback read
 * them; a file of them is sorted by bytes.  Responses, resources and revisits
 * have a line, robots.txt as well; requests and metadata have none. */
#ifndef CLEAN_CDXJ_H
#define CLEAN_CDXJ_H

#include "base/buf.h"
#include "base/status.h"

struct cdxj_entry {
    struct str url;
    uint64_t date_ms;
    struct str mime;   /* as the server says, "" unknown */
    unsigned status;   /* of HTTP; 0: none */
    struct str digest; /* WARC-Payload-Digest, with or without "sha1:" */
    bool revisit;
};

/* Append a line: first what the record says, then where it stands.  The second
 * call ends it. */
void cdxj_begin(struct buf *out, const struct cdxj_entry *e);
void cdxj_end(struct buf *out, struct str file, uint64_t offset,
              uint64_t length);

/* "text/html" of the Content-Type in an HTTP header; "" if there is none. */
struct str cdxj_mime(struct str head);

/* Sort lines, each ended by \n, by bytes. */
void cdxj_sort(struct buf *lines);

/* Append the lines of the WARC file at `path`, in its order; *end: where its
 * last whole record ends.  `file` is the name they have.  Records after
 * something that cannot be read are left out.  ST_IO: reported. */
enum status cdxj_of_warc(struct buf *lines, uint64_t *end, int fd,
                         const char *path, struct str file);

#endif
