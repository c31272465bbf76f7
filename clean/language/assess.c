/* assess.c -- one look-up per type of the document finds every profile that
 * has the word; what is dear, the order of the words and the stems of a
 * confusable language, is looked at only for languages that can still be the
 * best.
 *
 * Evidence tells how much of a text are common words of a language; and, from
 * the words' frequencies in two languages, what the difference of the evidence
 * for them comes to in texts of either, and so where between the two a text
 * stands. */
#include "assess.h"

#include <math.h>
#include <stdlib.h>

#include "assessor.h"
#include "base/memory.h"
#include "evidence.h"
#include "sample.h"
#include "script.h"
#include "shares.h"

/* By how much kinds of text differ, as shares of what is measured: the excess
 * of word order, the evidence in a word, the way to another language; and by
 * the evidence in a word again, which tells when the way is short. */
#define KINDS_ORDER 0.23
#define KINDS_WORDS 0.23
#define KINDS_FOREIGN 0.19
#define KINDS_NEAR 0.08

/* Sentences with many names or figures have fewer common words, and fewer pairs
 * of these: the order to be expected of them goes with this power of their
 * share.  Below the least share they are too few anyway. */
#define ORDER_BY_WORDS 0.3
#define ORDER_WORDS_MIN 0.3

/* What is known of one document. */
struct assessment {
    uint32_t (*counts)[PROFILE_TYPES_MAX]; /* of each profile's types; NULL:
                                              not asked for */
    double *evidence;                      /* for each profile */
    struct badness_parts *parts;
    bool *whole;               /* is what is dear of parts[i] known? */
    size_t nearest;            /* the profile with most evidence */
    const struct word **words; /* of the document's types; NULL: none's */
    uint8_t *class; /* of the document's types, for one profile at a time */
};

static void
look_up(const struct assessor *s, const struct sample *x, struct assessment *f)
{
    for (uint32_t i = 0; i < x->types_n; i++) {
        const struct token_type *t = &x->types[i];
        const struct word *w = assessor_word(s, t->hash);

        f->words[i] = w;
        for (uint32_t k = 0; w != NULL && t->count > 0 && k < w->n; k++) {
            const struct use *u = &s->uses[w->first + k];

            if (f->counts != NULL && u->type != NOT_USED)
                f->counts[u->profile][u->type] = t->count;
            f->evidence[u->profile] +=
                (double)u->evidence *
                evidence_counted(t->count, (double)u->share, x->tokens_n);
        }
    }
}

/* The part for something that is `off` from running text, as a share of what
 * running text has; `variance`: what chance does to it. */
static double
part(double off, double kinds, double variance)
{
    if (off <= 0)
        return 0;
    return fmin(ASSESS_WORST,
                ASSESS_WORST / 2 * off * off /
                    (ASSESS_LIMIT * ASSESS_LIMIT * (kinds * kinds + variance)));
}

static double
words(const struct assessor *s, const struct assessment *f, size_t i,
      uint32_t tokens_n)
{
    const struct profile *p = profiles_at(s->profiles, i);
    const struct rival *own = &s->rivals[i * profiles_n(s->profiles) + i];
    double common;

    if (assessor_by_types(s, i))
        return profile_badness(p, f->counts[i], tokens_n);
    common = p->order->common;
    if (tokens_n == 0)
        return ASSESS_WORST;
    if (common <= 0)
        return 0;
    return part(1 - f->evidence[i] / tokens_n / common, KINDS_WORDS,
                own->spread / tokens_n / (common * common));
}

/* The language nearest to the text, among those that the common words tell
 * from language i: not a confusable one, whose stems say more than what kinds
 * of text the two profiles were made of. */
static size_t
nearest_to(const struct assessor *s, const struct assessment *f, size_t i)
{
    size_t best = i, m = profiles_n(s->profiles);

    if (!s->confusable[i * m + f->nearest])
        return f->nearest;
    for (size_t k = 0; k < m; k++)
        if (!s->confusable[i * m + k] && f->evidence[k] > f->evidence[best])
            best = k;
    return best;
}

/* How far the text is from language i on the way to the nearest one. */
static double
foreign(const struct assessor *s, const struct assessment *f, size_t i,
        uint32_t tokens_n)
{
    size_t m = profiles_n(s->profiles), k = nearest_to(s, f, i);
    const struct rival *here = &s->rivals[i * m + k];
    const struct rival *there = &s->rivals[k * m + i];
    double way = -here->mean - there->mean, at, near;

    if (k == i || way <= 0 || profiles_at(s->profiles, i)->order == NULL)
        return 0;
    at = (f->evidence[k] - f->evidence[i]) / tokens_n - here->mean;
    near = KINDS_NEAR * s->rivals[i * m + i].mean;
    return part(at / way, KINDS_FOREIGN,
                (near * near + here->spread / tokens_n) / (way * way));
}

/* The excess of word order in running text with such words. */
static double
expected_order(const struct word_order *o, const struct sample *x,
               double evidence)
{
    double share = evidence / x->tokens_n / o->common;

    if (!x->running || o->common <= 0)
        return o->running;
    return o->running *
           pow(fmin(1, fmax(ORDER_WORDS_MIN, share)), ORDER_BY_WORDS);
}

static double
order(const struct assessor *s, const struct sample *x, struct assessment *f,
      size_t i)
{
    const struct word_order *o = profiles_at(s->profiles, i)->order;
    double excess, expected;

    if (o == NULL || o->running <= 0 || x->tokens_n < 2)
        return 0;
    if (f->class == NULL)
        f->class = arena_raw(x->arena, x->types_n);
    for (uint32_t k = 0; k < x->types_n; k++)
        f->class[k] = order_class(o, x->types[k].text, x->types[k].hash);
    excess = order_excess_of(o, f->class, x->tokens, x->runs, x->runs_n);
    expected = expected_order(o, x, f->evidence[i]);
    return part(1 - excess / expected, KINDS_ORDER,
                o->spread / (x->tokens_n - 1) / (expected * expected));
}

/* Does the text lean to a confusable language of language i? */
static double
confusable(const struct assessor *s, const struct sample *x, size_t i)
{
    const struct confusable *b = profiles_at(s->profiles, i)->confusable;
    double most = 0;

    for (; b != NULL && x->tokens_n > 0; b = b->next)
        most =
            fmax(most,
                 part(confusable_leaning(b, x->types, x->types_n, x->tokens_n) -
                          b->mean,
                      b->kinds, b->spread / x->tokens_n));
    return most;
}

static double
worst(const struct badness_parts *b)
{
    return fmin(ASSESS_WORST, fmax(fmax(b->words, b->order), b->foreign));
}

/* The badness with word order and stems, which are looked at once, and only if
 * they can make a difference. */
static double
whole(const struct assessor *s, const struct sample *x, struct assessment *f,
      size_t i)
{
    struct badness_parts *b = &f->parts[i];

    if (!f->whole[i] && (s->parts & ASSESS_FOREIGN) && worst(b) < ASSESS_WORST)
        b->foreign = fmax(b->foreign, confusable(s, x, i));
    if (!f->whole[i] && (s->parts & ASSESS_ORDER) && worst(b) < ASSESS_WORST)
        b->order = order(s, x, f, i);
    f->whole[i] = true;
    return worst(b);
}

/* The best of so many profiles, the first of equal ones: what is dear only
 * makes worse, so it is looked at from the best so far on, until none can be
 * better.
 */
static size_t
find_best(const struct assessor *s, const struct sample *x,
          struct assessment *f, const size_t *among, size_t n)
{
    size_t best;

    do {
        best = among[0];
        for (size_t k = 1; k < n; k++)
            if (worst(&f->parts[among[k]]) < worst(&f->parts[best]))
                best = among[k];
    } while (!f->whole[best] && whole(s, x, f, best) > 0);
    return best;
}

/* The first of so many profiles with a badness of at most `enough`, else the
 * best. */
static size_t
find_enough(const struct assessor *s, const struct sample *x,
            struct assessment *f, const size_t *among, size_t n, double enough)
{
    for (size_t k = 0; k < n; k++)
        if (worst(&f->parts[among[k]]) <= enough &&
            whole(s, x, f, among[k]) <= enough)
            return among[k];
    return find_best(s, x, f, among, n);
}

static void
assess_words(const struct assessor *s, const struct sample *x,
             struct assessment *f)
{
    size_t n = profiles_n(s->profiles);

    look_up(s, x, f);
    for (size_t i = 1; i < n; i++)
        if (f->evidence[i] > f->evidence[f->nearest])
            f->nearest = i;
    for (size_t i = 0; i < n; i++) {
        if (s->parts & (ASSESS_WORDS | ASSESS_PUBLISHED))
            f->parts[i].words = words(s, f, i, x->tokens_n);
        if ((s->parts & ASSESS_FOREIGN) && x->tokens_n > 0)
            f->parts[i].foreign = foreign(s, f, i, x->tokens_n);
    }
}

/* The scripts of the text, a bit each. */
static uint32_t
scripts_of(const struct sample *x)
{
    uint32_t words[32] = {0}, scripts = 0;

    for (uint32_t i = 0; i < x->types_n; i++)
        words[__builtin_ctz(script_of(x->types[i].text))] += x->types[i].count;
    for (uint32_t i = 0; i < 32; i++)
        if (words[i] > 0 && words[i] >= SCRIPT_SHARE_MIN * x->tokens_n)
            scripts |= UINT32_C(1) << i;
    return scripts;
}

/* Those of `among` that are written in these scripts; all of them where none
 * is.  A list of few words has no evidence for any language, and less was
 * missing from Arabic than from English. */
static size_t
candidates(const struct assessor *s, uint32_t scripts, const size_t *among,
           size_t n, size_t *out)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        if (s->scripts[among[i]] & scripts)
            out[found++] = among[i];
    for (size_t i = 0; i < n && found == 0; i++)
        out[i] = among[i];
    return found > 0 ? found : n;
}

/* No words are in no language; a single target is what was asked for. */
static void
name_none(struct document *d, size_t targets_n)
{
    d->language_best = S("");
    if (targets_n > 1)
        d->language = S("");
}

void
assess(const struct assessor *s, struct document *d, const size_t *target,
       size_t targets_n, double enough)
{
    size_t n = profiles_n(s->profiles), best, chosen, among_n;
    size_t *among = ARENA_ARRAY(d->arena, size_t, n);
    struct assessment f = {.evidence = ARENA_ARRAY(d->arena, double, n),
                           .parts =
                               ARENA_ARRAY(d->arena, struct badness_parts, n),
                           .whole = ARENA_ARRAY(d->arena, bool, n)};
    struct sample x;
    uint32_t scripts;

    sample_take(&x, d, s->parts & ASSESS_PUBLISHED);
    if (s->count_types)
        f.counts = arena_alloc(d->arena, n * sizeof *f.counts);
    f.words = arena_raw(d->arena, (d->types_n + 1) * sizeof *f.words);
    assess_words(s, &x, &f);
    scripts = scripts_of(&x);
    among_n = candidates(s, scripts, s->all, n, among);
    best = find_best(s, &x, &f, among, among_n);
    among_n = candidates(s, scripts, target, targets_n, among);
    chosen = enough > 0 ? find_enough(s, &x, &f, among, among_n, enough)
                        : find_best(s, &x, &f, among, among_n);
    d->badness = whole(s, &x, &f, chosen);
    d->badness_parts = f.parts[chosen];
    d->language = profiles_at(s->profiles, chosen)->language;
    if (d->badness < worst(&f.parts[best]))
        best = chosen;
    d->badness_best = worst(&f.parts[best]);
    d->language_best = profiles_at(s->profiles, best)->language;
    if (x.tokens_n == 0)
        name_none(d, targets_n);
    shares_set(s, d, f.nearest, f.words);
}
