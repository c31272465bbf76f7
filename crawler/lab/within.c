/* within.c -- see within.h: sorted by host and score, so that one pass counts
 * for every link the others of its host that score lower. */
#include "within.h"

#include <math.h>
#include <stdlib.h>

static int
by_host(const void *x, const void *y)
{
    const struct within_link *a = x, *b = y;

    return a->host != b->host ? (a->host > b->host) - (a->host < b->host)
                              : (a->score > b->score) - (a->score < b->score);
}

/* Of one host: pairs, and those in the right order. */
static void
count(const struct within_link *l, size_t n, double *right, double *pairs)
{
    double kept = 0, other = 0; /* with lower scores */

    for (size_t from = 0, to; from < n; from = to) {
        double k = 0, o = 0; /* with this score */

        for (to = from; to < n && l[to].score == l[from].score; to++)
            *(l[to].kept ? &k : &o) += 1;
        *right += k * (other + o / 2);
        kept += k;
        other += o;
    }
    *pairs += kept * other;
}

double
within_auc(struct within_link *link, size_t n)
{
    double right = 0, pairs = 0;

    if (n > 0)
        qsort(link, n, sizeof *link, by_host);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && link[to].host == link[from].host; to++)
            ;
        count(link + from, to - from, &right, &pairs);
    }
    return pairs > 0 ? right / pairs : (double)NAN;
}
