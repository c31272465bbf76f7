/* tagger_train.c -- see tagger_train.h.
 *
 * An averaged perceptron (Collins 2002): greedy from left to right with its own
 * tags behind it, weights move where the tag is wrong, and what counts is their
 * mean over all steps.  A feature gets weights when it is first moved.  Then
 * the heaviest features that fit the table are kept, in whole numbers. */
#include "tagger_train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/random.h"
#include "conllu.h"
#include "lemma_train.h"
#include "tagger_model.h"

#define FILE_MAX ((size_t)2 << 30)
#define FULL 0.8      /* of the table */
#define HEAVIEST 10.0 /* a weight that becomes 127 */

struct tag_weights {
    uint64_t key;
    float weight[UPOS_N], sum[UPOS_N]; /* sum: of weight times steps */
    uint32_t since[UPOS_N];            /* the step of the last change */
};

struct perceptron {
    struct hashmap index; /* numbers of features */
    struct tag_weights *features;
    uint32_t n, room, step;
};

static bool
feature_equal(const void *of, const void *slot, const void *key)
{
    const struct perceptron *p = of;

    return p->features[*(const uint32_t *)slot - 1].key ==
           *(const uint64_t *)key;
}

static uint64_t
feature_hash(const void *of, const void *slot)
{
    const struct perceptron *p = of;

    return p->features[*(const uint32_t *)slot - 1].key;
}

static const struct hashmap_kind feature_kind = {
    sizeof(uint32_t), hashmap_numbered, feature_equal, feature_hash, NULL};

static struct tag_weights *
feature_put(struct perceptron *p, uint64_t key)
{
    uint32_t *slot = hashmap_put(&p->index, &feature_kind, p, key, &key);

    if (*slot == 0) {
        if (p->n == p->room) {
            p->room = p->room ? p->room * 2 : 1 << 14;
            p->features = memory_need(
                realloc(p->features, p->room * sizeof *p->features));
        }
        memset(&p->features[p->n], 0, sizeof *p->features);
        p->features[p->n].key = key;
        *slot = ++p->n;
    }
    return &p->features[*slot - 1];
}

static unsigned
guess(const struct perceptron *p, const uint64_t keys[TAG_FEATURES])
{
    float scores[UPOS_N] = {0};
    unsigned best = 0;

    for (unsigned f = 0; f < TAG_FEATURES; f++) {
        const uint32_t *slot =
            hashmap_find(&p->index, &feature_kind, p, keys[f], &keys[f]);

        if (*slot != 0)
            for (unsigned t = 0; t < UPOS_N; t++)
                scores[t] += p->features[*slot - 1].weight[t];
    }
    for (unsigned t = 1; t < UPOS_N; t++)
        if (scores[t] > scores[best])
            best = t;
    return best;
}

static void
move(struct tag_weights *f, unsigned tag, float by, uint32_t step)
{
    f->sum[tag] += f->weight[tag] * (float)(step - f->since[tag]);
    f->since[tag] = step;
    f->weight[tag] += by;
}

static void
learn_sentence(struct perceptron *p, const struct conllu_sentence *s,
               const struct letters *l, struct arena *a)
{
    struct tag_word *w = tag_words(l, a, s->words, s->n);
    unsigned before = UPOS_N, before2 = UPOS_N;
    uint64_t keys[TAG_FEATURES];

    for (size_t i = 0; i < s->n; i++) {
        unsigned tag;

        tag_features(w, i + 2, before, before2, keys);
        tag = guess(p, keys);
        p->step++;
        if (tag != s->tags[i])
            for (unsigned f = 0; f < TAG_FEATURES; f++) {
                struct tag_weights *x = feature_put(p, keys[f]);

                move(x, s->tags[i], 1, p->step);
                move(x, tag, -1, p->step);
            }
        before2 = before;
        before = tag;
    }
}

static void
learn(struct perceptron *p, const struct conllu *c, const struct tagger_plan *o)
{
    uint32_t *order = memory_need(malloc((c->n + 1) * sizeof *order));
    struct letters *l = letters_new();
    struct arena *a = arena_new();
    struct random r;

    r = random_seed(o->seed);
    for (uint32_t i = 0; i < c->n; i++)
        order[i] = i;
    for (unsigned epoch = 0; epoch < o->epochs; epoch++) {
        for (uint32_t i = (uint32_t)c->n; i > 1; i--) {
            uint32_t k = (uint32_t)random_below(&r, i), x = order[k];

            order[k] = order[i - 1];
            order[i - 1] = x;
        }
        for (size_t i = 0; i < c->n; i++) {
            learn_sentence(p, &c->sentences[order[i]], l, a);
            arena_reset(a);
        }
        log_debug("tagger", "epoch=%u features=%u", epoch + 1, p->n);
    }
    arena_free(a);
    letters_free(l);
    free(order);
}

/* Means take the weights' place; sum[0] is how heavy the feature is. */
static void
average(struct perceptron *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        struct tag_weights *f = &p->features[i];
        float heavy = 0;

        for (unsigned t = 0; t < UPOS_N; t++) {
            move(f, t, 0, p->step);
            f->weight[t] = f->sum[t] / (float)(p->step + 1);
            heavy += fabsf(f->weight[t]);
        }
        f->sum[0] = heavy;
    }
}

static int
heavier(const void *a, const void *b)
{
    const struct tag_weights *f = a, *g = b;

    if (f->sum[0] != g->sum[0])
        return f->sum[0] > g->sum[0] ? -1 : 1;
    return f->key < g->key ? -1 : f->key > g->key;
}

static void
put_weights(struct buf *out, struct perceptron *p, unsigned bits)
{
    size_t slots = (size_t)1 << bits, most = (size_t)((double)slots * FULL);
    struct arena *a = arena_new();
    struct tag_table table;
    int8_t(*rows)[UPOS_N] = memory_need(calloc(slots, sizeof *rows));

    tag_table_make(&table, a, bits);
    qsort(p->features, p->n, sizeof *p->features, heavier);
    for (size_t i = 0; i < p->n && i < most; i++) {
        const struct tag_weights *f = &p->features[i];
        size_t at = tag_table_add(&table, f->key);

        for (unsigned t = 0; t < UPOS_N; t++) {
            double w = f->weight[t] * (127 / HEAVIEST);

            rows[at][t] = (int8_t)lround(fmax(-127, fmin(127, w)));
        }
    }
    buf_printf(out, "weights %u\n", bits);
    buf_add(out, table.slots.slots, slots * sizeof(uint16_t));
    buf_add(out, rows, slots * sizeof *rows);
    arena_free(a);
    free(rows);
}

static enum status
read_conllu(struct conllu *c, struct arena *a, const char *path)
{
    struct buf bytes = {0};
    enum status st = file_read(&bytes, path, FILE_MAX);
    unsigned line = 0;

    if (st != ST_OK)
        log_error("tagger", "%s: cannot be read", path);
    else if ((line = conllu_read(c, a, arena_str(a, buf_view(&bytes)))) != 0) {
        log_error("tagger", "%s: line %u has too few columns", path, line);
        st = ST_INVALID;
    }
    buf_free(&bytes);
    return st;
}

static double
seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
evaluate(const struct tagger *t, const struct conllu *c)
{
    size_t tags_right = 0, lemmas_right = 0;
    struct arena *a = arena_new();
    double spent = 0;

    for (size_t i = 0; i < c->n; i++) {
        const struct conllu_sentence *s = &c->sentences[i];
        uint8_t *tags = arena_raw(a, s->n);
        double from = seconds();

        tagger_tag(t, a, s->words, s->n, tags);
        spent += seconds() - from;
        for (size_t k = 0; k < s->n; k++) {
            tags_right += tags[k] == s->tags[k];
            lemmas_right +=
                str_eq(tagger_lemma(t, a, s->words[k], tags[k]), s->lemmas[k]);
        }
        arena_reset(a);
    }
    printf("%zu words: tags %.2f %%, lemmas %.2f %%, %.0f k words a CPU "
           "second\n",
           c->words_n, 100 * (double)tags_right / (double)c->words_n,
           100 * (double)lemmas_right / (double)c->words_n,
           (double)c->words_n / 1000 / (spent > 0 ? spent : 1));
    arena_free(a);
}

static enum status
finish(const struct tagger_plan *o, struct str model, struct arena *a)
{
    struct conllu test = {.n = 0};
    struct tagger *t;
    enum status st = tagger_read(&t, model);

    if (st == ST_OK && o->test != NULL &&
        (st = read_conllu(&test, a, o->test)) == ST_OK && test.words_n > 0)
        evaluate(t, &test);
    tagger_free(t);
    if (st == ST_OK && o->out != NULL &&
        (st = file_write(o->out, model)) != ST_OK)
        log_error("tagger", "%s: cannot be written", o->out);
    return st;
}

enum status
tagger_train(const struct tagger_plan *o)
{
    struct perceptron p = {.n = 0};
    struct arena *a = arena_new();
    struct conllu c = {.n = 0};
    struct buf model = {0};
    enum status st = ST_OK;

    for (size_t i = 0; i < o->files_n && st == ST_OK; i++)
        st = read_conllu(&c, a, o->files[i]);
    if (st == ST_OK && c.words_n == 0) {
        log_error("tagger", "there is no sentence with UPOS to learn from");
        st = ST_INVALID;
    }
    if (st == ST_OK) {
        printf("%zu sentences, %zu words\n", c.n, c.words_n);
        hashmap_init(&p.index, &feature_kind, NULL, 1 << 16);
        learn(&p, &c, o);
        average(&p);
        buf_printf(&model, "winnow-tagger 1\n");
        put_weights(&model, &p, o->bits);
        lemma_train(&model, a, &c);
        st = finish(o, buf_view(&model), a);
        hashmap_free(&p.index);
        free(p.features);
    }
    buf_free(&model);
    arena_free(a);
    return st;
}
