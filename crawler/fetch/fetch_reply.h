/* fetch_reply.h -- what a server answered: body and the headers that count. */
#ifndef CRAWLER_FETCH_REPLY_H
#define CRAWLER_FETCH_REPLY_H

#include "base/buf.h"
#include "base/verdict.h"

/* What a fault says of the proxy. */
enum fetch_proxy {
    FETCH_PROXY_FINE,     /* it has done its part, or there is none */
    FETCH_PROXY_FAR,      /* it says that it cannot reach the host */
    FETCH_PROXY_DOUBTFUL, /* it or the host has failed */
    FETCH_PROXY_AWAY,     /* it cannot be reached, or is none */
    FETCH_PROXY_LOGIN     /* it wants another login */
};

/* What came.  Start with {0}; end with fetch_reply_free(). */
struct fetch_reply {
    enum verdict fault;
    unsigned status; /* HTTP status, 0: none came */
    struct buf
        head; /* status line to empty line, as sent, of the last answer */
    struct buf request; /* as it was sent, with output.warc */
    struct buf body; /* of a page only; what came, also when there is a fault */
    struct buf coded_body; /* the same as it was sent, with output.warc_bodies =
                              sent; empty: it came in no content coding */
    struct buf refusal; /* the beginning of the body of a status that refuses */
    struct buf price;   /* Crawler-Price of 402 */
    struct buf codings, transfer_codings; /* the lists of Content-Encoding and
                                             Transfer-Encoding */
    struct buf content_type, x_robots_tag, location, last_modified, etag;
    struct buf retry_after; /* as it was sent */
    uint64_t date_ms;       /* the server's clock; 0: not sent */
    bool has_location;
    bool truncated;  /* the body is not whole: cut off at body_max ... */
    bool broken_off; /* ... or it ends in the middle of its coding */
    uint64_t length; /* Content-Length; 0: not known */
    uint64_t bytes;  /* received: all that came in, TLS as well */
    uint32_t retry_after_ms; /* of 429 and 503; 0: none */
    uint32_t ms;             /* how long it took */
    /* "TLSv1.3" and IANA's name of the cipher suite; NULL: no TLS, not known.
     */
    const char *tls_version, *tls_cipher;
    enum fetch_proxy proxy;
    unsigned proxy_status; /* its answer when asked for a tunnel; 0: none */
    bool no_authorities;   /* here: no certificate could be checked */
    bool connected;        /* the request, or a part of it, was sent */
};

void fetch_reply_free(struct fetch_reply *r); /* back to {0} */

/* A response begins (a 1xx may have come before): forget its headers. */
void fetch_reply_begins(struct fetch_reply *r);

/* With this status a page comes: 200, and 203 from a proxy that changed it. */
bool fetch_reply_has_page(unsigned status);

/* Keep those headers of `head` that are ours, unfolded. */
void fetch_reply_headers(struct fetch_reply *r, uint64_t wall_ms);

/* Keep a header if it is one of ours; `wall_ms` for dates. */
void fetch_reply_header(struct fetch_reply *r, struct str name,
                        struct str value, uint64_t wall_ms);

/* False: the declared type is surely another.  No type, the "unknown" ones and
 * XML are left to sniffing (WHATWG MIME Sniffing, section 7). */
bool fetch_reply_may_be_html(const struct fetch_reply *r);

/* Retry-After: seconds or an HTTP date, as ms from now, at most 24 h. */
uint32_t fetch_retry_after_ms(struct str value, uint64_t wall_ms);

#endif
