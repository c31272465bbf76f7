/* server.c -- the answering half of endpoint.h: a thread for every connection,
 * one for every address listened at, and one that runs the handler.
 *
 * A connection's thread receives a request, queues it, waits, sends the reply.
 * The handler's thread takes all that is queued as one group; while it works
 * the next group gathers, so a group is as large as the load makes it.  What
 * the handler keeps stands in front of the next group, which then is taken at
 * once.
 *
 *     gate --accept--> peer --request--> line --group--> handle
 *                       ^                                  |
 *                       +-------------reply----------------+
 *
 * When a peer dies its operation ends with an error and its thread ends; the
 * gate's thread clears it away when the next peer comes.
 *
 * Bounds: GROUP_MAX new requests a group and KEPT_MAX kept ones; PEERS_MAX
 * connections, further ones wait to be accepted; one message of at most
 * ENDPOINT_MESSAGE_MAX bytes and its reply for each of them. */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "line.h"
#include "link.h"
#include "transport.h"
#include "winnow/clock.h"
#include "winnow/log.h"

enum {
    GROUP_MAX = 32,
    KEPT_MAX = 1024,
    GATES_MAX = 2,
    PEERS_MAX = 1000,
    REPLY_TIMEOUT_MS = 30000, /* a peer that does not read its reply */
    FULL_PAUSE_MS = 100,      /* no descriptor, thread or memory for a peer */
    LINGER_MS = 20            /* nng's TLS does not flush when it closes */
};

struct peer {
    struct server *server;
    struct link *link;
    pthread_t thread;
    bool ended; /* under server.lock */
    struct peer *next;
};

/* An address listened at. */
struct gate {
    struct server *server;
    nng_stream_listener *listener;
    pthread_t thread;
};

struct server {
    struct line *line;
    server_handle *handle;
    void *self;
    pthread_t thread;
    struct gate gates[GATES_MAX];
    size_t gates_n;
    atomic_bool stopping; /* no further request is received */
    pthread_mutex_t lock;
    struct peer *peers;
    size_t peers_n;
    /* Of the handler's thread. */
    struct call *group[KEPT_MAX + GROUP_MAX];
    struct server_call calls[KEPT_MAX + GROUP_MAX];
};

/* ---- the handler ---- */

/* Those of a group that are not kept.  How many are. */
static size_t
answer(struct server *v, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (v->calls[i].kept) {
            v->calls[kept] = v->calls[i];
            v->calls[kept].kept = false;
            v->group[kept++] = v->group[i];
            continue;
        }
        v->group[i]->reply = v->calls[i].reply;
        line_answer(v->line, v->group[i]);
    }
    return kept;
}

static void *
server_run(void *arg)
{
    struct server *v = arg;
    size_t kept = 0, n;

    while (line_take(v->line, v->group + kept, kept < KEPT_MAX ? GROUP_MAX : 0,
                     kept == 0, &n) ||
           kept > 0) {
        for (size_t i = kept; i < kept + n; i++)
            v->calls[i] =
                (struct server_call){.request = buf_view(&v->group[i]->request),
                                     .reply = v->group[i]->reply};
        v->handle(v->self, v->calls, kept + n);
        kept = answer(v, kept + n);
    }
    return NULL;
}

/* ---- peers ---- */

/* A reply that is too long is not sent: the asker runs into its deadline. */
static enum status
peer_reply(struct peer *x, struct str reply)
{
    const struct patience p = {clock_steady_ms() + REPLY_TIMEOUT_MS, NULL, 0};

    if (reply.n <= ENDPOINT_MESSAGE_MAX)
        return link_send(x->link, reply, &p);
    log_error("endpoint", "reply of %zu bytes is over the limit", reply.n);
    return ST_OK;
}

static void *
peer_run(void *arg)
{
    struct peer *x = arg;
    struct server *v = x->server;
    const struct patience for_ever = {PATIENCE_ENDLESS, NULL, 0};
    const struct patience while_open = {PATIENCE_ENDLESS, &v->stopping, 0};
    struct call *c = call_new();

    while (c != NULL &&
           link_receive(x->link, &c->request, &while_open) == ST_OK &&
           line_call(v->line, &c, &for_ever) == ST_OK &&
           peer_reply(x, buf_view(&c->reply)) == ST_OK)
        ;
    call_free(c);
    if (v->stopping)
        clock_sleep_ms(LINGER_MS);
    link_hang_up(x->link);
    pthread_mutex_lock(&v->lock);
    x->ended = true;
    pthread_mutex_unlock(&v->lock);
    return NULL;
}

static void
peer_free(struct peer *x)
{
    pthread_join(x->thread, NULL);
    link_close(x->link);
    free(x);
}

/* Clear away the peers that have ended; how many are left. */
static size_t
clear_ended(struct server *v)
{
    struct peer *ended = NULL, *x;
    size_t left;

    pthread_mutex_lock(&v->lock);
    for (struct peer **at = &v->peers; (x = *at) != NULL;) {
        if (!x->ended) {
            at = &x->next;
            continue;
        }
        *at = x->next;
        x->next = ended;
        ended = x;
        v->peers_n--;
    }
    left = v->peers_n;
    pthread_mutex_unlock(&v->lock);
    while ((x = ended) != NULL) {
        ended = x->next;
        peer_free(x);
    }
    return left;
}

/* Takes `link`. */
static enum status
peer_start(struct server *v, struct link *link)
{
    struct peer *x = calloc(1, sizeof *x);

    if (x == NULL) {
        link_close(link);
        return ST_NOMEM;
    }
    x->server = v;
    x->link = link;
    pthread_mutex_lock(&v->lock);
    if (pthread_create(&x->thread, NULL, peer_run, x) != 0) {
        pthread_mutex_unlock(&v->lock);
        link_close(link);
        free(x);
        return ST_NOMEM;
    }
    x->next = v->peers;
    v->peers = x;
    v->peers_n++;
    pthread_mutex_unlock(&v->lock);
    return ST_OK;
}

/* ---- gates ---- */

static void *
gate_run(void *arg)
{
    struct gate *g = arg;
    struct server *v = g->server;
    const struct patience for_ever = {PATIENCE_ENDLESS, NULL, 0};
    struct link *link;

    while (!v->stopping) {
        if (clear_ended(v) >= PEERS_MAX ||
            link_accept(&link, g->listener, &for_ever) != ST_OK ||
            peer_start(v, link) != ST_OK) {
            if (!v->stopping)
                clock_sleep_ms(FULL_PAUSE_MS);
        }
    }
    return NULL;
}

/* Is nobody behind this socket file (left by a killed process)?  Then remove
 * it: nng does not, and bind(2) fails for ever. */
static bool
remove_stale(const char *url)
{
    struct str path = str_sub(str_c(url), sizeof "ipc://" - 1, SIZE_MAX);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    bool stale = false;
    int fd;

    if (!str_starts(str_c(url), S("ipc://")) ||
        path.n >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path.p, path.n);
    if ((fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0)
        return false;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0 &&
        errno == ECONNREFUSED)
        stale = unlink(address.sun_path) == 0;
    close(fd);
    return stale;
}

static enum status
open_gate(struct server *v, const char *url, const struct endpoint_options *o)
{
    struct gate *g = &v->gates[v->gates_n];
    int rc;

    if (v->gates_n == GATES_MAX)
        return transport_report(NNG_EINVAL, url, "listen at one more address");
    rc = transport_listener(&g->listener, url, o);
    if (rc == NNG_EADDRINUSE && remove_stale(url)) {
        log_info("endpoint", "url=%s removed the socket a killed process left",
                 url);
        rc = transport_listener(&g->listener, url, o);
    }
    if (rc != 0)
        return transport_report(rc, url, "listen");
    g->server = v;
    if (pthread_create(&g->thread, NULL, gate_run, g) != 0) {
        nng_stream_listener_free(g->listener);
        return transport_report(NNG_ENOMEM, url, "start a thread");
    }
    v->gates_n++;
    return ST_OK;
}

static enum status
server_listen(struct server *v, const char *url,
              const struct endpoint_options *o)
{
    enum status st;

    if (transport_name(url) == NULL)
        return open_gate(v, url, o);
    if ((st = line_publish(v->line, transport_name(url))) == ST_BUSY)
        return transport_report(NNG_EADDRINUSE, url, "listen");
    return st;
}

static void
close_gates(struct server *v)
{
    for (size_t i = 0; i < v->gates_n; i++)
        nng_stream_listener_close(v->gates[i].listener);
    for (size_t i = 0; i < v->gates_n; i++) {
        pthread_join(v->gates[i].thread, NULL);
        nng_stream_listener_free(v->gates[i].listener);
    }
}

/* ---- start and stop ---- */

static void
server_free(struct server *v)
{
    line_free(v->line);
    pthread_mutex_destroy(&v->lock);
    free(v);
}

enum status
server_start(struct server **out, const char *url,
             const struct endpoint_options *o, server_handle *handle,
             void *self)
{
    struct server *v;
    enum status st;

    *out = NULL;
    if ((st = transport_check(url, o)) != ST_OK)
        return st;
    if ((v = calloc(1, sizeof *v)) == NULL)
        return ST_NOMEM;
    v->handle = handle;
    v->self = self;
    pthread_mutex_init(&v->lock, NULL);
    if ((st = line_open(&v->line)) != ST_OK) {
        server_free(v);
        return st;
    }
    if (pthread_create(&v->thread, NULL, server_run, v) != 0) {
        st = transport_report(NNG_ENOMEM, url, "start a thread");
        line_close(v->line);
        server_free(v);
        return st;
    }
    if ((st = server_listen(v, url, o)) != ST_OK)
        server_stop(v);
    else
        *out = v;
    return st;
}

enum status
server_also(struct server *v, const char *url)
{
    enum status st = transport_check(url, NULL);

    return st == ST_OK ? server_listen(v, url, NULL) : st;
}

void
server_again(struct server *v, uint64_t ms)
{
    uint64_t now = clock_steady_ms();

    line_alarm(v->line,
               ms < PATIENCE_ENDLESS - now ? now + ms : PATIENCE_ENDLESS);
}

void
server_stop(struct server *v)
{
    struct peer *x;

    if (v == NULL)
        return;
    line_close(v->line);
    pthread_join(v->thread, NULL); /* all that was queued is answered */
    v->stopping = true;
    close_gates(v);
    for (x = v->peers; x != NULL; x = x->next)
        link_wake(x->link);
    while ((x = v->peers) != NULL) {
        v->peers = x->next;
        peer_free(x);
    }
    server_free(v);
}
