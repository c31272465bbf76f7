/* st_boilerplate.c -- judges every block by the network.
 *
 * For each block: its own features, those of its neighbours, where it stands,
 * and the page's.  What the page gives is added to the network's sums once.
 * Documents without blocks pass through untouched.  The network is read-only;
 * memory comes from the document's arena. */
#include "features.h"
#include "network.h"
#include "stage.h"
#include "winnow/log.h"

#include <stdlib.h>

struct boilerplate {
    struct network *net;
    float limit;
};

/* A bare name stands in the data folder, anything with a / for itself. */
static struct str
data_file(struct arena *a, const struct opts *o)
{
    struct str name = o->clean_network, dir = o->clean_data;

    if (dir.n == 0)
        dir = str_c(WINNOW_DATA_DIR);
    if (str_find(name, '/', 0) < name.n)
        return name;
    return arena_printf(a, "%.*s/%.*s", STRF(dir), STRF(name));
}

static void
judge(const struct network *net, struct document *d)
{
    const uint32_t around = 3 * FEATURES_LOCAL_N;
    struct network_sums page;
    struct features f;

    features_page(&f, d);
    network_start(net, &page);
    network_add(net, &page, around + FEATURES_AROUND_N, f.page,
                FEATURES_PAGE_N);
    for (uint32_t i = 0; i < f.n; i++) {
        struct network_sums s = page;

        network_add(net, &s, 0, f.local[i], FEATURES_LOCAL_N);
        if (i > 0)
            network_add(net, &s, FEATURES_LOCAL_N, f.local[i - 1],
                        FEATURES_LOCAL_N);
        if (i + 1 < f.n)
            network_add(net, &s, 2 * FEATURES_LOCAL_N, f.local[i + 1],
                        FEATURES_LOCAL_N);
        network_add(net, &s, around, f.around[i], FEATURES_AROUND_N);
        d->blocks[i].boilerplate = network_output(net, &s);
    }
}

static enum status
run(const void *self, struct document *d)
{
    const struct boilerplate *b = self;
    double sum = 0;

    d->kept_blocks_n = d->kept_chars = d->all_chars = 0;
    if (d->blocks_n > 0)
        judge(b->net, d);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *block = &d->blocks[i];

        block->kept = block->boilerplate <= b->limit;
        sum += (double)block->boilerplate * block->chars;
        d->all_chars += block->chars;
        if (block->kept) {
            d->kept_blocks_n++;
            d->kept_chars += block->chars;
        }
    }
    d->boilerplate_mean = d->all_chars > 0 ? sum / d->all_chars : 1;
    return ST_OK;
}

static void
close_network(void *self)
{
    struct boilerplate *b = self;

    if (b == NULL)
        return;
    network_free(b->net);
    free(b);
}

static enum status
open_network(void **self, const struct opts *o)
{
    struct arena *a = arena_new();
    struct boilerplate *b = calloc(1, sizeof *b);
    struct str path = data_file(a, o);
    enum status st = ST_NOMEM;

    if (b == NULL)
        goto out;
    b->limit = (float)o->clean_boilerplate_max;
    st = network_load(&b->net, arena_cstr(a, path));
    if (st == ST_OK && network_inputs_n(b->net) != FEATURES_N) {
        log_error("boilerplate",
                  "%.*s has %u inputs, this program computes %u: make it anew "
                  "with winnow train",
                  STRF(path), network_inputs_n(b->net), (unsigned)FEATURES_N);
        st = ST_INVALID;
    }
out:
    if (st == ST_OK)
        *self = b;
    else
        close_network(b);
    arena_free(a);
    return st;
}

const struct stage stage_boilerplate = {
    .name = "boilerplate",
    .needs = DOC_BLOCKS,
    .gives = DOC_BOILERPLATE,
    .open = open_network,
    .run = run,
    .close = close_network,
};
