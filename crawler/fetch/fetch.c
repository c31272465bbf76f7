/* fetch.c -- libcurl's multi interface behind start and done.
 *
 * Facts that shape it (curl 7.88): neither MAXFILESIZE nor the write function,
 * which counts and stops, sees all that comes in, so the socket is asked
 * (fetch_socket.c); CONNECT_TO pins the address while Host
 * and SNI stay those of the URL; OPENSOCKETFUNCTION compares what libcurl is
 * about to connect to with the address that was checked, as the last wall;
 * proxies of the environment do not count, only fetch.proxy does
 * (fetch_proxy.c).
 *
 * Its own cache of names, in which every address would stand as one, is walked
 * through after each transfer: nothing stays in it.
 *
 * Each transfer has an easy handle of its own (take_handle()).  Bounds: running
 * transfers by the caller (fetch.parallel), header bytes, body bytes, time,
 * speed, idle connections.  One thread. */
#include "fetch_inside.h"

#include <arpa/inet.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "crawler/sign/signer.h"

#define REQUESTS_MAX 2 /* of one transfer */
#define FORWARDED 1    /* the host of all that share connections to a proxy */

static void
list_put(struct transfer **list, struct transfer *t)
{
    t->next = *list;
    t->back = list;
    if (t->next != NULL)
        t->next->back = &t->next;
    *list = t;
}

static void
list_take(struct transfer *t)
{
    *t->back = t->next;
    if (t->next != NULL)
        t->next->back = t->back;
}

/* ---- the end of a transfer ---- */

static enum verdict
fault_of(struct transfer *t, CURLcode code)
{
    curl_off_t connected = 0;
    enum verdict proxy;

    if (t->cut)
        return t->stop;
    if (t->proxied && (proxy = fetch_proxy_fault(t, code)) != VERDICT_NONE)
        return proxy;
    switch (code) {
    case CURLE_OK: /* also when it closed in the middle of the headers */
        return t->in_body ? VERDICT_NONE : VERDICT_BROKEN;
    case CURLE_BAD_FUNCTION_ARGUMENT: /* whose first header is folded */
    case CURLE_UNSUPPORTED_PROTOCOL:  /* an answer without a status line */
    case CURLE_WEIRD_SERVER_REPLY: return VERDICT_GARBAGE;
    case CURLE_URL_MALFORMAT:
    case CURLE_COULDNT_RESOLVE_HOST: return VERDICT_BAD_URL;
    case CURLE_COULDNT_CONNECT: return VERDICT_CONNECT;
    case CURLE_PARTIAL_FILE: return VERDICT_PARTIAL;
#if LIBCURL_VERSION_NUM >= 0x080600
    case CURLE_TOO_LARGE: /* a header line over 100 kB, or over 5000 lines,
                             also behind a body in chunks */
        return VERDICT_HEADER_SIZE;
#endif
    case CURLE_OUT_OF_MEMORY: /* as libcurl before 8.6 refuses such a line */
        return t->in_body ? VERDICT_OTHER : VERDICT_HEADER_SIZE;
    case CURLE_OPERATION_TIMEDOUT:
        curl_easy_getinfo(t->easy, CURLINFO_CONNECT_TIME_T, &connected);
        if (connected == 0)
            return VERDICT_CONNECT_TIMEOUT;
        return VERDICT_TIMEOUT;
    case CURLE_SSL_CONNECT_ERROR: return VERDICT_TLS;
    case CURLE_SSL_CACERT_BADFILE:
        t->reply->no_authorities = true;
        return VERDICT_TLS_VERIFY;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS: return VERDICT_TLS_VERIFY;
    case CURLE_GOT_NOTHING: return VERDICT_EMPTY_REPLY;
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR: return VERDICT_BROKEN;
    case CURLE_BAD_CONTENT_ENCODING: return VERDICT_ENCODING;
    default: return VERDICT_OTHER;
    }
}

/* libcurl's time stands still while nothing comes in: of what is given up for
 * that, and of whatever fails, our own counts. */
static uint32_t
took_ms(const struct transfer *t, enum verdict fault)
{
    uint64_t ours = t->fetch->now_ms - t->begun_ms - t->still_ms, ms;
    curl_off_t us = 0;

    curl_easy_getinfo(t->easy, CURLINFO_TOTAL_TIME_T, &us);
    ms = (uint64_t)us / 1000;
    if (t->stood_still || (fault != VERDICT_NONE && ours > ms))
        ms = ours;
    return (uint32_t)ms;
}

/* What went wrong while we stood still is not the server's. */
static enum verdict
excused(const struct transfer *t, enum verdict fault)
{
    return t->stood_still && verdict_kind(fault) == VERDICT_KIND_RETRY
               ? VERDICT_RETURNED
               : fault;
}

void
fetch_finish(struct transfer *t, enum verdict fault)
{
    struct fetch *f = t->fetch;
    struct fetch_reply *r = t->reply;
    curl_off_t body = 0, connected = 0;
    long status = 0;
    int fd;

    curl_easy_getinfo(t->easy, CURLINFO_SIZE_DOWNLOAD_T, &body);
    curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &connected);
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    r->status = status > 0 ? (unsigned)status : 0;
    if (t->logs_in)
        fetch_hides_login(&r->request);
    fault = excused(t, fault);
    if (t->proxied)
        fault = fetch_proxy_answered(t, fault);
    fault = r->fault = fetch_body_ends(t, fault);
    fd = fetch_leaves_socket(t);
    r->bytes = t->header_bytes + (uint64_t)(body > 0 ? body : 0);
    if (r->bytes < t->traffic.received)
        r->bytes = t->traffic.received;
    r->ms = took_ms(t, fault);
    r->connected = connected > 0;
    if (fault != VERDICT_NONE)
        fetch_gives_up_connection(t);
    curl_multi_remove_handle(f->multi, t->easy);
    fetch_leaves_pool(t, fd);
    if (fault != VERDICT_NONE) {
        fetch_misses_close(f, fd);
        traffic_shut(f->traffic, fd);
    }
    curl_slist_free_all(t->connect_to);
    curl_slist_free_all(t->headers);
    t->connect_to = t->headers = NULL;
    list_take(t);
    list_put(&f->idle, t);
    f->running_n--;
    t->done(t->arg); /* may start another transfer */
}

static void
drain(struct fetch *f)
{
    CURLMsg *m;
    int left;

    while ((m = curl_multi_info_read(f->multi, &left)) != NULL) {
        struct transfer *t = NULL;
        CURLcode code = m->data.result;

        if (m->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&t);
        if (t != NULL)
            fetch_finish(t, fault_of(t, code));
    }
}

/* ---- handles ---- */

static int
on_watch(CURL *easy, curl_socket_t fd, int what, void *self, void *unused)
{
    struct fetch *f = self;
    struct transfer *t = NULL;

    (void)unused;
    if (what != CURL_POLL_REMOVE &&
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t) == CURLE_OK &&
        t != NULL)
        fetch_uses_socket(t, fd);
    f->io.watch(f->io.self, fd, what == CURL_POLL_IN || what == CURL_POLL_INOUT,
                what == CURL_POLL_OUT || what == CURL_POLL_INOUT);
    return 0;
}

static int
on_timer(CURLM *multi, long timeout_ms, void *self)
{
    struct fetch *f = self;

    (void)multi;
    f->due_ms = timeout_ms < 0 ? UINT64_MAX : f->now_ms + (uint64_t)timeout_ms;
    return 0;
}

/* libcurl repeats a request by itself, at once, over another connection: when
 * one that was kept turns out to be closed, and five times when HTTP/2 refuses
 * the stream.  Once is enough: after that the page waits for its host's turn.
 */
static int
on_request(void *self, char *to, char *from, int to_port, int from_port)
{
    struct transfer *t = self;

    (void)to;
    (void)from;
    (void)to_port;
    (void)from_port;
    t->sent = true;
    t->stop = VERDICT_RETURNED;
    if (t->may_send == NULL || t->may_send(t->arg)) {
        if (t->requests++ < REQUESTS_MAX)
            return CURL_PREREQFUNC_OK;
        t->stop = VERDICT_BROKEN;
    }
    t->cut = true;
    return CURL_PREREQFUNC_ABORT;
}

static void
set_limits(CURL *e, const struct opts *o)
{
    curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)o->fetch_timeout_ms);
    curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS,
                     (long)o->fetch_connect_timeout_ms);
    curl_easy_setopt(e, CURLOPT_MAXAGE_CONN, fetch_keep_seconds(o));
}

/* A handle for one transfer: libcurl 7.88 keeps, in one that is used again, a
 * pointer to the last header of the answer before, which it has freed, and
 * appends to that when the first header of the next one is folded. */
static void
take_handle(struct transfer *t)
{
    struct fetch *f = t->fetch;
    CURL *e = memory_need(curl_easy_init());

    curl_easy_cleanup(t->easy);
    t->easy = e;
    curl_easy_setopt(e, CURLOPT_PRIVATE, t);
    curl_easy_setopt(e, CURLOPT_ERRORBUFFER, t->error);
    curl_easy_setopt(e, CURLOPT_HTTP_VERSION,
                     f->opts->fetch_http2 ? (long)CURL_HTTP_VERSION_2TLS
                                          : (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(e, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(e, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(e, CURLOPT_PROXY, "");
    curl_easy_setopt(e, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(e, CURLOPT_USERAGENT, f->user_agent);
    curl_easy_setopt(e, CURLOPT_HTTPHEADER, f->headers);
    curl_easy_setopt(e, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(e, CURLOPT_DNS_CACHE_TIMEOUT, 0L);
    curl_easy_setopt(e, CURLOPT_BUFFERSIZE, (long)FETCH_READ_SIZE);
    curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, fetch_on_header);
    curl_easy_setopt(e, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, fetch_on_body);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, fetch_on_socket);
    curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, t);
    curl_easy_setopt(e, CURLOPT_CLOSESOCKETFUNCTION, fetch_on_close);
    curl_easy_setopt(e, CURLOPT_CLOSESOCKETDATA, f);
    curl_easy_setopt(e, CURLOPT_PREREQFUNCTION, on_request);
    curl_easy_setopt(e, CURLOPT_PREREQDATA, t);
    curl_easy_setopt(e, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(e, CURLOPT_XFERINFOFUNCTION, fetch_on_progress);
    curl_easy_setopt(e, CURLOPT_XFERINFODATA, t);
    set_limits(e, f->opts);
    fetch_checks_tls(t);
    fetch_sees_contexts(t);
    if (f->opts->output_warc)
        fetch_keeps_request(t);
}

/* Transfers are made when first needed; their number is bounded by
 * fetch.parallel. */
static struct transfer *
transfer_new(struct fetch *f)
{
    struct transfer *t = memory_need(calloc(1, sizeof *t));

    t->fetch = f;
    list_put(&f->idle, t);
    return t;
}

enum status
fetch_open(struct fetch **out, const struct opts *o, const struct fetch_io *io)
{
    struct fetch *f = calloc(1, sizeof *f);
    enum status st = ST_NOMEM;

    if (f == NULL)
        return ST_NOMEM;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(f);
        return ST_NOMEM;
    }
    f->io = *io;
    f->opts = o;
    f->due_ms = UINT64_MAX;
    f->header_max = o->fetch_header_max;
    f->user_agent = strndup(o->fetch_user_agent.p, o->fetch_user_agent.n);
    f->headers = fetch_headers(o);
    f->multi = curl_multi_init();
    f->traffic = traffic_new();
    f->sessions = fetch_sessions_new();
    f->pools = fetch_pools_new();
    if (f->multi == NULL || f->traffic == NULL || f->sessions == NULL ||
        f->pools == NULL || f->headers == NULL || f->user_agent == NULL)
        goto fail;
    if ((st = fetch_sign_open(f)) != ST_OK ||
        (st = fetch_logins_open(&f->logins, o)) != ST_OK ||
        (st = own_address_read(&f->own, o)) != ST_OK ||
        (st = fetch_proxy_open(f)) != ST_OK)
        goto fail;
    curl_multi_setopt(f->multi, CURLMOPT_SOCKETFUNCTION, on_watch);
    curl_multi_setopt(f->multi, CURLMOPT_SOCKETDATA, f);
    curl_multi_setopt(f->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(f->multi, CURLMOPT_TIMERDATA, f);
    curl_multi_setopt(f->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
    fetch_limit(f, o->fetch_parallel + FETCH_IDLE_CONNECTIONS,
                FETCH_IDLE_CONNECTIONS);
    *out = f;
    return ST_OK;

fail:
    fetch_close(f);
    return st;
}

void
fetch_close(struct fetch *f)
{
    if (f == NULL)
        return;
    fetch_cancel(f);
    for (struct transfer *t = f->idle, *next; t != NULL; t = next) {
        next = t->next;
        curl_easy_cleanup(t->easy);
        buf_free(&t->coded_body);
        free(t);
    }
    if (f->multi != NULL)
        curl_multi_cleanup(f->multi);
    fetch_pools_free(f->pools);
    traffic_free(f->traffic);
    fetch_sessions_free(f->sessions);
    curl_slist_free_all(f->headers);
    signer_free(f->signer);
    fetch_logins_free(f->logins);
    buf_free(&f->proxy_login);
    free(f->user_agent);
    free(f);
    curl_global_cleanup();
}

/* "::address:port" for CONNECT_TO: whatever the URL says, go there.  Without it
 * libcurl would look the name up by itself. */
static struct curl_slist *
pin(const struct sockaddr_storage *a)
{
    char text[INET6_ADDRSTRLEN], all[INET6_ADDRSTRLEN + 16];

    if (a->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const void *)a;

        inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
        snprintf(all, sizeof all, "::%s:%u", text, ntohs(v4->sin_port));
    } else {
        const struct sockaddr_in6 *v6 = (const void *)a;

        inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
        snprintf(all, sizeof all, "::[%s]:%u", text, ntohs(v6->sin6_port));
    }
    return memory_need(curl_slist_append(NULL, all));
}

/* libcurl looks for a connection to use again in a list of all that lead to one
 * address, and asks the kernel about each of them.  The lists differ by the
 * scope of the address, too, which counts for IPv6 only: so each host behind an
 * address of IPv4 gets a list of its own. */
static long
own_list(const struct transfer *t)
{
    return !t->proxied && t->address.ss_family == AF_INET
               ? (long)(t->host & INT32_MAX)
               : 0;
}

/* Of all up to the path, for the servers that answer under it. */
static uint64_t
host_of(struct str url)
{
    size_t to = str_find(url, ':', 0) + 3;

    while (to < url.n && url.p[to] != '/' && url.p[to] != '?')
        to++;
    return hash64(str_sub(url, 0, to)) | 1;
}

/* A proxy of HTTP is told the name, which it looks up by itself. */
static bool
goes_to_address(const struct transfer *t)
{
    return !t->proxied || (t->fetch->proxy == PROXY_SOCKS &&
                           t->address.ss_family != AF_UNSPEC);
}

struct transfer *
fetch_start(struct fetch *f, const struct fetch_request *q,
            struct fetch_reply *reply, uint64_t now_ms, fetch_done *done,
            void *arg)
{
    struct transfer *t = f->idle != NULL ? f->idle : transfer_new(f);

    take_handle(t);
    list_take(t);
    list_put(&f->running, t);
    f->running_n++;
    f->now_ms = t->begun_ms = now_ms;
    t->stood_still = false;
    t->still_ms = 0;
    t->reply = reply;
    t->done = done;
    t->may_send = q->may_send;
    t->arg = arg;
    t->address = q->address;
    t->proxied = q->proxied;
    t->forwarded = false;
    if (t->proxied)
        fetch_uses_proxy(t, q);
    t->host = t->forwarded ? FORWARDED : host_of(str_c(q->url));
    t->html_only = q->html_only;
    t->body_max = q->body_max;
    t->documents = q->documents;
    t->document_max = q->document_max;
    t->header_bytes = t->discarded = 0;
    t->requests = 0;
    fetch_pace_begins(t);
    t->traffic.received = 0;
    t->fd = -1;
    t->sent = !str_starts(str_c(q->url), S("http:")); /* a handshake counts */
    t->in_body = t->wanted = t->refused = t->cut = t->coded = false;
    t->error[0] = '\0';
    t->connect_to = goes_to_address(t) ? pin(&q->address) : NULL;
    t->headers = fetch_headers_of(f, q);
    curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER,
                     t->headers != NULL ? t->headers : f->headers);
    fetch_logs_in(t, q->url);
    if (q->cookies.n > 0)
        fetch_sends_cookies(t, q->cookies);
    curl_easy_setopt(t->easy, CURLOPT_CONNECT_TO, t->connect_to);
    curl_easy_setopt(t->easy, CURLOPT_ADDRESS_SCOPE, own_list(t));
    curl_easy_setopt(t->easy, CURLOPT_URL, q->url);
    curl_easy_setopt(t->easy, CURLOPT_FORBID_REUSE, 0L);
    fetch_enters_pool(t);
    curl_multi_add_handle(f->multi, t->easy);
    return t;
}

bool
fetch_connected(const struct transfer *t)
{
    curl_off_t us = 0;

    curl_easy_getinfo(t->easy, CURLINFO_CONNECT_TIME_T, &us);
    return us > 0;
}

uint64_t
fetch_received(const struct transfer *t)
{
    return t->traffic.received;
}

void
fetch_end(struct transfer *t, enum verdict why)
{
    fetch_finish(t, why);
}

void
fetch_limit(struct fetch *f, size_t connections, size_t idle)
{
    f->idle_max = idle;
    curl_multi_setopt(f->multi, CURLMOPT_MAXCONNECTS, (long)connections);
    curl_multi_setopt(f->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS,
                      (long)connections);
}

/* What is left in pools that have a transfer is found dead by the next one. */
void
fetch_give_up_idle(struct fetch *f)
{
    size_t idle = f->open_n > f->running_n ? f->open_n - f->running_n : 0;

    f->idle_max = idle / 2;
    fetch_pools_close_idle(f->pools);
    traffic_shut_idle(f->traffic);
}

void
fetch_stood_still(struct fetch *f, uint64_t ms, uint64_t now_ms)
{
    f->now_ms = now_ms;
    for (struct transfer *t = f->running; t != NULL; t = t->next) {
        t->stood_still = true;
        t->still_ms += ms;
        fetch_pace_looks_again(t);
    }
}

void
fetch_cancel(struct fetch *f)
{
    while (f->running != NULL)
        fetch_finish(f->running, VERDICT_RETURNED);
}

void
fetch_ready(struct fetch *f, int fd, bool readable, bool writable,
            uint64_t now_ms)
{
    int running;

    f->now_ms = now_ms;
    f->unasked = 0;
    curl_multi_socket_action(f->multi, fd,
                             (readable ? CURL_CSELECT_IN : 0) |
                                 (writable ? CURL_CSELECT_OUT : 0),
                             &running);
    drain(f);
}

void
fetch_tick(struct fetch *f, uint64_t now_ms)
{
    int running;

    f->now_ms = now_ms;
    fetch_pace_tick(f);
    fetch_pools_tick(f);
    if (now_ms < f->due_ms)
        return;
    f->due_ms = UINT64_MAX;
    f->unasked = 0;
    curl_multi_socket_action(f->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    drain(f);
}

uint64_t
fetch_wait_ms(const struct fetch *f, uint64_t now_ms)
{
    uint64_t due = f->due_ms;

    if (f->running != NULL && f->pace_due_ms < due)
        due = f->pace_due_ms;
    if (due == UINT64_MAX)
        return UINT64_MAX;
    return due > now_ms ? due - now_ms : 0;
}

size_t
fetch_running(const struct fetch *f)
{
    return f->running_n;
}
