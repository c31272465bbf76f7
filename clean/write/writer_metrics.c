/* writer_metrics.c -- what the boilerplate network sees of each block.
 *
 * For each document a line `# ID <TAB> blocks <TAB> features`, then for each
 * block a line `index <TAB> boilerplate <TAB> kept <TAB> values`, the values
 * separated by blanks, in the order of features_row() (features.h), which is
 * that of the first network's inputs; with clean.features = texrex
 * those of texrex's networks (texrex_features.h). */
#include "metrics.h"

#include <pthread.h>

#include "clean/boilerplate/features.h"
#include "clean/boilerplate/texrex_features.h"
#include "facts.h"
#include "writers.h"

struct metrics {
    const struct document *d;
    struct features features;
    bool as_texrex;
    struct texrex_features texrex;
};

static pthread_once_t letters_once = PTHREAD_ONCE_INIT;
static struct letters *letters; /* of the process; NULL: out of memory */

static void
make_letters(void)
{
    letters = letters_new();
}

static bool
as_texrex(const struct opts *o)
{
    return str_eq(o->clean_features, S("texrex"));
}

/* Features of a block. */
static uint32_t
metrics_n(const struct opts *o)
{
    return as_texrex(o) ? TEXREX_N : FEATURES_N;
}

struct metrics *
metrics_new(const struct opts *o, const struct document *d)
{
    struct metrics *m;

    if (d->blocks_n == 0 || d->page_counts == NULL)
        return NULL;
    m = ARENA_NEW(d->arena, struct metrics);
    m->d = d;
    m->as_texrex = as_texrex(o);
    if (m->as_texrex) {
        pthread_once(&letters_once, make_letters);
        if (letters == NULL)
            return NULL;
        texrex_features(&m->texrex, d, letters);
    } else {
        features_page(&m->features, d);
    }
    return m;
}

/* Rows of blocks that texrex leaves out are zero. */
void
metrics_row(const struct metrics *m, uint32_t i, char between, struct buf *out)
{
    static const float none[TEXREX_N];
    float ours[FEATURES_N];
    const float *row = ours;
    size_t n = m->as_texrex ? TEXREX_N : FEATURES_N;

    if (!m->as_texrex)
        features_row(&m->features, i, ours);
    else if ((row = texrex_block_row(&m->texrex, m->d, i)) == NULL)
        row = none;
    for (size_t k = 0; k < n; k++) {
        if (k > 0)
            buf_char(out, between);
        buf_real(out, (double)row[k], 7);
    }
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    struct metrics *m = metrics_new(o, d);

    buf_printf(out, "# %s\t%u\t%u\n", d->id.z, m ? d->blocks_n : 0,
               metrics_n(o));
    for (uint32_t i = 0; m != NULL && i < d->blocks_n; i++) {
        buf_printf(out, "%u\t", i);
        fact_real(d->blocks[i].boilerplate, out);
        buf_printf(out, "\t%d\t", d->blocks[i].kept);
        metrics_row(m, i, ' ', out);
        buf_char(out, '\n');
    }
}

const struct writer writer_metrics = {
    .name = "metrics",
    .suffix = "metrics",
    .help = "the network's features of every block, a line each",
    .render = render,
};
