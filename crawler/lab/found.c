/* found.c -- see found.h. */
#include "found.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct host_count { /* of a host in one run */
    uint32_t kept, first, half;
};

static void
count(const struct experiment *e, const struct sim_run *r,
      struct host_count *by)
{
    for (size_t i = 0; i < r->fetches_n; i++) {
        uint32_t host = e->web->page[r->fetch[i].page].host;
        struct host_count *c = &by[host];

        if (!r->fetch[i].kept)
            continue;
        c->kept++;
        if (c->first == 0)
            c->first = (uint32_t)i + 1;
        if (c->half == 0 && 2 * c->kept >= e->had[host])
            c->half = (uint32_t)i + 1;
    }
}

/* A mean that is NAN once a value is not there. */
static double
add(double sum, uint32_t value, size_t n)
{
    return value == 0 ? (double)NAN : sum + (double)value / (double)n;
}

struct found *
found_make(const struct experiment *e, const struct experiment_arm *arm)
{
    size_t hosts = e->web->hosts.n;
    struct found *out = memory_need(calloc(hosts + 1, sizeof *out));
    struct host_count *by = memory_need(calloc(hosts + 1, sizeof *by));

    for (size_t k = 0; k < arm->runs_n; k++) {
        memset(by, 0, hosts * sizeof *by);
        count(e, &arm->run[k], by);
        for (size_t h = 0; h < hosts; h++) {
            out[h].kept += (double)by[h].kept / (double)arm->runs_n;
            out[h].first = add(out[h].first, by[h].first, arm->runs_n);
            out[h].half = add(out[h].half, by[h].half, arm->runs_n);
        }
    }
    free(by);
    return out;
}
