/* shingle_line.c -- see shingle_line.h. */
#include "shingle_line.h"

#include <endian.h>
#include <stdio.h>

/* All digits, and no more than 64 bits. */
static bool
digits(const char *p, size_t n, uint64_t *out)
{
    uint64_t v = 0;

    for (size_t i = 0; i < n; i++) {
        if (!ascii_digit(p[i]) || __builtin_mul_overflow(v, (uint64_t)10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(p[i] - '0'), &v))
            return false;
    }
    *out = v;
    return true;
}

static bool
is_id(const char *p)
{
    for (size_t i = 0; i < ID_SIZE; i++)
        if (p[i] <= ' ' || p[i] == '\x7f')
            return false;
    return true;
}

bool
hash_line_read(struct hash_line *out, struct str line)
{
    out->id = line.p + 21;
    return line.n == HASH_LINE_SIZE && line.p[20] == ' ' && line.p[57] == ' ' &&
           digits(line.p, 20, &out->hash) &&
           digits(line.p + 58, 10, &out->size) && is_id(out->id);
}

static bool
is_signature(struct str hex)
{
    return hex.n == 0 || (hex.n % 2 == 0 && signature_is_size(hex.n / 2));
}

bool
print_line_read(struct print_line *out, struct str line)
{
    struct str column[6] = {S(""), S(""), S(""), S(""), S(""), S("")};
    uint64_t shingles;

    for (int i = 0; i < 6 && str_cut(&line, '\t', &column[i]); i++)
        ;
    if (column[0].n != ID_SIZE || !is_id(column[0].p) ||
        !str_u64(column[1], &out->size) || !str_u64(column[2], &shingles) ||
        shingles == 0 || shingles > UINT32_MAX || column[3].n == 0 ||
        column[3].n % 8 != 0 || column[3].n / 8 > VALUES_MAX ||
        !is_signature(column[4]) || column[5].n >= FINGERPRINT_SCHEME_BYTES)
        return false;
    out->id = column[0].p;
    out->shingles_n = (uint32_t)shingles;
    out->values = column[3];
    out->values_n = (uint32_t)(column[3].n / 8);
    out->signature = column[4];
    out->scheme = column[5];
    return true;
}

enum shingle_form
shingle_form_of(struct str line)
{
    struct hash_line h;
    struct print_line p;

    if (hash_line_read(&h, line))
        return SHINGLE_HASHES;
    return print_line_read(&p, line) ? SHINGLE_PRINTS : SHINGLE_NONE;
}

#define EACH 0x0101010101010101u /* a one in every byte */

/* Eight hex digits as a number, all at once; *good becomes false if they are
 * none.  A letter has bit 6; a digit that is written again as it should be is
 * compared with what stood there. */
static inline uint32_t
eight_digits(const char *p, bool *good)
{
    uint64_t x, letter, nibble, above9;

    memcpy(&x, p, sizeof x);
    x = be64toh(x);
    letter = x >> 6 & EACH;
    nibble = (x & 0x0f * EACH) + 9 * letter;
    above9 = (nibble + 6 * EACH) >> 4 & EACH;
    if ((nibble & 0xf0 * EACH) != 0 ||
        nibble + 0x30 * EACH + 0x27 * above9 != (x | letter << 5))
        *good = false;
    nibble = (nibble | nibble >> 4) & 0x00ff00ff00ff00ffu;
    nibble = (nibble | nibble >> 8) & 0x0000ffff0000ffffu;
    return (uint32_t)(nibble | nibble >> 16);
}

bool
hex_values(struct str hex, uint32_t *out)
{
    bool good = true;

    for (size_t i = 0; i < hex.n / 8; i++)
        out[i] = eight_digits(hex.p + 8 * i, &good);
    return good;
}

bool
hex_bytes(struct str hex, char *out)
{
    bool good = hex.n % 8 == 0;

    for (size_t i = 0; i < hex.n / 8; i++) {
        uint32_t v = htobe32(eight_digits(hex.p + 8 * i, &good));

        memcpy(out + 4 * i, &v, sizeof v);
    }
    return good;
}

struct print_family
print_family_of(const struct print_line *p)
{
    struct print_family f = {.values_n = p->values_n};

    snprintf(f.scheme, sizeof f.scheme, "%.*s", STRF(p->scheme));
    return f;
}

bool
print_family_is(const struct print_family *f, const struct print_line *p)
{
    return f->values_n == p->values_n && str_eq(p->scheme, str_c(f->scheme));
}
