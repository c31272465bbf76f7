/* profiler.c -- counts words per document, then mean and standard deviation of
 * the log10 relative frequency, each document weighing by its tokens (the
 * published method).  Documents without a word say nothing about it, since
 * log 0 is no number; a word must be in half of the documents to be taken.
 *
 * All counts stay in memory: some 24 bytes per type and document. */
#include "profiler.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "order_learn.h"

struct text_sample {
    const struct token_type *types;
    uint32_t types_n, tokens_n;
};

struct profiler {
    struct arena *arena, *scratch;
    struct letters *letters;
    struct words total; /* all documents */
    struct words skip;  /* not to be taken */
    struct text_sample *samples;
    uint32_t *start; /* of each text in the words of `total`, and the end */
    size_t texts_n, texts_room; /* token files are no texts */
    size_t samples_n, samples_room;
    uint64_t tokens_n;
};

struct profiler *
profiler_new(void)
{
    struct profiler *p = memory_zero(1, sizeof *p);

    if (p == NULL || (p->letters = letters_new()) == NULL) {
        memory_free(p);
        return NULL;
    }
    p->arena = arena_new();
    p->scratch = arena_new();
    words_init(&p->total, p->letters, p->arena);
    words_init(&p->skip, p->letters, p->arena);
    return p;
}

void
profiler_free(struct profiler *p)
{
    if (p == NULL)
        return;
    arena_free(p->arena);
    arena_free(p->scratch);
    letters_free(p->letters);
    memory_free(p);
}

void
profiler_segment(struct profiler *p, const struct segmenter *g)
{
    p->total.segmenter = g;
}

/* Of types, only hash and count are used later: their texts may go. */
static void
keep(struct profiler *p, const struct words *w, uint32_t tokens_n)
{
    struct token_type *types =
        ARENA_ARRAY(p->arena, struct token_type, w->types_n);

    memcpy(types, w->types, w->types_n * sizeof *types);
    if (p->samples_n == p->samples_room) {
        size_t room = p->samples_room ? p->samples_room * 2 : 256;

        p->samples = arena_grow(p->arena, p->samples,
                                p->samples_room * sizeof *p->samples,
                                room * sizeof *p->samples);
        p->samples_room = room;
    }
    p->samples[p->samples_n++] =
        (struct text_sample){types, w->types_n, tokens_n};
    p->tokens_n += tokens_n;
}

/* What came last to `total` is a text. */
static void
keep_text(struct profiler *p, uint32_t start)
{
    if (p->texts_n + 1 >= p->texts_room) {
        size_t room = p->texts_room ? p->texts_room * 2 : 256;

        p->start =
            arena_grow(p->arena, p->start, p->texts_room * sizeof *p->start,
                       room * sizeof *p->start);
        p->texts_room = room;
    }
    p->start[p->texts_n++] = start;
    p->start[p->texts_n] = p->total.hashes_n;
}

void
profiler_add(struct profiler *p, struct str text)
{
    uint32_t before = p->total.hashes_n;
    struct words w;

    words_init(&w, p->letters, p->scratch);
    w.segmenter = p->total.segmenter;
    words_add(&w, text);
    words_add(&p->total, text);
    if (w.hashes_n > 0) {
        keep(p, &w, w.hashes_n);
        keep_text(p, before);
    }
    arena_reset(p->scratch);
}

void
profiler_add_types(struct profiler *p, const struct token_type *types,
                   uint32_t types_n, uint32_t tokens_n)
{
    struct words w;

    words_init(&w, p->letters, p->scratch);
    for (uint32_t i = 0; i < types_n; i++) {
        words_add_type(&w, types[i].text, types[i].count);
        words_add_type(&p->total, types[i].text, types[i].count);
    }
    if (tokens_n > 0 && w.types_n > 0)
        keep(p, &w, tokens_n);
    arena_reset(p->scratch);
}

void
profiler_skip(struct profiler *p, struct str word)
{
    words_add(&p->skip, word);
}

uint64_t
profiler_documents_n(const struct profiler *p)
{
    return p->samples_n;
}

uint64_t
profiler_tokens_n(const struct profiler *p)
{
    return p->tokens_n;
}

static int
by_count(const void *a, const void *b)
{
    const struct token_type *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return str_cmp(x->text, y->text);
}

static uint32_t
count_in(const struct text_sample *s, uint64_t hash)
{
    for (uint32_t i = 0; i < s->types_n; i++)
        if (s->types[i].hash == hash)
            return s->types[i].count;
    return 0;
}

/* Mean and deviation of one word; how many documents have it. */
static size_t
measure(const struct profiler *p, uint64_t hash, double *mean, double *sd)
{
    double weight = 0, sum = 0, squares = 0;
    size_t having = 0;

    for (size_t i = 0; i < p->samples_n; i++) {
        uint32_t count = count_in(&p->samples[i], hash), n;
        double x;

        if (count == 0)
            continue;
        n = p->samples[i].tokens_n;
        x = log10((double)count / n);
        weight += n;
        sum += n * x;
        squares += n * x * x;
        having++;
    }
    if (having > 0) {
        *mean = sum / weight;
        *sd = sqrt(fmax(0, squares / weight - *mean * *mean));
    }
    return having;
}

/* The tables of stems; false: a list is too short. */
static bool
learn_confusable(const struct profiler *p, struct confusable **first,
                 struct arena *a, const struct profiler_plan *plan)
{
    const struct confusable_sample texts = {&p->total, p->start, p->texts_n};

    for (size_t i = 0; i < plan->confusable_n; i++) {
        const struct confusable_plan *c = &plan->confusable[i];

        *first = confusable_learn(c->learner, c->language, &texts, a);
        if (*first == NULL)
            return false;
        first = &(*first)->next;
    }
    return true;
}

enum status
profiler_finish(const struct profiler *p, struct profile *out, struct arena *a,
                const struct profiler_plan *plan)
{
    struct token_type *sorted =
        ARENA_ARRAY(a, struct token_type, p->total.types_n);

    memset(out, 0, sizeof *out);
    if (p->samples_n < 2 || plan->types_n > PROFILE_TYPES_MAX)
        return ST_INVALID;
    memcpy(sorted, p->total.types, p->total.types_n * sizeof *sorted);
    qsort(sorted, p->total.types_n, sizeof *sorted, by_count);
    out->language = arena_str(a, plan->language);
    out->types = ARENA_ARRAY(a, struct profile_type, plan->types_n);
    for (uint32_t i = 0; i < p->total.types_n && out->types_n < plan->types_n;
         i++) {
        struct profile_type *t = &out->types[out->types_n];

        if (out->types_n >= plan->types_min &&
            sorted[i].count < plan->share_min * (double)p->tokens_n)
            break;
        if (words_have(&p->skip, sorted[i].hash) ||
            measure(p, sorted[i].hash, &t->mean, &t->sd) * 2 < p->samples_n)
            continue;
        t->text = arena_str(a, sorted[i].text);
        t->hash = sorted[i].hash;
        t->sd = fmax(t->sd, plan->sd_min);
        t->limit = PROFILE_LIMIT;
        t->share = pow(10, t->mean);
        out->types_n++;
    }
    if (out->types_n < plan->types_min)
        return ST_INVALID;
    if (plan->order_words_n > 0) {
        const struct order_sample texts = {&p->total, &p->skip, p->start,
                                           p->texts_n};

        out->order =
            order_learn(&texts, plan->order_words_n, plan->elsewhere, a);
    }
    if (!learn_confusable(p, &out->confusable, a, plan))
        return ST_INVALID;
    out->worst = PROFILE_LIMIT * PROFILE_SCALE;
    return ST_OK;
}
