/* fetch.h -- HTTP transfers, many at once, to addresses that were checked, or
 * through a proxy.
 *
 * Belongs to the crawl loop's thread.  Names are never resolved here and
 * redirects never followed: a request goes to the given address or nowhere.
 * Bodies are decoded (gzip, deflate, br, zstd) and cut at a bound on *decoded*
 * bytes; what comes in altogether is bounded, too.  All of libcurl is called
 * from fetch*.c.
 */
#ifndef CRAWLER_FETCH_H
#define CRAWLER_FETCH_H

#include <netinet/in.h>

#include "base/options/opt.h"
#include "base/status.h"
#include "fetch_reply.h"

struct fetch;    /* opaque; see crawler/fetch/fetch.c */
struct transfer; /* one under way, until it is done */

struct fetch_io {
    void *self;
    /* Watch fd for reading and/or writing; both false: forget it. */
    void (*watch)(void *self, int fd, bool readable, bool writable);
};

struct fetch_request {
    const char *url;                 /* as sent: no user, no fragment */
    struct sockaddr_storage address; /* with port; checked by the caller */
    bool proxied; /* through fetch.proxy; address: of the host, or all zero */
    bool proxy_check;    /* see fetch_proxy_question() */
    bool html_only;      /* stop at the headers when the type is another */
    size_t body_max;     /* decoded bytes */
    unsigned documents;  /* types that are no HTML and good all the same ... */
    size_t document_max; /* ... may have so many (clean/convert/kind.h) */
    /* Asked with `arg` when it is connected and would send; false: it ends,
     * with VERDICT_RETURNED.  NULL: it may. */
    bool (*may_send)(void *arg);
    struct str cookies; /* values of Set-Cookie, a line each, each with a
                           Domain; empty: none */
    struct str etag, last_modified; /* only if it is another now (RFC 9110,
                                       section 13); empty: anyhow */
};

typedef void fetch_done(void *arg);

/* Asks the proxy, and nobody behind it, for a host that cannot exist: whether
 * it is there and takes the login stands in the reply's `proxy`. */
struct fetch_request fetch_proxy_question(void);

/* Before anything is opened.  ST_USAGE: fetch.tls_ca holds no certificate, so
 * that no host of https could be asked (reported). */
enum status fetch_check_authorities(const struct opts *o);

/* Likewise.  ST_USAGE: fetch.logins cannot be used (reported). */
enum status fetch_check_logins(const struct opts *o);

/* Owned by the caller; *o must outlive it.  ST_NOMEM. */
enum status fetch_open(struct fetch **out, const struct opts *o,
                       const struct fetch_io *io);
void fetch_close(struct fetch *f); /* NULL allowed; cancels what is running */

/* Start a transfer; *reply (cleared before) must live until done(arg) is
 * called: from fetch_ready(), fetch_tick(), or what ends transfers
 * (fetch_end(), fetch_cancel(), fetch_close()), never from here. */
struct transfer *fetch_start(struct fetch *f, const struct fetch_request *q,
                             struct fetch_reply *reply, uint64_t now_ms,
                             fetch_done *done, void *arg);

/* Has it got so far? */
bool fetch_connected(const struct transfer *t);
/* Bytes that have come in for it so far. */
uint64_t fetch_received(const struct transfer *t);

/* End a running transfer for this reason; done(arg) is called. */
void fetch_end(struct transfer *t, enum verdict why);

/* Idle connections that are kept when there is room, for hosts that are asked
 * again after their delay; one is some 2 KB here and 4 KB in the kernel. */
#define FETCH_IDLE_CONNECTIONS 20480

/* At most so many connections, running and idle, and so many of these; from
 * now on. */
void fetch_limit(struct fetch *f, size_t connections, size_t idle);

/* No socket could be had: idle connections are closed before the next transfer
 * begins, and fewer are kept from now on. */
void fetch_give_up_idle(struct fetch *f);

/* This process was stopped, or the machine slept, up to now; for so long by the
 * steady clock.  That is no part of how long a running transfer took, and those
 * that fail in a passing way end with VERDICT_RETURNED. */
void fetch_stood_still(struct fetch *f, uint64_t ms, uint64_t now_ms);

/* End every running transfer with VERDICT_RETURNED. */
void fetch_cancel(struct fetch *f);

void fetch_ready(struct fetch *f, int fd, bool readable, bool writable,
                 uint64_t now_ms);
void fetch_tick(struct fetch *f, uint64_t now_ms);
/* Milliseconds until fetch_tick() is due, UINT64_MAX: not at all. */
uint64_t fetch_wait_ms(const struct fetch *f, uint64_t now_ms);

size_t fetch_running(const struct fetch *f);

#endif
