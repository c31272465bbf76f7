/* fetch_inside.h -- what the files of fetch share: a transfer and all of them.
 * All of libcurl is called from fetch*.c. */
#ifndef CRAWLER_FETCH_INSIDE_H
#define CRAWLER_FETCH_INSIDE_H

#include <curl/curl.h>

#include "fetch.h"
#include "own_address.h"
#include "proxy.h"
#include "traffic.h"

/* libcurl's receive buffer.  Its preset of 16 KiB is three reads of a usual
 * page, each with a poll() behind it. */
#define FETCH_READ_SIZE 65536

struct transfer {
    struct fetch *fetch;
    CURL *easy;
    struct transfer *next, **back;           /* running or idle list */
    struct curl_slist *connect_to, *headers; /* headers: NULL: the usual ones */
    struct sockaddr_storage address;
    bool logs_in;   /* the request has a login of fetch.logins */
    bool proxied;   /* it goes through the proxy ... */
    bool forwarded; /* ... which is asked for the page and makes no tunnel */
    bool html_only;
    size_t body_max, document_max;
    unsigned documents;
    struct fetch_reply *reply;
    fetch_done *done;
    bool (*may_send)(void *arg);
    void *arg;

    uint64_t host; /* hash of scheme and authority */
    struct fetch_pool *pool;
    int fd; /* of the connection; -1: none yet */
    struct traffic_user traffic;
    size_t header_bytes, discarded;
    bool coded; /* the body has codings: it comes here */
    struct buf coded_body;
    size_t look_n; /* when it has so many bytes, it is looked at */
    uint64_t begun_ms;
    bool stood_still;             /* we did, meanwhile ... */
    uint64_t still_ms;            /* ... for so long, by the steady clock */
    bool answered;                /* a line of an answer has come */
    uint64_t pace_ms, pace_bytes; /* when the present look at its speed began,
                                     and with how many received bytes */
    bool sent;                    /* the request is about to be, or was */
    unsigned requests;            /* ... so often */
    bool in_body;      /* headers are complete; what follows are trailers */
    bool wanted;       /* a page: the body is kept */
    bool refused;      /* a status that says why not: its beginning is kept */
    bool cut;          /* we ended it on purpose */
    enum verdict stop; /* ... for this reason */
    char error[CURL_ERROR_SIZE];
};

struct fetch {
    CURLM *multi;
    struct traffic *traffic;
    struct sessions *sessions;
    struct fetch_pools *pools;
    struct fetch_io io;
    struct curl_slist *headers;
    struct transfer *running, *idle;
    size_t running_n;
    size_t open_n;   /* connections */
    size_t idle_max; /* of those that nobody uses */
    uint64_t due_ms, now_ms;
    uint64_t pace_due_ms; /* the next look at all speeds */
    uint64_t unasked; /* bytes of TLS records, and RECORD_COSTS for each, since
                         libcurl was called or last called back */
    size_t header_max;
    char *user_agent;
    struct signer *signer;       /* NULL: requests are not signed */
    struct fetch_logins *logins; /* NULL: none */
    struct own_address own;
    enum proxy_kind proxy;
    struct buf proxy_login;         /* user:password, NUL behind it, or empty */
    bool login_refused, proxy_away; /* when it was last asked */
    const struct opts *opts;
};

/* ---- fetch.c ---- */
void fetch_finish(struct transfer *t, enum verdict fault);

/* ---- fetch_pace.c: who is too slow ---- */
void fetch_pace_begins(struct transfer *t);
/* What came before now does not count. */
void fetch_pace_looks_again(struct transfer *t);
void fetch_pace_tick(struct fetch *f);

/* ---- fetch_answer.c: the headers of a transfer as they come ---- */
size_t fetch_on_header(char *p, size_t size, size_t n, void *self);

/* ---- fetch_body.c: its body ---- */
void fetch_body_begins(struct transfer *t); /* its headers have come */
/* Are bodies archived as they were sent? */
bool fetch_keeps_coded(const struct opts *o);
size_t fetch_on_body(char *p, size_t size, size_t n, void *self);
/* It has come, or the transfer has failed so: with which fault, after the body
 * was decoded. */
enum verdict fetch_body_ends(struct transfer *t, enum verdict fault);

/* ---- fetch_headers.c ---- */
struct curl_slist *fetch_headers(const struct opts *o); /* of all requests */
/* The list with one more; without a value, or with a control character in it,
 * as it was. */
struct curl_slist *fetch_header_add(struct curl_slist *list, const char *name,
                                    struct str value);
/* Those of this one, its conditions and signature among them.  NULL: those of
 * all. */
struct curl_slist *fetch_headers_of(const struct fetch *f,
                                    const struct fetch_request *q);

/* The request has those that fit its URL (RFC 6265); for these lines alone. */
void fetch_sends_cookies(struct transfer *t, struct str lines);

/* ---- fetch_login.c ---- */
/* NULL: fetch.logins is empty.  ST_USAGE: reported. */
enum status fetch_logins_open(struct fetch_logins **out, const struct opts *o);
void fetch_logins_free(struct fetch_logins *l); /* NULL is allowed */
/* The request for `url` has the login of its scheme, host and port, if there is
 * one. */
void fetch_logs_in(struct transfer *t, const char *url);
/* Take it out of a request, all of which was sent: libcurl may tell of it in
 * pieces. */
void fetch_hides_login(struct buf *request);

/* ---- fetch_sign.c ---- */
enum status fetch_sign_open(struct fetch *f);
/* The lists of headers with the signature of a request for `url` behind. */
struct curl_slist *fetch_signed(const struct fetch *f,
                                struct curl_slist *headers, const char *url);

/* ---- fetch_proxy.c ---- */
enum status fetch_proxy_open(struct fetch *f); /* ST_USAGE: reported */
/* The transfer goes through it. */
void fetch_uses_proxy(struct transfer *t, const struct fetch_request *q);
/* It has failed so: of what the proxy is the cause, or has told, what became of
 * it, and what that says of the proxy in its reply; else VERDICT_NONE. */
enum verdict fetch_proxy_fault(struct transfer *t, CURLcode code);
/* It has ended with this fault: with which, after a look at the reply. */
enum verdict fetch_proxy_answered(struct transfer *t, enum verdict fault);

/* ---- fetch_sent.c ---- */
void fetch_keeps_request(struct transfer *t); /* from now on, in its reply */

/* ---- fetch_tls.c ---- */
/* Its certificates are checked as the options say. */
void fetch_checks_tls(struct transfer *t);
void fetch_checks_proxy_tls(struct transfer *t);
void fetch_notes_tls(struct transfer *t);

/* ---- fetch_sessions.c: handshakes that are cut short ---- */
struct sessions *fetch_sessions_new(void);    /* NULL: no memory */
void fetch_sessions_free(struct sessions *s); /* NULL is allowed */

/* ---- fetch_context.c: connections as OpenSSL sees them ---- */
/* Those it makes from now on use and keep the sessions of their hosts, and what
 * comes in through them is bounded while libcurl asks nothing, too. */
void fetch_sees_contexts(struct transfer *t);

/* ---- fetch_pools.c: connections, divided over many pools ---- */
struct fetch_pools *fetch_pools_new(void);    /* NULL: no memory */
void fetch_pools_free(struct fetch_pools *p); /* NULL is allowed */
/* The number of the pool of a host, from 0 on. */
unsigned fetch_pool_of(struct fetch_pools *p, uint64_t host);
/* A transfer that begins uses and leaves connections in its host's pool. */
void fetch_enters_pool(struct transfer *t);
/* It has ended, and used this socket; -1: none. */
void fetch_leaves_pool(struct transfer *t, int fd);
void fetch_pools_tick(struct fetch *f);
long fetch_keep_seconds(const struct opts *o); /* an idle connection */
/* Close all connections of the pools that have no transfer. */
void fetch_pools_close_idle(struct fetch_pools *p);

/* ---- fetch_socket.c: sockets, and what comes in through them ---- */
curl_socket_t fetch_on_socket(void *self, curlsocktype purpose,
                              struct curl_sockaddr *a);
int fetch_on_close(void *fetch, curl_socket_t fd);
/* A transfer with this socket has failed. */
void fetch_misses_close(struct fetch *f, int fd);

/* Decides whether its connection stays when it ends. */
void fetch_keeps_connection(struct transfer *t);
/* It is closed when the transfer ends, which is before the answer does. */
void fetch_gives_up_connection(struct transfer *t);
/* Ends the transfer so, for this reason; false. */
bool fetch_stop(struct transfer *t, enum verdict why);

/* The transfer uses this socket from here on. */
void fetch_uses_socket(struct transfer *t, int fd);
/* It does so no longer; which it was, -1: none. */
int fetch_leaves_socket(struct transfer *t);

/* More than a page with so long a body, its headers and their wrapping. */
uint64_t fetch_received_max(const struct fetch *f, size_t body_max);
/* Called after reads, of which libcurl makes 100 in a row at the most: has more
 * come in than a page, its headers and their wrapping can be?  Then the
 * transfer ends. */
int fetch_on_progress(void *transfer, curl_off_t total, curl_off_t now,
                      curl_off_t up_total, curl_off_t up_now);

#endif
