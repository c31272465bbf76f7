/* server.c -- the answering half of endpoint.h: a thread for every address
 * listened at, and one that runs the handler.
 *
 * Connections have no threads: their wires (wire.c) call back when a request
 * has come whole, and it is queued.  The handler's thread takes all that is
 * queued as one group; while it works the next group gathers, so a group is as
 * large as the load makes it.  What the handler keeps stands in front of the
 * next group, which then is taken at once.
 *
 *     acceptor --accept--> peers --requests--> queue --group--> handle
 *                       ^                                    |
 *                       +-------------replies----------------+
 *
 * Bounds: GROUP_MAX new requests a group and KEPT_MAX kept ones; connections
 * and memory: peers.c. */
#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "call_queue.h"
#include "peers.h"
#include "server.h"
#include "transport.h"

enum {
    GROUP_MAX = 256,
    KEPT_MAX = 1024,
    ACCEPTORS_MAX = 2,
    FULL_PAUSE_MS = 20, /* no descriptor or memory for a peer */
    OTHER_FILES = 256,  /* descriptors for what is not a peer */
    MAP_BYTES = 128 * 1024
};

/* An address listened at. */
struct acceptor {
    struct server *server;
    nng_stream_listener *listener;
    nng_aio *accepting;
    struct tls_keys *keys; /* NULL: in the clear */
    pthread_t thread;
};

struct server {
    char name[16]; /* of its thread */
    struct call_queue *queue;
    server_handle *handle;
    void (*at_end)(void *self); /* NULL: nothing */
    void *self;
    pthread_t thread;
    struct acceptor acceptors[ACCEPTORS_MAX];
    size_t acceptors_n;
    atomic_bool stopping;  /* nobody is let in */
    struct tls_keys *keys; /* NULL: no tls+tcp:// */
    struct peers *peers;
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
        v->group[i]->bad = v->calls[i].bad;
        call_queue_answer(v->queue, v->group[i]);
    }
    return kept;
}

static void *
server_run(void *arg)
{
    struct server *v = arg;
    size_t kept = 0, n;

    thread_name(v->name);
    while (call_queue_take(v->queue, v->group + kept,
                           kept < KEPT_MAX ? GROUP_MAX : 0, kept == 0, &n) ||
           kept > 0) {
        for (size_t i = kept; i < kept + n; i++)
            v->calls[i] =
                (struct server_call){.request = buf_view(&v->group[i]->request),
                                     .reply = v->group[i]->reply};
        v->handle(v->self, v->calls, kept + n);
        kept = answer(v, kept + n);
    }
    if (v->at_end != NULL)
        v->at_end(v->self);
    return NULL;
}

/* ---- acceptors ---- */

static void *
accept_run(void *arg)
{
    struct acceptor *g = arg;
    struct server *v = g->server;
    int rc;

    thread_name("accept");
    do {
        nng_stream_listener_accept(g->listener, g->accepting);
        nng_aio_wait(g->accepting);
        rc = nng_aio_result(g->accepting);
        if (rc == 0)
            peers_admit(v->peers, nng_aio_get_output(g->accepting, 0), g->keys);
        else if (rc == NNG_ENOFILES || rc == NNG_ENOMEM)
            peers_make_room(v->peers);
        if (rc != 0 && !v->stopping)
            clock_sleep_ms(FULL_PAUSE_MS);
    } while (!v->stopping);
    return NULL;
}

static enum status
open_acceptor(struct server *v, const char *url)
{
    struct acceptor *g = &v->acceptors[v->acceptors_n];
    enum status st;
    int rc;

    if (v->acceptors_n == ACCEPTORS_MAX)
        return transport_report(NNG_EINVAL, url, "listen at one more address");
    if ((st = transport_check_place(url)) != ST_OK)
        return st;
    if ((rc = transport_listener(&g->listener, url)) != 0)
        return transport_report(rc, url, "listen");
    g->server = v;
    g->keys = transport_is_encrypted(url) ? v->keys : NULL;
    if (nng_aio_alloc(&g->accepting, NULL, NULL) != 0 ||
        pthread_create(&g->thread, NULL, accept_run, g) != 0) {
        nng_aio_free(g->accepting);
        nng_stream_listener_free(g->listener);
        return transport_report(NNG_ENOMEM, url, "start a thread");
    }
    v->acceptors_n++;
    return ST_OK;
}

static enum status
server_listen(struct server *v, const char *url)
{
    enum status st;

    if (transport_name(url) == NULL) {
        /* The memory of a message goes back to the system when it is freed:
         * else glibc raises this to the largest block freed so far, and keeps
         * the holes that messages leave. */
        (void)mallopt(M_MMAP_THRESHOLD, MAP_BYTES);
        return open_acceptor(v, url);
    }
    if ((st = call_queue_publish(v->queue, transport_name(url))) == ST_BUSY)
        return transport_report(NNG_EADDRINUSE, url, "listen");
    return st;
}

static void
close_acceptors(struct server *v)
{
    for (size_t i = 0; i < v->acceptors_n; i++)
        nng_stream_listener_close(v->acceptors[i].listener);
    for (size_t i = 0; i < v->acceptors_n; i++) {
        pthread_join(v->acceptors[i].thread, NULL);
        nng_aio_free(v->acceptors[i].accepting);
        nng_stream_listener_free(v->acceptors[i].listener);
    }
}

/* ---- start and stop ---- */

/* Every connection is a descriptor. */
static void
raise_descriptors(const struct endpoint_options *o)
{
    rlim_t want = (o != NULL ? o->connections : 0) + OTHER_FILES;
    struct rlimit r;

    if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur >= want)
        return;
    r.rlim_cur = r.rlim_max < want ? r.rlim_max : want;
    setrlimit(RLIMIT_NOFILE, &r);
}

static void
server_free(struct server *v)
{
    peers_close(v->peers);
    call_queue_free(v->queue);
    tls_keys_close(v->keys);
    free(v);
}

/* Askers look for the name in the address they use: ours, unless that stands
 * for every address of the machine. */
static enum status
open_keys(struct server *v, const char *url, const struct endpoint_options *o)
{
    char host[256];
    bool named = transport_host(url, host, sizeof host) &&
                 strcmp(host, "0.0.0.0") != 0 && strcmp(host, "::") != 0 &&
                 strcmp(host, "*") != 0;

    return tls_keys_open(&v->keys, o, true, named ? host : NULL);
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
    snprintf(v->name, sizeof v->name, "%s",
             transport_name(url) != NULL ? transport_name(url) : "service");
    raise_descriptors(o);
    if ((transport_is_encrypted(url) && (st = open_keys(v, url, o)) != ST_OK) ||
        (st = call_queue_open(&v->queue)) != ST_OK ||
        (st = peers_open(&v->peers, v->queue, o)) != ST_OK) {
        server_free(v);
        return st;
    }
    if (pthread_create(&v->thread, NULL, server_run, v) != 0) {
        st = transport_report(NNG_ENOMEM, url, "start a thread");
        call_queue_close(v->queue);
        server_free(v);
        return st;
    }
    if ((st = server_listen(v, url)) != ST_OK)
        server_stop(v);
    else
        *out = v;
    return st;
}

enum status
server_also(struct server *v, const char *url)
{
    enum status st = transport_check(url, NULL);

    return st == ST_OK ? server_listen(v, url) : st;
}

void
server_again(struct server *v, uint64_t ms)
{
    uint64_t now = clock_steady_ms();

    call_queue_alarm(v->queue,
                     ms < DEADLINE_NEVER - now ? now + ms : DEADLINE_NEVER);
}

void
server_at_end(struct server *v, void (*end)(void *self))
{
    v->at_end = end;
}

void
server_stop(struct server *v)
{
    if (v == NULL)
        return;
    v->stopping = true;
    close_acceptors(v);
    call_queue_close(v->queue);
    pthread_join(v->thread, NULL); /* all that was queued is answered */
    server_free(v);
}
