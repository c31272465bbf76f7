/* record_bytes.c -- see record_bytes.h. */
#include "record_bytes.h"

#include "base/hash.h"
#include "shingle/fingerprint/gaps.h"

enum { GAPS_UNIT = 4 };

#define ESTIMATE_ONE 65535.0

_Static_assert(sizeof(struct record_head) == 60, "heads have no holes");

uint32_t
record_bytes_check(const char *bytes, size_t n)
{
    return (uint32_t)hash64(str_n(bytes + 4, n - 4));
}

/* Bytes before the signature, which begins at a multiple of RECORD_UNIT; gaps
 * follow at once. */
static size_t
front_bytes(const struct record_head *h)
{
    size_t n = sizeof *h +
               (h->verdict == VERDICT_KEPT ? RECORD_DIGEST_BYTES : 0) +
               (size_t)h->bands_n * RECORD_BAND_BYTES +
               (size_t)h->replaced_n * sizeof(uint32_t);

    return h->flags & RECORD_FLAG_GAPS
               ? n
               : (n + RECORD_UNIT - 1) / RECORD_UNIT * RECORD_UNIT;
}

static size_t
signature_size(const struct record_head *h)
{
    return (size_t)h->signature_units *
           (h->flags & RECORD_FLAG_GAPS ? GAPS_UNIT : RECORD_UNIT);
}

/* Of the sentences, behind the signature. */
static size_t
sentences_size(const struct record_head *h)
{
    return h->verdict == VERDICT_KEPT ? (size_t)h->of * RECORD_SENTENCE_BYTES
                                      : 0;
}

size_t
record_bytes_units(const struct record_head *h)
{
    return (front_bytes(h) + signature_size(h) + sentences_size(h) +
            RECORD_UNIT - 1) /
           RECORD_UNIT;
}

struct record_head
record_bytes_head(const struct record *r)
{
    struct record_head h = {
        .verdict = (uint8_t)r->verdict,
        .flags = (uint8_t)((r->of_values ? RECORD_FLAG_VALUES : 0) |
                           (r->signature.gaps.n > 0 ? RECORD_FLAG_GAPS : 0) |
                           (r->forgotten ? RECORD_FLAG_FORGOTTEN : 0)),
        .bands_n = (uint8_t)r->bands_n,
        .rows = (uint8_t)r->rows,
        .replaced_n = (uint8_t)r->replaced_n,
        .estimate = (uint16_t)(r->estimate * ESTIMATE_ONE + 0.5),
        .signature_units =
            (uint16_t)(signature_bytes(&r->signature) /
                       (r->signature.gaps.n > 0 ? GAPS_UNIT : RECORD_UNIT)),
        .shingles_n = r->signature.shingles_n,
        .of = r->verdict == VERDICT_KEPT ? r->sentences_n : r->of,
        .text_bytes =
            r->text_bytes < UINT32_MAX ? (uint32_t)r->text_bytes : UINT32_MAX};

    memcpy(h.visit, r->visit, sizeof h.visit);
    memcpy(h.id, r->id, sizeof h.id);
    h.units = (uint16_t)record_bytes_units(&h);
    return h;
}

void
record_bytes_write(const struct record *r, struct buf *out)
{
    struct record_head h = record_bytes_head(r);
    size_t size = (size_t)h.units * RECORD_UNIT;
    char *p;

    buf_reserve(out, size);
    p = out->p + out->n;
    memset(p, 0, size);
    memcpy(p, &h, sizeof h);
    if (h.signature_units > 0)
        memcpy(p + front_bytes(&h),
               r->signature.word != NULL ? (const void *)r->signature.word
                                         : r->signature.gaps.p,
               signature_bytes(&r->signature));
    if (sentences_size(&h) > 0)
        memcpy(p + front_bytes(&h) + signature_size(&h), r->sentence,
               sentences_size(&h));
    p += sizeof h;
    if (r->verdict == VERDICT_KEPT) {
        memcpy(p, r->digest, RECORD_DIGEST_BYTES);
        p += RECORD_DIGEST_BYTES;
    }
    memcpy(p, r->replaced, r->replaced_n * sizeof *r->replaced);
    p += r->replaced_n * sizeof *r->replaced;
    if (r->bands_n > 0)
        memcpy(p, r->band, (size_t)r->bands_n * RECORD_BAND_BYTES);
    p = out->p + out->n;
    h.check = record_bytes_check(p, size);
    memcpy(p, &h.check, sizeof h.check);
    out->n += size;
}

/* Sizes that fit each other within the n bytes that are there. */
bool
record_bytes_is_head(const struct record_head *h, uint64_t n)
{
    size_t signature = signature_size(h);

    if (h->units == 0 || (uint64_t)h->units * RECORD_UNIT > n)
        return false;
    if (h->verdict == RECORD_BYTES_SKIPPED)
        return true;
    return h->units == record_bytes_units(h) &&
           h->verdict <= VERDICT_REJECTED && h->bands_n <= RECORD_BANDS_MAX &&
           h->replaced_n <= RECORD_REPLACED_MAX &&
           sentences_size(h) <=
               (size_t)RECORD_SENTENCES_MAX * RECORD_SENTENCE_BYTES &&
           ((h->flags & RECORD_FLAG_GAPS) != 0 ||
            ((signature & (signature - 1)) == 0 &&
             (signature == 0 || signature >= SIGNATURE_BITS_MIN / 16)));
}

static struct signature
signature_at(const char *p, const struct record_head *h)
{
    size_t n = signature_size(h);
    struct signature s = {.shingles_n = h->shingles_n};

    if (h->flags & RECORD_FLAG_GAPS) {
        s.gaps = str_n(p, n);
        s.bits_n = gaps_bits(s.gaps);
    } else {
        s.word = (const uint64_t *)(const void *)p;
        s.bits_n = (uint32_t)n * 8;
    }
    return s;
}

void
record_bytes_read(const char *p, struct record *out)
{
    struct record_head h;

    memcpy(&h, p, sizeof h);
    *out = (struct record){
        .verdict = (enum verdict)h.verdict,
        .forgotten = h.flags & RECORD_FLAG_FORGOTTEN,
        .visit = (const unsigned char *)p + offsetof(struct record_head, visit),
        .id = (const unsigned char *)p + offsetof(struct record_head, id),
        .of = h.verdict == VERDICT_KEPT ? 0 : h.of,
        .estimate = h.estimate / ESTIMATE_ONE,
        .text_bytes = h.text_bytes,
        .of_values = h.flags & RECORD_FLAG_VALUES,
        .bands_n = h.bands_n,
        .rows = h.rows,
        .replaced_n = h.replaced_n,
        .signature = signature_at(p + front_bytes(&h), &h),
        .sentences_n = h.verdict == VERDICT_KEPT ? h.of : 0,
        .sentence =
            (const unsigned char *)p + front_bytes(&h) + signature_size(&h)};
    p += sizeof h;
    if (out->verdict == VERDICT_KEPT) {
        out->digest = (const unsigned char *)p;
        p += RECORD_DIGEST_BYTES;
    }
    memcpy(out->replaced, p, h.replaced_n * sizeof *out->replaced);
    out->band = (const unsigned char *)p + h.replaced_n * sizeof *out->replaced;
}

/* Whole and as it was written? */
bool
record_bytes_is(const char *p, uint64_t left, struct record_head *h)
{
    *h = (struct record_head){0};
    if (left >= RECORD_UNIT)
        memcpy(h, p, left < sizeof *h ? RECORD_UNIT : sizeof *h);
    return record_bytes_is_head(h, left) &&
           (h->verdict == RECORD_BYTES_SKIPPED || left >= sizeof *h) &&
           h->check == record_bytes_check(p, (size_t)h->units * RECORD_UNIT);
}

/* `n` bytes at p become records that are skipped. */
void
record_bytes_skip(char *p, uint64_t n)
{
    while (n > 0) {
        uint64_t units =
            n / RECORD_UNIT < UINT16_MAX ? n / RECORD_UNIT : UINT16_MAX;
        struct record_head h = {.units = (uint16_t)units,
                                .verdict = RECORD_BYTES_SKIPPED};

        memset(p, 0, units * RECORD_UNIT);
        memcpy(p, &h, RECORD_UNIT);
        h.check = record_bytes_check(p, units * RECORD_UNIT);
        memcpy(p, &h.check, sizeof h.check);
        p += units * RECORD_UNIT;
        n -= units * RECORD_UNIT;
    }
}
