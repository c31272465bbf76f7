/* Aim: the clocks of server addresses agree with a naive model, and hosts that
 * share one do not all wake for one turn.  Method: random operations. */
#include <stdlib.h>

#include "base/random.h"
#include "frontier/schedule/address.h"
#include "test.h"

enum { MODEL_N = 3000 };

struct address_model {
    uint64_t due_ms;
    uint32_t holder;
};

static void
clocks_of_addresses_agree_with_a_naive_model(void)
{
    struct addresses *a = addresses_new();
    struct address_model *model = calloc(MODEL_N, sizeof *model);
    struct random r;
    uint64_t now = 1000000;

    r = random_seed(7);
    for (int i = 0; i < 200000; i++) {
        uint64_t k = random_below(&r, MODEL_N);
        uint64_t address = (k + 1) * 0x9e3779b97f4a7c15u;
        uint32_t host = 1 + (uint32_t)random_below(&r, 3);
        uint64_t ms = now + random_below(&r, 3000);
        struct address_model *m = &model[k];

        if (addresses_due(a, address) == 0) { /* never met, or forgotten */
            CHECK(m->due_ms <= now);
            *m = (struct address_model){0};
        }
        CHECK(addresses_due(a, address) == m->due_ms);
        switch (random_below(&r, 3)) {
        case 0:
            addresses_hold(a, address, host, ms);
            m->holder = host;
            m->due_ms = ms > m->due_ms ? ms : m->due_ms;
            break;
        case 1:
            addresses_release(a, address, host, ms);
            if (m->holder == host || ms > m->due_ms)
                m->due_ms = ms;
            if (m->holder == host)
                m->holder = 0;
            break;
        case 2:
            now += random_below(&r, 20);
            addresses_prune(a, now);
            break;
        default: break;
        }
    }
    CHECK(addresses_due(a, 0) == 0);
    addresses_prune(a, now + 10000);
    addresses_hold(a, 5, 1, now + 20000);
    CHECK(addresses_n(a) <= MODEL_N + 1);
    free(model);
    addresses_free(a);
}

static void
a_thousand_hosts_do_not_wake_for_one_turn(void)
{
    struct addresses *a = addresses_new();
    uint64_t first;
    size_t together = 0;

    addresses_hold(a, 9, 1, 5000);
    first = addresses_park(a, 9, 3000, 200);
    CHECK(first == 3200); /* the contact may be over soon */
    for (int i = 1; i < 1000; i++)
        together += addresses_park(a, 9, 3000, 200) == first;
    CHECK(together == 63);
    CHECK(addresses_park(a, 9, 3000, 200) == 3200 + 1000 / 64 * 200);
    addresses_release(a, 9, 1, 4500);
    CHECK(addresses_park(a, 9, 3000, 200) == 4500);
    addresses_hold(a, 9, 2, 6000);
    CHECK(addresses_park(a, 9, 5900, 200) == 6000);
    addresses_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(clocks_of_addresses_agree_with_a_naive_model),
        TEST(a_thousand_hosts_do_not_wake_for_one_turn),
        {0}};

    return test_main(table, argc, argv);
}
