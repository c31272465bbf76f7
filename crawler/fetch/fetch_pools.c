/* fetch_pools.c -- connections, divided over many pools.
 *
 * libcurl 7.88 walks through a whole pool when a transfer ends, when one of its
 * connections is closed, and once a second for those that are dead, from the
 * beginning after each that it finds and with a call of poll() for each that is
 * not.  In one pool of thousands that costs more than the requests.  So there
 * are POOLS of them, each a share handle of libcurl (9 KB once it is used).
 *
 * Hosts that are met one after the other share a pool, HOSTS of them, and stay
 * there: since they are asked again one after the other, too, few pools are in
 * use in any one second, and each looks for its dead ones once for all of them.
 * Which pool is a host's stands in a table of fixed size; the host of a set
 * that was met first makes room for the ninth, and gets another pool next time.
 *
 * A pool looks for its dead connections when its next transfer begins; where
 * none does, it is closed when all in it are too old.  A connection on which
 * something has come unasked is dead, too, which libcurl 7.88 does not see: it
 * would take the rest of a page that was longer than said, or the 408 of a
 * server that hangs up, for the answer to the next request.
 *
 * Locks are not needed: one thread. */
#include "fetch_inside.h"

#include <stdlib.h>

#include "base/memory.h"

#define POOLS 1024u
#define HOSTS 20u
#define SETS 8192u
#define WAYS 8u
#define LOOK_MS 1000

/* How much longer than the delay an idle connection is kept: with many hosts
 * each waits for its turn, and most servers keep one so long at the most. */
#define KEEP_SECONDS 60

struct fetch_pool {
    CURLSH *share;    /* NULL: not needed yet */
    uint64_t used_ms; /* when its last transfer began or ended */
};

struct pool_host {
    uint64_t host; /* 0: free */
    uint64_t met;  /* as number so many, from 1 on */
    int left;      /* the connection that was used last; it may be closed */
};

struct fetch_pools {
    struct fetch_pool pool[POOLS];
    struct pool_host host[SETS][WAYS];
    uint64_t met;     /* hosts */
    uint64_t look_ms; /* at those that nobody uses */
};

struct fetch_pools *
fetch_pools_new(void)
{
    return calloc(1, sizeof(struct fetch_pools));
}

/* Refused while it has a transfer. */
static void
pool_close(struct fetch_pool *p)
{
    if (p->share != NULL && curl_share_cleanup(p->share) == CURLSHE_OK)
        p->share = NULL;
}

void
fetch_pools_close_idle(struct fetch_pools *p)
{
    for (size_t i = 0; i < POOLS; i++)
        pool_close(&p->pool[i]);
}

void
fetch_pools_free(struct fetch_pools *p)
{
    if (p != NULL)
        fetch_pools_close_idle(p);
    free(p);
}

long
fetch_keep_seconds(const struct opts *o)
{
    return (long)(o->politeness_delay_ms / 1000 + KEEP_SECONDS);
}

void
fetch_pools_tick(struct fetch *f)
{
    uint64_t keep_ms = (uint64_t)fetch_keep_seconds(f->opts) * 1000;

    if (f->now_ms < f->pools->look_ms)
        return;
    f->pools->look_ms = f->now_ms + LOOK_MS;
    for (size_t i = 0; i < POOLS; i++)
        if (f->now_ms > f->pools->pool[i].used_ms + keep_ms)
            pool_close(&f->pools->pool[i]);
}

static struct pool_host *
find_host(struct fetch_pools *p, uint64_t host)
{
    struct pool_host *set = p->host[(host >> 32) % SETS], *first = set;

    for (size_t i = 0; i < WAYS; i++) {
        if (set[i].host == host)
            return &set[i];
        if (set[i].met < first->met)
            first = &set[i];
    }
    *first = (struct pool_host){host, ++p->met, -1};
    return first;
}

static unsigned
pool_of(const struct pool_host *h)
{
    return (unsigned)(h->met / HOSTS % POOLS);
}

unsigned
fetch_pool_of(struct fetch_pools *p, uint64_t host)
{
    return pool_of(find_host(p, host));
}

void
fetch_enters_pool(struct transfer *t)
{
    struct fetch_pools *pools = t->fetch->pools;
    struct pool_host *h = find_host(pools, t->host);
    struct fetch_pool *p = &pools->pool[pool_of(h)];

    t->pool = p;
    if (traffic_unread(h->left) > 0)
        traffic_shut(t->fetch->traffic, h->left);
    if (p->share == NULL) {
        p->share = memory_need(curl_share_init());
        curl_share_setopt(p->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
    }
    p->used_ms = t->fetch->now_ms;
    curl_easy_setopt(t->easy, CURLOPT_SHARE, p->share);
}

/* With HTTP/2 a server may say something at any time, and libcurl listens. */
static bool
may_speak_unasked(const struct transfer *t)
{
    long version = 0;

    curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version);
    return version >= CURL_HTTP_VERSION_2_0;
}

void
fetch_leaves_pool(struct transfer *t, int fd)
{
    find_host(t->fetch->pools, t->host)->left = may_speak_unasked(t) ? -1 : fd;
    t->pool->used_ms = t->fetch->now_ms;
    curl_easy_setopt(t->easy, CURLOPT_SHARE, NULL);
}
