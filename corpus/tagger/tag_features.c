/* tag_features.c -- see tag_features.h. */
#include "tag_features.h"

#include "base/hash.h"
#include "clean/chain/codepoint.h"
#include "corpus/text/text_scan.h"

/* In small letters; what is too long is cut. */
static struct str
make_small(struct arena *a, struct str word)
{
    char *out = arena_raw(a, WORD_BYTES_MAX + 4);
    size_t n = 0;

    for (size_t at = 0; at < word.n && n < WORD_BYTES_MAX;) {
        size_t from = at;
        uint32_t cp = scan_next(word, &at);

        if (cp < 0x80)
            out[n++] = ascii_lower((char)cp);
        else if (cp == 0xfffd) {
            memcpy(out + n, word.p + from, at - from);
            n += at - from;
        } else
            n += codepoint_put(out + n, letters_lower(cp));
    }
    return str_n(out, n);
}

/* "Xx", "d.d", "X": a sign for each run of one kind of letter. */
static uint64_t
shape_of(const struct letters *l, struct str word)
{
    uint64_t shape = word.n < 3 ? 7 : 1;
    unsigned last = 99, kinds = 0;

    for (size_t at = 0; at < word.n && kinds < 12;) {
        uint32_t cp = scan_next(word, &at);
        enum scan_case c = scan_case(l, cp);
        unsigned kind = c != CASE_NONE ? (unsigned)c : 5 + cp % 59;

        if (kind == last)
            continue;
        shape = shape * 67 + kind;
        last = kind;
        kinds++;
    }
    return shape;
}

static void
look(const struct letters *l, struct arena *a, struct tag_word *w,
     struct str word)
{
    struct str s = w->small = make_small(a, word);
    size_t at = s.n, begin = s.n;

    w->hash = hash64(s);
    w->shape = shape_of(l, word);
    for (unsigned i = 0; i < 4; i++) {
        if (at > 0) {
            (void)scan_before(s, at, &begin);
            at = begin;
        }
        w->suffix[i] = hash64(str_sub(s, at, s.n));
    }
    at = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (at < s.n)
            (void)scan_next(s, &at);
        if (i > 0)
            w->prefix[i - 1] = hash64(str_sub(s, 0, at));
    }
}

struct tag_word *
tag_words(const struct letters *l, struct arena *a, const struct str *words,
          size_t n)
{
    struct tag_word *w = ARENA_ARRAY(a, struct tag_word, n + 4);

    for (size_t i = 0; i < n; i++)
        look(l, a, &w[i + 2], words[i]);
    return w;
}

static uint64_t
key(unsigned feature, uint64_t a, uint64_t b)
{
    return hash_mix(a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu +
                    feature * 0x165667b19e3779f9u + 1);
}

void
tag_features(const struct tag_word *words, size_t i, unsigned before,
             unsigned before2, uint64_t keys[TAG_FEATURES])
{
    const struct tag_word *w = &words[i], *p = w - 1, *q = w - 2, *n = w + 1,
                          *m = w + 2;
    const uint64_t pair[TAG_FEATURES][2] = {
        {1, 1},
        {w->hash, 0},
        {w->suffix[0], 0},
        {w->suffix[1], 0},
        {w->suffix[2], 0},
        {w->suffix[3], 0},
        {w->prefix[0], 0},
        {w->prefix[1], 0},
        {w->shape, 0},
        {w->shape, p->small.n == 0},
        {before, 1},
        {before, before2 + 1},
        {before, w->hash},
        {before, w->suffix[2]},
        {p->hash, 1},
        {n->hash, 1},
        {q->hash, 1},
        {m->hash, 1},
        {p->suffix[2], 1},
        {n->suffix[2], 1},
        {n->suffix[1], w->suffix[1]},
        {p->hash, w->hash},
        {n->hash, w->hash},
        {n->shape, w->shape},
        {before, n->hash},
        {p->hash, n->hash},
    };

    for (unsigned f = 0; f < TAG_FEATURES; f++)
        keys[f] = key(f, pair[f][0], pair[f][1]);
}

void
xpos_features(const struct tag_word *words, size_t i, unsigned upos,
              unsigned after, unsigned before, unsigned before2,
              uint64_t keys[XPOS_FEATURES])
{
    const struct tag_word *w = &words[i];

    tag_features(words, i, before, before2, keys);
    keys[TAG_FEATURES] = key(TAG_FEATURES, after, w->suffix[2]);
    keys[TAG_FEATURES + 1] = key(TAG_FEATURES + 1, after, before);
    for (unsigned f = 0; f < XPOS_FEATURES; f++)
        keys[f] = hash_mix(keys[f] + (upos + 1) * 0x9e3779b97f4a7c15u);
}
