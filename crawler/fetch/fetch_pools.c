/* fetch_pools.c -- connections, divided over many pools by a hash of the host.
 *
 * libcurl 7.88 walks through a whole pool when a transfer ends, when one of its
 * connections is closed, and once a second for those that are dead, from the
 * beginning after each that it finds and with a call of poll() for each that is
 * not.  In one pool of thousands that costs more than the requests.  So there
 * are POOLS of them, each a share handle of libcurl (9 KB once it is used).
 *
 * A pool looks for its dead connections when its next transfer begins; where
 * none does, it is closed when all in it are too old.
 *
 * Locks are not needed: one thread. */
#include "fetch_inside.h"

#include <stdlib.h>

#include "base/memory.h"

#define POOLS 1024u
#define LOOK_MS 1000

/* How much longer than the delay an idle connection is kept: with many hosts
 * each waits for its turn, and most servers keep one so long at the most. */
#define KEEP_SECONDS 60

struct fetch_pool {
    CURLSH *share;    /* NULL: not needed yet */
    uint64_t used_ms; /* when its last transfer began or ended */
};

struct fetch_pools {
    struct fetch_pool pool[POOLS];
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

static struct fetch_pool *
pool_of(const struct transfer *t)
{
    return &t->fetch->pools->pool[(t->host >> 32) % POOLS];
}

void
fetch_enters_pool(struct transfer *t)
{
    struct fetch_pool *p = pool_of(t);

    if (p->share == NULL) {
        p->share = memory_need(curl_share_init());
        curl_share_setopt(p->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
    }
    p->used_ms = t->fetch->now_ms;
    curl_easy_setopt(t->easy, CURLOPT_SHARE, p->share);
}

void
fetch_leaves_pool(struct transfer *t)
{
    pool_of(t)->used_ms = t->fetch->now_ms;
    curl_easy_setopt(t->easy, CURLOPT_SHARE, NULL);
}
