/* shares.c -- see shares.h.
 *
 * Block by block, by the evidence in its words.  Nearly all blocks of nearly
 * all pages are in the main language, and that is seen with one addition a
 * word; only for the others the evidence for every language is summed up.  A
 * block is in the language with most evidence, if it has about as much of it as
 * text in that language; one of a few words, what is in no language that has a
 * profile, and lists of names and code, which are in none, do not count. */
#include "shares.h"

#include "assessor.h"
#include "evidence.h"

#define BLOCK_WORDS_MIN 10u
#define MAIN_ENOUGH 0.6 /* of the evidence in running text: no need to look */
#define ENOUGH 0.5
#define LEAD 0.3 /* of another language over the main one */
#define SHARE_MIN 0.05

struct shares {
    const struct assessor *assessor;
    const struct document *d;
    const struct word *const *found; /* of the document's types */
    float *main;      /* evidence of each type for the main language */
    double *evidence; /* of a block, for each language */
    uint32_t *words;  /* of the blocks in each language */
};

static double
common(const struct shares *x, size_t profile)
{
    const struct word_order *o =
        profiles_at(x->assessor->profiles, profile)->order;

    return o == NULL ? 0 : o->common;
}

static void
find_main(struct shares *x, size_t main)
{
    const struct assessor *s = x->assessor;

    for (uint32_t i = 0; i < x->d->types_n; i++) {
        const struct word *w = x->found[i];

        for (uint32_t k = 0; w != NULL && k < w->n; k++)
            if (s->uses[w->first + k].profile == main)
                x->main[i] = s->uses[w->first + k].evidence;
    }
}

#define NO_LANGUAGE SIZE_MAX

/* The language of n words: the main one, unless another has clearly more
 * evidence; NO_LANGUAGE: there is too little of it. */
static size_t
language_of(struct shares *x, size_t main, const uint32_t *tokens, uint32_t n)
{
    const struct assessor *s = x->assessor;
    size_t profiles = profiles_n(s->profiles), best = 0;

    memset(x->evidence, 0, profiles * sizeof *x->evidence);
    for (uint32_t i = 0; i < n; i++) {
        const struct word *w = x->found[tokens[i]];

        for (uint32_t k = 0; w != NULL && k < w->n; k++) {
            const struct use *u = &s->uses[w->first + k];

            x->evidence[u->profile] += (double)u->evidence;
        }
    }
    for (size_t i = 1; i < profiles; i++)
        if (x->evidence[i] > x->evidence[best])
            best = i;
    if (best != main &&
        x->evidence[best] - x->evidence[main] < LEAD * common(x, best) * n)
        best = main;
    if (x->evidence[best] <= 0 ||
        x->evidence[best] < ENOUGH * common(x, best) * n)
        return NO_LANGUAGE;
    return best;
}

static void
count_block(struct shares *x, size_t main, const uint32_t *tokens, uint32_t n,
            bool running)
{
    double sum = 0;
    size_t language = main;

    if (n < BLOCK_WORDS_MIN)
        return;
    for (uint32_t i = 0; i < n; i++)
        sum += (double)x->main[tokens[i]];
    if (sum <= 0 || sum < MAIN_ENOUGH * common(x, main) * n)
        language = running ? language_of(x, main, tokens, n) : NO_LANGUAGE;
    if (language != NO_LANGUAGE)
        x->words[language] += n;
}

/* The largest shares first. */
static void
set(const struct shares *x, struct document *d)
{
    size_t profiles = profiles_n(x->assessor->profiles);
    uint32_t all = 0;

    for (size_t i = 0; i < profiles; i++)
        all += x->words[i];
    for (d->languages_n = 0; d->languages_n < LANGUAGE_SHARES_MAX;
         d->languages_n++) {
        size_t most = 0;

        for (size_t i = 1; i < profiles; i++)
            if (x->words[i] > x->words[most])
                most = i;
        if (x->words[most] == 0 || x->words[most] < SHARE_MIN * all)
            break;
        d->languages[d->languages_n] = (struct language_share){
            arena_str(d->arena,
                      profiles_at(x->assessor->profiles, most)->language),
            (float)x->words[most] / (float)all};
        x->words[most] = 0;
    }
}

void
shares_set(const struct assessor *s, struct document *d, size_t main,
           const struct word *const *words)
{
    size_t profiles = profiles_n(s->profiles);
    struct shares x = {s,
                       d,
                       words,
                       ARENA_ARRAY(d->arena, float, d->types_n + 1),
                       ARENA_ARRAY(d->arena, double, profiles),
                       ARENA_ARRAY(d->arena, uint32_t, profiles)};
    uint32_t at = 0;

    find_main(&x, main);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        if (!d->blocks[i].counted || d->blocks[i].tokens == 0)
            continue;
        count_block(&x, main, d->token_types + at, d->blocks[i].tokens,
                    d->blocks[i].running);
        at += d->blocks[i].tokens;
    }
    set(&x, d);
}
