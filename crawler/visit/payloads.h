/* payloads.h -- the captures of this run, by payload and by URL: of which an
 * answer may be a revisit.
 *
 * The last PAYLOADS_MAX captures are known; nothing is kept over a restart, as
 * a capture whose page was not reported is fetched again and has to be whole
 * then.  Not thread-safe. */
#ifndef CRAWLER_PAYLOADS_H
#define CRAWLER_PAYLOADS_H

#include "base/document_id.h"
#include "base/warc/digest.h"

#define PAYLOADS_MAX 65536u

struct payload {
    char digest[DIGEST_TEXT_N];
    uint64_t type; /* hash of the Content-Type it came with */

    /* The record that has the bytes. */
    char *url;
    uint64_t date_ms;
    struct document_id id;
};

struct payloads; /* opaque; see crawler/visit/payloads.c */

struct payloads *payloads_new(void);    /* NULL: out of memory */
void payloads_free(struct payloads *p); /* NULL is allowed */

/* What `page` brought; another capture may have the bytes (a revisit of a
 * revisit leads nowhere).  The strings are copied. */
void payloads_add(struct payloads *p, struct str page,
                  const struct payload *capture);

/* The first capture with these bytes under this type, the last of this URL;
 * NULL: none is known.  Valid until the next call of payloads_add(). */
const struct payload *payloads_same(const struct payloads *p,
                                    const char *digest, uint64_t type);
const struct payload *payloads_of(const struct payloads *p, struct str url);

#endif
