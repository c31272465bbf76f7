/* writer_metrics.c -- what the boilerplate network sees of each block.
 *
 * For each document a line `# ID <TAB> blocks <TAB> features`, then for each
 * block a line `index <TAB> boilerplate <TAB> kept <TAB> values`, the values
 * separated by blanks, in the order of features_row() (features.h), which is
 * that of the first network's inputs. */
#include "clean/boilerplate/metrics.h"

#include <stdio.h>

#include "clean/boilerplate/features.h"
#include "facts.h"
#include "writers.h"

struct metrics {
    struct features features;
};

struct metrics *
metrics_new(const struct document *d)
{
    struct metrics *m;

    if (d->blocks_n == 0 || d->page_counts == NULL)
        return NULL;
    m = ARENA_NEW(d->arena, struct metrics);
    features_page(&m->features, d);
    return m;
}

void
metrics_row(const struct metrics *m, uint32_t i, char between, struct buf *out)
{
    float row[FEATURES_N];

    features_row(&m->features, i, row);
    for (size_t k = 0; k < FEATURES_N; k++) {
        char text[40];

        snprintf(text, sizeof text, "%.7g", (double)row[k]);
        for (char *c = text; *c; c++)
            if (*c == ',')
                *c = '.';
        if (k > 0)
            buf_char(out, between);
        buf_c(out, text);
    }
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    struct metrics *m = metrics_new(d);
    char id[33];

    (void)o;
    document_id(d->url_text, id);
    buf_printf(out, "# %s\t%u\t%d\n", id, m ? d->blocks_n : 0, FEATURES_N);
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
