/* dedup_world.h -- a real dedup service with a client, in a scratch folder. */
#ifndef DEDUP_WORLD_H
#define DEDUP_WORLD_H

#include <stdatomic.h>

#include "dedup_util.h"
#include "shingle/service/dedup_service.h"

static const atomic_bool go_on = false;

struct world {
    struct opts opts;
    struct dedup_service *service;
    struct dedup_client *client;
    uint64_t shipped; /* so many documents, where a test counts them */
};

/* Options of a test: dedup.url and what else is named, NULL ends them. */
static inline void
world_init(struct world *w, const char *const *settings)
{
    memset(w, 0, sizeof *w);
    folder_open();
    opts_init(&w->opts);
    CHECK(opts_set(&w->opts, "test", S("dedup.map_gib=1")) == ST_OK);
    CHECK(opts_set(&w->opts, "test", S("output.disk_free_mib=0")) == ST_OK);
    for (; *settings != NULL; settings++)
        CHECK(opts_set(&w->opts, "test", str_c(*settings)) == ST_OK);
}

static inline void
world_start(struct world *w)
{
    CHECK(dedup_service_start(&w->service, folder, &w->opts) == ST_OK);
    CHECK(dedup_client_open(&w->client, &w->opts) == ST_OK);
}

static inline void
world_stop(struct world *w)
{
    dedup_client_close(w->client);
    dedup_service_stop(w->service);
}

static inline void
world_end(struct world *w)
{
    opts_free(&w->opts);
    folder_close();
}

#endif
