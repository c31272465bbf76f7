/* tagger.c -- see tagger.h. */
#include "tagger.h"

#include "base/hash.h"
#include "corpus/text/text_scan.h"
#include "tagger_model.h"

const char *const upos_name[UPOS_N] = {
    "ADJ",  "ADP",  "ADV",   "AUX",   "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"};

unsigned
upos_find(struct str name)
{
    unsigned i = 0;

    while (i < UPOS_N && !str_eq(name, str_c(upos_name[i])))
        i++;
    return i;
}

static unsigned
best_tag(const struct tag_weights_table *t, const uint64_t *keys, unsigned n,
         unsigned classes)
{
    int16_t scores[TAG_ROW] = {0};
    unsigned best = 0;

    for (unsigned f = 0; f < n; f++) {
        bool found;
        size_t at = tag_table_find(&t->features, keys[f], &found);

        if (found)
            for (unsigned i = 0; i < TAG_ROW; i++)
                scores[i] = (int16_t)(scores[i] + t->rows[at][i]);
    }
    for (unsigned i = 1; i < classes; i++)
        if (scores[i] > scores[best])
            best = i;
    return best;
}

void
tagger_tag(const struct tagger *t, struct arena *a, const struct str *words,
           size_t n, uint8_t *tags)
{
    struct tag_word *w = tag_words(t->letters, a, words, n);
    unsigned before = UPOS_N, before2 = UPOS_N;
    uint64_t keys[TAG_FEATURES];

    for (size_t i = 0; i < n; i++) {
        tag_features(w, i + 2, before, before2, keys);
        tags[i] = (uint8_t)best_tag(&t->upos, keys, TAG_FEATURES, UPOS_N);
        before2 = before;
        before = tags[i];
    }
}

void
tagger_xpos(const struct tagger *t, struct arena *a, const struct str *words,
            size_t n, const uint8_t *tags, struct str *xpos)
{
    struct tag_word *w =
        t->tags != NULL ? tag_words(t->letters, a, words, n) : NULL;
    unsigned before = XPOS_NONE, before2 = XPOS_NONE;
    uint64_t keys[XPOS_FEATURES];

    for (size_t i = 0; i < n; i++) {
        unsigned upos = tags[i], tag = 0, most;

        most = t->tags != NULL && upos < UPOS_N ? t->tags->n[upos] : 0;
        xpos[i] = S("");
        if (most > 1) {
            xpos_features(w, i + 2, upos, i + 1 < n ? tags[i + 1] : UPOS_N,
                          before, before2, keys);
            tag = best_tag(&t->xpos, keys, XPOS_FEATURES, most);
        }
        if (most > 0)
            xpos[i] = t->tags->name[upos][tag];
        before2 = before;
        before = upos * TAG_ROW + tag;
    }
}

static bool
slot_used(const void *slot)
{
    return ((const struct lemma_slot *)slot)->hash != 0;
}

static bool
slot_equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return ((const struct lemma_slot *)slot)->hash == *(const uint64_t *)key;
}

static uint64_t
slot_hash(const void *of, const void *slot)
{
    (void)of;
    return ((const struct lemma_slot *)slot)->hash;
}

const struct hashmap_kind lemma_kind = {sizeof(struct lemma_slot), slot_used,
                                        slot_equal, slot_hash, NULL};

/* Where the last n letters begin. */
static size_t
back(struct str s, unsigned n)
{
    size_t at = s.n;

    for (; n > 0 && at > 0; n--)
        (void)scan_before(s, at, &at);
    return at;
}

/* Not by a seed: see hash.h. */
uint64_t
lemma_key(struct str small, unsigned tag, unsigned n)
{
    size_t from = n > 0 ? back(small, n) : 0;
    uint64_t h = hash_mix(hash64(str_sub(small, from, small.n)) + tag * 2u +
                          (n == 0 ? 1u : 0u));

    return h != 0 ? h : 1;
}

/* The word made by a rule. */
static struct str
lemma_make(struct arena *a, struct str word, struct str small,
           const struct lemma_rule *r)
{
    struct str s = r->small ? small : word;

    if (r->strip == 0 && r->add.n == 0)
        return r->small ? arena_str(a, s) : s;
    s = str_sub(s, 0, back(s, r->strip));
    return arena_printf(a, "%.*s%.*s", STRF(s), STRF(r->add));
}

struct str
tagger_lemma(const struct tagger *t, struct arena *a, struct str word,
             unsigned tag)
{
    struct tag_word *w = tag_words(t->letters, a, &word, 1);
    struct str small = w[2].small;

    if (small.n >= WORD_BYTES_MAX)
        return word;
    for (unsigned i = 0; i <= LEMMA_END + 1; i++) {
        /* the whole word, then its ends, the longest first; at last none */
        uint64_t key =
            i <= LEMMA_END
                ? lemma_key(small, tag, i == 0 ? 0 : LEMMA_END + 1 - i)
                : lemma_key(S(""), tag, 0);
        const struct lemma_slot *s =
            hashmap_find(&t->lemmas, &lemma_kind, t, key, &key);

        if (s->hash != 0)
            return lemma_make(a, word, small, &t->rules[s->rule]);
    }
    return word;
}
