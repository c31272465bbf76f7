/* lemma_train.c -- see lemma_train.h.
 *
 * Each pair of word and lemma is a rule: letters off, letters on.  Counted are
 * the rules of every end of up to LEMMA_END letters, by tag, from the shortest
 * to the longest and at last of the whole word; an end is kept when its
 * commonest rule is another one than that of the next shorter end. */
#include "lemma_train.h"

#include <stdlib.h>

#include "base/hash.h"
#include "corpus/text/text_scan.h"
#include "tagger_model.h"

/* A rule's text, as the file has it, and its number. */
struct rule_text {
    struct str text;
    uint64_t hash;
};

/* How often an end has a rule. */
struct end_rule {
    uint64_t end, hash; /* of the end; of both */
    uint32_t rule, n;
};

/* The commonest rule of an end. */
struct winner {
    uint64_t end;
    uint32_t rule, n, all;
};

struct lemmas_learnt {
    struct arena *a;
    struct rule_text *rules;
    uint32_t rules_n;
    struct hashmap rule_index, tallies, winners;
};

static bool
rule_equal(const void *of, const void *slot, const void *key)
{
    const struct lemmas_learnt *l = of;

    return l->rules[*(const uint32_t *)slot - 1].hash == *(const uint64_t *)key;
}

static const struct hashmap_kind rule_kind = {
    sizeof(uint32_t), hashmap_numbered, rule_equal, NULL, NULL};

static bool
tally_used(const void *slot)
{
    return ((const struct end_rule *)slot)->n != 0;
}

static bool
tally_equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return ((const struct end_rule *)slot)->hash == *(const uint64_t *)key;
}

static uint64_t
tally_hash(const void *of, const void *slot)
{
    (void)of;
    return ((const struct end_rule *)slot)->hash;
}

static const struct hashmap_kind tally_kind = {
    sizeof(struct end_rule), tally_used, tally_equal, tally_hash, NULL};

static bool
winner_used(const void *slot)
{
    return ((const struct winner *)slot)->end != 0;
}

static bool
winner_equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return ((const struct winner *)slot)->end == *(const uint64_t *)key;
}

static uint64_t
winner_hash(const void *of, const void *slot)
{
    (void)of;
    return ((const struct winner *)slot)->end;
}

static const struct hashmap_kind winner_kind = {
    sizeof(struct winner), winner_used, winner_equal, winner_hash, NULL};

/* Bytes that both begin with, whole letters of them. */
static size_t
common_start(struct str a, struct str b)
{
    size_t n = 0;

    while (n < a.n && n < b.n && a.p[n] == b.p[n])
        n++;
    while (n > 0 && ((n < a.n && (a.p[n] & 0xc0) == 0x80) ||
                     (n < b.n && (b.p[n] & 0xc0) == 0x80)))
        n--;
    return n;
}

/* The number of the rule that makes the lemma; RULES_MAX: there is no room. */
static uint32_t
rule_of(struct lemmas_learnt *l, struct str word, struct str small,
        struct str lemma)
{
    size_t kept = common_start(word, lemma), low = common_start(small, lemma);
    struct str from = low >= kept ? small : word, text;
    unsigned strip = 0;
    uint64_t hash;
    uint32_t *slot;

    kept = low > kept ? low : kept;
    for (size_t i = kept; i < from.n; i++)
        strip += (from.p[i] & 0xc0) != 0x80;
    text = arena_printf(l->a, "%c %u %.*s\n", from.p == small.p ? 'l' : 'k',
                        strip, STRF(str_sub(lemma, kept, lemma.n)));
    hash = hash64(text);
    slot = hashmap_find(&l->rule_index, &rule_kind, l, hash, &hash);
    if (*slot == 0) {
        if (l->rules_n == RULES_MAX)
            return RULES_MAX;
        slot = hashmap_put(&l->rule_index, &rule_kind, l, hash, &hash);
        l->rules[l->rules_n] = (struct rule_text){text, hash};
        *slot = ++l->rules_n;
    }
    return *slot - 1;
}

static void
count(struct lemmas_learnt *l, uint64_t end, uint32_t rule)
{
    uint64_t hash = hash_mix(end + rule * 0x9e3779b97f4a7c15u);
    struct end_rule *t = hashmap_put(&l->tallies, &tally_kind, l, hash, &hash);
    struct winner *w;

    *t = (struct end_rule){end, hash, rule, t->n + 1};
    w = hashmap_put(&l->winners, &winner_kind, l, end, &end);
    w->end = end;
    w->all++;
    if (t->n > w->n || w->n == 0) {
        w->n = t->n;
        w->rule = rule;
    }
}

static uint64_t
end_key(struct str small, unsigned tag, unsigned n)
{
    return n == 0               ? lemma_key(S(""), tag, 0)
           : n == LEMMA_END + 1 ? lemma_key(small, tag, 0)
                                : lemma_key(small, tag, n);
}

static void
learn_word(struct lemmas_learnt *l, struct str word, struct str lemma,
           unsigned tag, const struct letters *letters)
{
    struct tag_word *w = tag_words(letters, l->a, &word, 1);
    uint32_t rule;

    if (w[2].small.n >= WORD_BYTES_MAX || lemma.n > WORD_BYTES_MAX)
        return;
    rule = rule_of(l, word, w[2].small, lemma);
    for (unsigned n = 0; rule < RULES_MAX && n <= LEMMA_END + 1; n++)
        count(l, end_key(w[2].small, tag, n), rule);
}

static void
put_entry(struct buf *out, uint64_t hash, uint32_t rule)
{
    char b[10];

    for (int k = 0; k < 8; k++)
        b[k] = (char)(hash >> 8 * k);
    b[8] = (char)rule;
    b[9] = (char)(rule >> 8);
    buf_add(out, b, sizeof b);
}

/* The ends of a word that say something new; each is written once. */
static uint32_t
keep_ends(struct lemmas_learnt *l, struct buf *out, struct str small,
          unsigned tag, struct hashmap *written)
{
    uint32_t last = RULES_MAX, kept = 0;

    for (unsigned n = 0; n <= LEMMA_END + 1; n++) {
        uint64_t end = end_key(small, tag, n);
        const struct winner *w =
            hashmap_find(&l->winners, &winner_kind, l, end, &end);
        struct lemma_slot *s;

        if (w->end == 0 || w->rule == last)
            continue;
        if (w->n < 2 && n > 0 && n <= LEMMA_END)
            continue; /* seen once: the whole word may say it */
        last = w->rule;
        s = hashmap_put(written, &lemma_kind, l, end, &end);
        if (s->hash != 0)
            continue;
        s->hash = end;
        put_entry(out, end, w->rule);
        kept++;
    }
    return kept;
}

void
lemma_train(struct buf *out, struct arena *a, const struct conllu *c)
{
    struct lemmas_learnt l = {.a = a};
    struct letters *letters = letters_new();
    struct hashmap written;
    struct buf entries = {0};
    uint32_t n = 0;

    l.rules = ARENA_ARRAY(a, struct rule_text, RULES_MAX);
    hashmap_init(&l.rule_index, &rule_kind, a, RULES_MAX);
    hashmap_init(&l.tallies, &tally_kind, a, 1 << 16);
    hashmap_init(&l.winners, &winner_kind, a, 1 << 16);
    hashmap_init(&written, &lemma_kind, a, 1 << 14);
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->sentences[i].n; k++)
            learn_word(&l, c->sentences[i].words[k], c->sentences[i].lemmas[k],
                       c->sentences[i].tags[k], letters);
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->sentences[i].n; k++) {
            struct tag_word *w =
                tag_words(letters, a, &c->sentences[i].words[k], 1);

            n += keep_ends(&l, &entries, w[2].small, c->sentences[i].tags[k],
                           &written);
        }
    buf_printf(out, "rules %u\n", l.rules_n);
    for (uint32_t i = 0; i < l.rules_n; i++)
        buf_add(out, l.rules[i].text.p, l.rules[i].text.n);
    buf_printf(out, "lemmas %u\n", n);
    buf_add(out, buf_view(&entries).p, buf_view(&entries).n);
    buf_free(&entries);
    letters_free(letters);
}
