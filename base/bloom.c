/* bloom.c -- see bloom.h; after Almeida, Baquero, Preguica and Hutchison 2007.
 *
 * When a filter holds the keys it was made for, another one for GROWTH times as
 * many is added, with an error rate TIGHTENING times as high.  The first one's
 * rate is (1 - TIGHTENING) * error, so that the sum of all, which bounds the
 * compound rate, is at most `error`.  (texrex added filters of equal error: its
 * rate grew with each.)
 *
 * A filter for n keys at rate p asks for k = ceil(log2(1/p)) bits, of which it
 * has as many as make (1 - exp(-kn/m))^k a little less than p.  (The usual
 * n ln(1/p) / ln(2)^2 is too few when k is rounded.)  The places come from two
 * 64-bit halves of one hash by enhanced double hashing (Dillinger & Manolios
 * 2004). */
#include "bloom.h"

#include <math.h>
#include <stdlib.h>

#define GROWTH 2u
#define TIGHTENING 0.5
#define MARGIN 0.95 /* double hashing is not quite k independent hashes */
#define FILTERS_MAX 40u

struct filter {
    uint64_t *word;
    uint64_t bits, room, keys_n; /* room: keys it is made for */
    unsigned places;
};

struct bloom {
    double error; /* of the next filter */
    uint64_t next_room, bytes, bytes_max, keys_n, forgotten_n;
    struct filter filter[FILTERS_MAX];
    unsigned n;
};

static enum status
grow(struct bloom *b)
{
    struct filter *f = &b->filter[b->n];
    double places = ceil(-log2(b->error));
    double bits = ceil(-places * (double)b->next_room /
                       log(1 - pow(b->error * MARGIN, 1 / places)));
    uint64_t words = (uint64_t)(bits / 64) + 1;

    if (b->n == FILTERS_MAX || bits > 1e15 ||
        words * sizeof *f->word > b->bytes_max - b->bytes)
        return ST_LIMIT;
    if ((f->word = calloc(words, sizeof *f->word)) == NULL)
        return ST_NOMEM;
    f->bits = words * 64;
    f->room = b->next_room;
    f->places = (unsigned)places;
    b->bytes += words * sizeof *f->word;
    b->error *= TIGHTENING;
    b->next_room *= GROWTH;
    b->n++;
    return ST_OK;
}

enum status
bloom_open(struct bloom **out, double error, uint64_t first_n,
           uint64_t bytes_max)
{
    struct bloom *b = calloc(1, sizeof *b);
    enum status st;

    *out = NULL;
    if (b == NULL)
        return ST_NOMEM;
    b->error = error * (1 - TIGHTENING);
    b->next_room = first_n > 0 ? first_n : 1;
    b->bytes_max = bytes_max;
    if ((st = grow(b)) != ST_OK) {
        bloom_close(b);
        return st;
    }
    *out = b;
    return ST_OK;
}

void
bloom_close(struct bloom *b)
{
    if (b == NULL)
        return;
    for (unsigned i = 0; i < b->n; i++)
        free(b->filter[i].word);
    free(b);
}

/* Visit the key's places; `set` sets the bits.  Whether all were set. */
static bool
visit(const struct filter *f, struct hash128 key, bool set)
{
    uint64_t at = key.low, step = key.high | 1;
    bool all = true;

    for (unsigned i = 0; i < f->places; i++) {
        uint64_t bit = at % f->bits;

        if (!(f->word[bit / 64] >> bit % 64 & 1)) {
            if (!set)
                return false;
            all = false;
            f->word[bit / 64] |= (uint64_t)1 << bit % 64;
        }
        at += step;
        step += i;
    }
    return all;
}

bool
bloom_has(const struct bloom *b, struct hash128 key)
{
    for (unsigned i = b->n; i-- > 0;) /* the latest holds half of all */
        if (visit(&b->filter[i], key, false))
            return true;
    return false;
}

bool
bloom_add(struct bloom *b, struct hash128 key)
{
    struct filter *f = &b->filter[b->n - 1];

    if (bloom_has(b, key))
        return true;
    if (f->keys_n == f->room) {
        if (grow(b) != ST_OK) {
            b->forgotten_n++;
            return false;
        }
        f++;
    }
    visit(f, key, true);
    f->keys_n++;
    b->keys_n++;
    return false;
}

struct bloom_stat
bloom_stat(const struct bloom *b)
{
    return (struct bloom_stat){b->keys_n, b->bytes, b->forgotten_n, b->n};
}
