/* order_cluster.c -- the exchange algorithm (Kneser & Ney 1993; Martin,
 * Liermann & Ney 1998): item by item, each goes to the class where the sum of
 * n log n over the pairs of classes, less that over the classes, is greatest;
 * again and again until none moves.  A move changes two rows and two columns,
 * so only their sums are made again.
 *
 * Time: rounds * items * (classes^2 + items); memory: classes^2 sums. */
#include "order_cluster.h"

#include <math.h>
#include <string.h>

#include "word_order.h"

#define ROUNDS 12
#define KNOWN 4096 /* values of n log n that are looked up */

struct clusters {
    const uint32_t *pairs;
    uint8_t *class;
    uint32_t items_n, n;
    int64_t pair[ORDER_CLASSES_MAX][ORDER_CLASSES_MAX];
    int64_t first[ORDER_CLASSES_MAX], second[ORDER_CLASSES_MAX];
    double known[KNOWN];
};

/* What one item has with the classes of all others. */
struct cluster_item {
    int64_t after[ORDER_CLASSES_MAX], before[ORDER_CLASSES_MAX];
    int64_t self, after_n, before_n;
};

static double
n_log_n(const struct clusters *c, int64_t n)
{
    return n <= 0 ? 0 : n < KNOWN ? c->known[n] : (double)n * log((double)n);
}

/* What the term of a count gains by `by` more. */
static double
gain(const struct clusters *c, int64_t n, int64_t by)
{
    return by == 0 ? 0 : n_log_n(c, n + by) - n_log_n(c, n);
}

static void
look_at(const struct clusters *c, uint32_t i, struct cluster_item *x)
{
    memset(x, 0, sizeof *x);
    for (uint32_t k = 0; k < c->items_n; k++) {
        uint32_t after = c->pairs[(size_t)i * c->items_n + k];
        uint32_t before = c->pairs[(size_t)k * c->items_n + i];

        if (k == i) {
            x->self = after;
            continue;
        }
        x->after[c->class[k]] += after;
        x->before[c->class[k]] += before;
        x->after_n += after;
        x->before_n += before;
    }
}

/* Add the item to class `to`, or take it out (sign -1). */
static void
put(struct clusters *c, const struct cluster_item *x, uint32_t to, int sign)
{
    for (uint32_t k = 0; k < c->n; k++) {
        c->pair[to][k] += sign * x->after[k];
        c->pair[k][to] += sign * x->before[k];
    }
    c->pair[to][to] += sign * x->self;
    c->first[to] += sign * (x->after_n + x->self);
    c->second[to] += sign * (x->before_n + x->self);
}

/* What the item, which is in no class now, adds in class `to`. */
static double
worth(const struct clusters *c, const struct cluster_item *x, uint32_t to)
{
    double sum =
        gain(c, c->pair[to][to], x->after[to] + x->before[to] + x->self) -
        gain(c, c->first[to], x->after_n + x->self) -
        gain(c, c->second[to], x->before_n + x->self);

    for (uint32_t k = 0; k < c->n; k++)
        if (k != to)
            sum += gain(c, c->pair[to][k], x->after[k]) +
                   gain(c, c->pair[k][to], x->before[k]);
    return sum;
}

static bool
move_item(struct clusters *c, uint32_t i)
{
    uint32_t was = c->class[i], best = was;
    struct cluster_item x;
    double most;

    look_at(c, i, &x);
    put(c, &x, was, -1);
    most = worth(c, &x, was);
    for (uint32_t to = 0; to < c->n; to++) {
        double here = to == was ? most : worth(c, &x, to);

        if (here > most + 1e-9) {
            most = here;
            best = to;
        }
    }
    put(c, &x, best, 1);
    c->class[i] = (uint8_t)best;
    return best != was;
}

void
order_cluster(uint8_t *class, const uint32_t *pairs, uint32_t items_n,
              uint32_t classes_n, struct arena *a)
{
    struct clusters *c = ARENA_NEW(a, struct clusters);
    bool moved = true;

    *c = (struct clusters){
        .pairs = pairs, .class = class, .items_n = items_n, .n = classes_n};
    for (int i = 1; i < KNOWN; i++)
        c->known[i] = i * log(i);
    for (uint32_t i = 0; i < items_n; i++)
        class[i] = i < classes_n ? (uint8_t)i : 0;
    for (uint32_t i = 0; i < items_n; i++)
        for (uint32_t k = 0; k < items_n; k++) {
            uint32_t n = pairs[(size_t)i * items_n + k];

            c->pair[class[i]][class[k]] += n;
            c->first[class[i]] += n;
            c->second[class[k]] += n;
        }
    for (int round = 0; round < ROUNDS && moved; round++) {
        moved = false;
        for (uint32_t i = 1; i < items_n; i++)
            moved |= move_item(c, i);
    }
}
