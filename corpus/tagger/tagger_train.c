/* tagger_train.c -- see tagger_train.h.
 *
 * UPOS greedily from left to right, with its own tags behind it; then the tags
 * of the language's own (xpos_train.c) and the rules of lemmas. */
#include "tagger_train.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/checksum_line.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/random.h"
#include "conllu.h"
#include "lemma_train.h"
#include "perceptron.h"
#include "xpos_train.h"

#define FILE_MAX ((size_t)2 << 30)

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
        tag = perceptron_guess(p, keys, TAG_FEATURES, UPOS_N);
        perceptron_learn(p, keys, TAG_FEATURES, s->tags[i], tag);
        before2 = before;
        before = tag;
    }
}

/* `order` becomes that of the last round. */
static void
learn(struct perceptron *p, const struct conllu *c, const struct tagger_plan *o,
      uint64_t seed, uint32_t *order)
{
    struct letters *l = letters_new();
    struct arena *a = arena_new();
    struct random r;

    r = random_seed(seed);
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
}

static enum status
read_conllu(struct conllu *c, struct arena *a, const char *path)
{
    bool upos_only = strncmp(path, "upos:", 5) == 0;
    struct buf bytes = {0};
    enum status st;
    unsigned line = 0;

    path += upos_only ? 5 : 0;
    st = file_read(&bytes, path, FILE_MAX);
    if (st != ST_OK)
        log_error("tagger", "%s: cannot be read", path);
    else if ((line = conllu_read(c, a, arena_str(a, buf_view(&bytes)),
                                 upos_only)) != 0) {
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
    size_t tags_right = 0, lemmas_right = 0, xpos_n = 0, xpos_right = 0;
    struct arena *a = arena_new();
    double spent = 0;

    for (size_t i = 0; i < c->n; i++) {
        const struct conllu_sentence *s = &c->sentences[i];
        uint8_t *tags = arena_raw(a, s->n);
        struct str *xpos = ARENA_ARRAY(a, struct str, s->n);
        double from = seconds();

        tagger_tag(t, a, s->words, s->n, tags);
        tagger_xpos(t, a, s->words, s->n, tags, xpos);
        spent += seconds() - from;
        for (size_t k = 0; k < s->n; k++) {
            tags_right += tags[k] == s->tags[k];
            xpos_n += s->xpos[k].n > 0;
            xpos_right += s->xpos[k].n > 0 && str_eq(xpos[k], s->xpos[k]);
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
    if (xpos_n > 0 && t->tags != NULL)
        printf("%zu words: tags of the language's own %.2f %%\n", xpos_n,
               100 * (double)xpos_right / (double)xpos_n);
    arena_free(a);
}

static enum status
finish(const struct tagger_plan *o, struct str model, const struct conllu *test)
{
    struct tagger *t;
    enum status st = tagger_read(&t, model);

    if (st == ST_OK && test->words_n > 0)
        evaluate(t, test);
    tagger_free(t);
    if (st == ST_OK && o->out != NULL &&
        (st = file_write(o->out, model)) != ST_OK)
        log_error("tagger", "%s: cannot be written: %s", o->out,
                  strerror(errno));
    return st;
}

/* The mean of o->nets perceptrons. */
static void
learn_mean(struct perceptron *mean, const struct conllu *c,
           const struct tagger_plan *o, uint32_t *order)
{
    unsigned n = o->nets > 0 ? o->nets : 1;

    for (unsigned i = n; i-- > 0;) { /* the last one has o->seed's order */
        struct perceptron p;

        perceptron_begin(&p, UPOS_N);
        learn(&p, c, o, o->seed + i, order);
        perceptron_add(mean, &p, 1 / (float)n);
        perceptron_end(&p);
    }
}

/* Model file's bytes. */
static void
make_model(struct buf *model, struct arena *a, const struct conllu *c,
           const struct tagger_plan *o)
{
    uint32_t *order = memory_need(malloc((c->n + 1) * sizeof *order));
    struct perceptron p;

    perceptron_begin(&p, UPOS_N);
    learn_mean(&p, c, o, order);
    buf_c(model, TAGGER_MAGIC TAGGER_VERSION "\n");
    if (o->language.n > 0)
        buf_printf(model, "language %.*s\n", STRF(o->language));
    xpos_train(model, c, order, o->epochs, o->bits - 1);
    perceptron_put(&p, model, o->bits);
    perceptron_end(&p);
    lemma_train(model, a, c);
    checksum_line_add(model);
    free(order);
}

/* Both before anything is learned. */
static enum status
read_both(const struct tagger_plan *o, struct arena *a, struct conllu *c,
          struct conllu *test)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < o->files_n && st == ST_OK; i++)
        st = read_conllu(c, a, o->files[i]);
    if (st == ST_OK && o->test != NULL)
        st = read_conllu(test, a, o->test);
    if (st == ST_OK && c->words_n == 0) {
        log_error("tagger", "there is no sentence with UPOS to learn from");
        st = ST_INVALID;
    } else if (st == ST_OK && o->test != NULL && test->words_n == 0) {
        log_error("tagger", "%s: there is no sentence with UPOS in it",
                  o->test);
        st = ST_INVALID;
    }
    return st;
}

enum status
tagger_train(const struct tagger_plan *o)
{
    struct arena *a = arena_new();
    struct conllu c = {.n = 0}, test = {.n = 0};
    struct buf model = {0};
    enum status st = read_both(o, a, &c, &test);

    if (st == ST_OK) {
        printf("%zu sentences, %zu words\n", c.n, c.words_n);
        make_model(&model, a, &c, o);
        st = finish(o, buf_view(&model), &test);
    }
    buf_free(&model);
    arena_free(a);
    return st;
}
