/* train_truth.c -- which blocks of a page belong to its main text.
 *
 * The words of the page are aligned with those of the truth by a longest
 * common subsequence that prefers runs: a match scores 2, one that goes on
 * from the match before it 3, so that stray words do not pull in a menu.
 * Words that the other side lacks are taken out first, which shrinks the
 * table.  Bound: TABLE_MAX cells of one byte; larger pages stay unlabelled.
 * Segments (pieces that must or must not be kept) label the blocks they stand
 * in. */
#include "train.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/hashmap.h"
#include "clean/blocks/block_count.h"

#define TABLE_MAX ((size_t)400 << 20)
#define NEVER (-1000000000)
#define WEIGHED_WORDS 1000u
#define WEIGHT_POWER 0.75f

struct truth_words {
    struct arena *a;
    uint64_t *hash;
    uint32_t *place; /* number in the whole text */
    uint32_t *block;
    uint32_t n, cap, seen, now;
    const struct truth_words *other; /* only words of this one are taken */
    struct hashmap set;              /* of the hashes; a slot is one */
};

static bool
slot_used(const void *slot)
{
    return *(const uint64_t *)slot != 0;
}

static bool
slot_is(const void *words, const void *slot, const void *hash)
{
    (void)words;
    return *(const uint64_t *)slot == *(const uint64_t *)hash;
}

static const struct hashmap_kind set_kind = {sizeof(uint64_t), slot_used,
                                             slot_is, NULL, NULL};

static bool
has_word(const struct truth_words *w, uint64_t hash)
{
    return slot_used(
        hashmap_find(&w->set, &set_kind, w, hash_mix(hash), &hash));
}

static void
index_words(struct truth_words *w)
{
    hashmap_init(&w->set, &set_kind, w->a, w->n);
    for (uint32_t k = 0; k < w->n; k++)
        *(uint64_t *)hashmap_put(&w->set, &set_kind, w, hash_mix(w->hash[k]),
                                 &w->hash[k]) = w->hash[k];
}

static void
take_word(void *self, uint64_t hash)
{
    struct truth_words *w = self;
    uint32_t place = w->seen++;

    if (w->other != NULL && !has_word(w->other, hash))
        return;
    if (w->n == w->cap) {
        uint32_t cap = w->cap ? 2 * w->cap : 1024;

        w->hash = arena_grow(w->a, w->hash, w->cap * sizeof *w->hash,
                             cap * sizeof *w->hash);
        w->place = arena_grow(w->a, w->place, w->cap * sizeof *w->place,
                              cap * sizeof *w->place);
        w->block = arena_grow(w->a, w->block, w->cap * sizeof *w->block,
                              cap * sizeof *w->block);
        w->cap = cap;
    }
    w->hash[w->n] = hash;
    w->place[w->n] = place;
    w->block[w->n++] = w->now;
}

enum { STEP_MATCH = 1, STEP_PAGE = 2, STEP_TRUTH = 3, GOES_ON = 4 };

struct alignment_table {
    const struct truth_words *a, *b;
    uint8_t *step;
    int32_t *best, *match, *best_now, *match_now; /* rows of b->n + 1 */
};

static void
fill_row(struct alignment_table *t, uint32_t i)
{
    const struct truth_words *a = t->a, *b = t->b;
    uint8_t *step = t->step + (size_t)i * b->n;
    bool next = i > 0 && a->place[i] == a->place[i - 1] + 1;

    t->best_now[0] = 0;
    t->match_now[0] = NEVER;
    for (uint32_t j = 0; j < b->n; j++) {
        int32_t match = NEVER, best;
        uint8_t how = STEP_MATCH, on = 0;

        if (a->hash[i] == b->hash[j]) {
            match = t->best[j] + 2;
            if (next && j > 0 && b->place[j] == b->place[j - 1] + 1 &&
                t->match[j] + 3 >= match) {
                match = t->match[j] + 3;
                on = GOES_ON;
            }
        }
        best = match;
        if (t->best[j + 1] > best) {
            best = t->best[j + 1];
            how = STEP_PAGE;
        }
        if (t->best_now[j] > best) {
            best = t->best_now[j];
            how = STEP_TRUTH;
        }
        t->match_now[j + 1] = match;
        t->best_now[j + 1] = best;
        step[j] = how | on;
    }
}

static void
fill(struct alignment_table *t)
{
    for (uint32_t i = 0; i < t->a->n; i++) {
        int32_t *best = t->best, *match = t->match;

        fill_row(t, i);
        t->best = t->best_now;
        t->match = t->match_now;
        t->best_now = best;
        t->match_now = match;
    }
}

static void
trace(const struct alignment_table *t, uint32_t *matched)
{
    uint32_t i = t->a->n, j = t->b->n;
    bool on = false;

    while (i > 0 && j > 0) {
        uint8_t step = t->step[(size_t)(i - 1) * t->b->n + j - 1];

        if (on || (step & 3) == STEP_MATCH) {
            matched[t->a->block[i - 1]]++;
            on = step & GOES_ON;
            i--;
            j--;
        } else if ((step & 3) == STEP_PAGE) {
            i--;
        } else {
            j--;
        }
    }
}

static bool
align(const struct truth_words *a, const struct truth_words *b,
      uint32_t *matched)
{
    struct alignment_table t = {.a = a, .b = b};
    size_t row = b->n + 1, cells = (size_t)a->n * b->n;
    int32_t *rows;

    if (cells == 0)
        return true;
    if (cells > TABLE_MAX)
        return false;
    t.step = malloc(cells);
    rows = calloc(4 * row, sizeof *rows);
    if (t.step != NULL && rows != NULL) {
        t.best = rows;
        t.best_now = rows + row;
        t.match = rows + 2 * row;
        t.match_now = rows + 3 * row;
        for (size_t j = 0; j < row; j++)
            t.match[j] = NEVER;
        fill(&t);
        trace(&t, matched);
    }
    cells = t.step != NULL && rows != NULL;
    free(t.step);
    free(rows);
    return cells != 0;
}

bool
train_truth_text(struct train_page *page, struct arena *scratch,
                 struct str truth)
{
    struct truth_words all = {.a = scratch}, a = {.a = scratch},
                       b = {.a = scratch};
    uint32_t *matched = ARENA_ARRAY(scratch, uint32_t, page->f.n);

    block_words(truth, take_word, &all);
    index_words(&all);
    a.other = &all;
    for (uint32_t i = 0; i < page->f.n; i++) {
        a.now = i;
        block_words(page->text[i], take_word, &a);
    }
    index_words(&a);
    b.other = &a;
    block_words(truth, take_word, &b);
    if (!align(&a, &b, matched))
        return false;
    for (uint32_t i = 0; i < page->f.n; i++) {
        uint32_t words = page->f.place[i].words;

        page->target[i] = words > 0 ? (float)matched[i] / (float)words : -1;
    }
    return true;
}

bool
train_truth_segments(struct train_page *page, struct str segments)
{
    struct str line;
    bool any = false;

    while (str_cut(&segments, '\n', &line)) {
        struct str part = str_trim(str_sub(line, 2, line.n));
        uint32_t longest = page->f.n;

        if (line.n < 3 || line.p[1] != '\t')
            continue;
        for (uint32_t i = 0; i < page->f.n; i++) {
            if (part.n == 0 || !str_has(page->text[i], part))
                continue;
            if (line.p[0] == '-')
                page->target[i] = 0;
            else if (longest == page->f.n ||
                     page->text[i].n > page->text[longest].n)
                longest = i;
        }
        if (line.p[0] == '+' && longest < page->f.n)
            page->target[longest] = 1;
        any = true;
    }
    return any;
}

/* Long blocks count more, long pages less than their length; a block of which
 * only a part is in the main text says little for either class. */
void
train_weights(struct train_page *page)
{
    double sum = 0;
    float share;

    for (uint32_t i = 0; i < page->f.n; i++) {
        uint32_t words = page->f.place[i].words;

        words = words < WEIGHED_WORDS ? words : WEIGHED_WORDS;
        page->weight[i] =
            page->target[i] < 0 ? 0 : powf((float)words, WEIGHT_POWER);
        sum += (double)page->weight[i];
    }
    share = powf((float)sum + 3, -WEIGHT_POWER);
    for (uint32_t i = 0; i < page->f.n; i++)
        page->weight[i] *= fabsf(2 * page->target[i] - 1) * share;
}
