/* fuzz_frontier_reply.c -- any bytes as a reply of the frontier service: read
 * as a crawler does, turned into leases, robots and totals, written and read
 * again with the same result. */
#include <stdlib.h>

#include "again.h"
#include "frontier/service/message.h"
#include "fuzz.h"

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
use(struct arena *a, const void *message)
{
    const message_reply *m = message;

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

static enum status
read(void **out, struct arena *a, struct str bytes)
{
    message_reply *m;
    enum status st = message_read_reply(&m, a, bytes);

    *out = m;
    return st;
}

static void
write(struct buf *out, const void *message)
{
    message_write_reply(out, message);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const struct fuzz_message reply = {read, write, use};

    return fuzz_again(&reply, data, n);
}
