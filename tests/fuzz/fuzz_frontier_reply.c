/* fuzz_frontier_reply.c -- any bytes as a reply of the frontier service: read
 * as a crawler does, turned into leases, robots and totals, written and read
 * again with the same result. */
#include <stdlib.h>

#include "frontier/service/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
use_leases(struct arena *a, const message_reply *m)
{
    for (size_t i = 0; i < m->lease->n_leases; i++) {
        struct frontier_lease l;

        message_to_lease(&l, a, m->lease->leases[i]);
        if (l.url.n > 0 && l.url.p == NULL)
            abort();
        message_from_lease(a, &l);
    }
}

static void
use(struct arena *a, const message_reply *m)
{
    if (m->result_case == WINNOW__FRONTIER__REPLY__RESULT_LEASE)
        use_leases(a, m);
    if (m->result_case == WINNOW__FRONTIER__REPLY__RESULT_ROBOTS) {
        struct frontier_robots r;

        message_to_robots(&r, m->robots->robots);
        message_from_robots(a, &r);
    }
    if (m->result_case == WINNOW__FRONTIER__REPLY__RESULT_STAT) {
        struct frontier_totals t;

        message_to_totals(&t, m->stat->totals);
        message_from_totals(a, &t);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena *a = arena_new();
    struct buf again = {0}, twice = {0};
    message_reply *m;

    if (message_read_reply(&m, a, str_n((const char *)data, n)) == ST_OK) {
        use(a, m);
        message_write_reply(&again, m);
        /* protobuf-c keeps an unknown field of number 0 and writes it in a
         * form that it does not read. */
        if (message_read_reply(&m, a, buf_view(&again)) == ST_OK) {
            message_write_reply(&twice, m);
            if (!str_eq(buf_view(&again), buf_view(&twice)))
                abort();
        }
    }
    buf_free(&again);
    buf_free(&twice);
    arena_free(a);
    return 0;
}
