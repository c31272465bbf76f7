/* xpos_train.c -- see xpos_train.h.
 *
 * A second perceptron, whose features have the word's UPOS in them and whose
 * classes are the language-specific tags that words of this UPOS have in the
 * treebank: the TAG_ROW commonest of them. */
#include "xpos_train.h"

#include <stdlib.h>

#include "base/hash.h"
#include "perceptron.h"

/* How often a tag stands with a UPOS. */
struct tag_count {
    struct str name;
    unsigned upos;
    uint32_t n;
};

static bool
count_used(const void *slot)
{
    return ((const struct tag_count *)slot)->n != 0;
}

static bool
count_equal(const void *of, const void *slot, const void *key)
{
    const struct tag_count *s = slot, *k = key;

    (void)of;
    return s->upos == k->upos && str_eq(s->name, k->name);
}

static uint64_t
count_hash(const void *of, const void *slot)
{
    const struct tag_count *s = slot;

    (void)of;
    return hash64_seed(s->name, s->upos);
}

static const struct hashmap_kind count_kind = {
    sizeof(struct tag_count), count_used, count_equal, count_hash, NULL};

static int
commoner(const void *a, const void *b)
{
    const struct tag_count *f = a, *g = b;

    if (f->upos != g->upos)
        return f->upos < g->upos ? -1 : 1;
    if (f->n != g->n)
        return f->n > g->n ? -1 : 1;
    return str_cmp(f->name, g->name);
}

static size_t
count_tags(struct hashmap *h, const struct conllu *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->sentences[i].n; k++) {
            struct tag_count key = {c->sentences[i].xpos[k],
                                    c->sentences[i].tags[k], 0},
                             *s;

            if (key.name.n == 0)
                continue;
            s = hashmap_put(h, &count_kind, NULL, count_hash(NULL, &key), &key);
            n += s->n == 0;
            s->name = key.name;
            s->upos = key.upos;
            s->n++;
        }
    return n;
}

/* The tags of each UPOS, the commonest first.  False: there are none. */
static bool
find_tags(struct xpos_set *set, struct arena *a, const struct conllu *c)
{
    struct hashmap h;
    struct tag_count *list;
    const struct tag_count *s;
    size_t n, k = 0;

    hashmap_init(&h, &count_kind, a, 1024);
    n = count_tags(&h, c);
    list = ARENA_ARRAY(a, struct tag_count, n + 1);
    for (s = NULL; (s = hashmap_next(&h, &count_kind, s)) != NULL;)
        list[k++] = *s;
    qsort(list, n, sizeof *list, commoner);
    for (size_t i = 0; i < n; i++)
        if (set->n[list[i].upos] < TAG_ROW)
            set->name[list[i].upos][set->n[list[i].upos]++] = list[i].name;
    return n > 0;
}

static void
learn_sentence(struct perceptron *p, const struct xpos_set *set,
               const struct conllu_sentence *s, const struct letters *l,
               struct arena *a)
{
    struct tag_word *w = tag_words(l, a, s->words, s->n);
    unsigned before = XPOS_NONE, before2 = XPOS_NONE;
    uint64_t keys[XPOS_FEATURES];

    for (size_t i = 0; i < s->n; i++) {
        unsigned upos = s->tags[i], n = set->n[upos], right = 0, tag = 0;

        while (right < n && !str_eq(set->name[upos][right], s->xpos[i]))
            right++;
        if (n > 1) {
            xpos_features(w, i + 2, upos,
                          i + 1 < s->n ? s->tags[i + 1] : UPOS_N, before,
                          before2, keys);
            tag = perceptron_guess(p, keys, XPOS_FEATURES, n);
            if (right < n)
                perceptron_learn(p, keys, XPOS_FEATURES, right, tag);
        }
        before2 = before;
        before = upos * TAG_ROW + tag;
    }
}

static void
put_tags(struct buf *out, const struct xpos_set *set, unsigned *columns)
{
    unsigned n = 0;

    *columns = 1;
    for (unsigned u = 0; u < UPOS_N; u++) {
        n += set->n[u];
        *columns = set->n[u] > *columns ? set->n[u] : *columns;
    }
    buf_printf(out, "xpos %u\n", n);
    for (unsigned u = 0; u < UPOS_N; u++)
        for (unsigned i = 0; i < set->n[u]; i++)
            buf_printf(out, "%s %.*s\n", upos_name[u], STRF(set->name[u][i]));
    buf_printf(out, "columns %u\n", *columns);
}

void
xpos_train(struct buf *out, const struct conllu *c, const uint32_t *order,
           unsigned epochs, unsigned bits)
{
    struct arena *kept = arena_new(), *a = arena_new();
    struct xpos_set *set = ARENA_NEW(kept, struct xpos_set);
    struct letters *l = letters_new();
    struct perceptron p;
    unsigned columns;

    if (find_tags(set, kept, c)) {
        put_tags(out, set, &columns);
        perceptron_begin(&p, columns);
        for (unsigned epoch = 0; epoch < epochs; epoch++)
            for (size_t i = 0; i < c->n; i++) {
                learn_sentence(&p, set, &c->sentences[order[i]], l, a);
                arena_reset(a);
            }
        perceptron_put(&p, out, bits);
        perceptron_end(&p);
    }
    letters_free(l);
    arena_free(kept);
    arena_free(a);
}
