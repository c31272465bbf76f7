/* st_boilerplate.c -- classifies every block: text or boilerplate.
 *
 * The networks stand in the data folder (classifier.h); a block whose value is
 * over clean.boilerplate_max is not kept; what belongs to text goes with it
 * (attached.h).  With clean.network = none there is
 * no classifier and every block is text.  Documents without blocks pass
 * untouched. Read-only after opening; memory from the document's arena. */
#include <stdlib.h>

#include "attached.h"
#include "base/memory.h"
#include "classifier.h"
#include "clean/chain/data_dir.h"
#include "clean/chain/stage.h"

struct boilerplate {
    struct classifier *classifier;
    float limit;
    bool attach; /* not for values that are to be those of another program */
};

/* A bare name stands in the data folder, anything with a / for itself. */
static struct str
data_file(struct arena *a, const struct opts *o)
{
    struct str name = o->clean_network, dir = data_dir(a, o);

    if (str_find(name, '/', 0) < name.n)
        return name;
    return arena_printf(a, "%.*s/%.*s", STRF(dir), STRF(name));
}

static enum status
run(const void *self, struct document *d)
{
    const struct boilerplate *b = self;
    double sum = 0;

    d->kept_blocks_n = d->kept_chars = d->all_chars = 0;
    if (b->classifier != NULL)
        classifier_run(b->classifier, d);
    if (b->attach)
        attached_keep(d, b->limit);
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
    d->boilerplate_mean = d->all_chars > 0        ? sum / d->all_chars
                          : b->classifier != NULL ? 1
                                                  : -1;
    return ST_OK;
}

static void
close_classifier(void *self)
{
    struct boilerplate *b = self;

    if (b == NULL)
        return;
    classifier_close(b->classifier);
    memory_free(b);
}

static enum status
open_network(struct classifier **out, struct arena *a, const struct opts *o)
{
    const char *path = arena_cstr(a, data_file(a, o));

    if (str_eq(o->clean_network, S("none")))
        return ST_OK;
    return str_eq(o->clean_features, S("texrex"))
               ? classifier_open_texrex(out, path)
               : classifier_open(out, path);
}

static enum status
open_classifier(void **self, const struct opts *o)
{
    struct boilerplate *b = memory_zero(1, sizeof *b);
    struct arena *a = arena_new();
    enum status st = ST_NOMEM;

    if (b != NULL) {
        b->limit = (float)o->clean_boilerplate_max;
        b->attach = !str_eq(o->clean_features, S("texrex"));
        st = open_network(&b->classifier, a, o);
    }
    if (st == ST_OK)
        *self = b;
    else
        close_classifier(b);
    arena_free(a);
    return st;
}

const struct stage stage_boilerplate = {
    .name = "boilerplate",
    .needs = DOC_BLOCKS,
    .gives = DOC_BOILERPLATE,
    .open = open_classifier,
    .run = run,
    .close = close_classifier,
};
