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

typedef uint8_t sixteen_bytes __attribute__((vector_size(16)));
typedef uint16_t eight_pairs __attribute__((vector_size(16)));
typedef uint8_t eight_bytes __attribute__((vector_size(8)));

#define TAKEN ((size_t)16) /* digits at once */

/* Sixteen hex digits as the eight bytes they stand for; what is none leaves
 * bits in *bad. */
static inline void
sixteen_digits(const char *p, unsigned char *out, sixteen_bytes *bad)
{
    sixteen_bytes x, digit, letter, is_digit, is_letter, nibble;
    eight_pairs pair;
    eight_bytes bytes;

    memcpy(&x, p, sizeof x);
    digit = x - '0';
    letter = (x | 0x20) - 'a';
    is_digit = (sixteen_bytes)(digit < 10);
    is_letter = (sixteen_bytes)(letter < 6);
    *bad |= ~(is_digit | is_letter);
    nibble = (digit & is_digit) | ((letter + 10) & is_letter);
    pair = (eight_pairs)nibble; /* the upper digit stands first */
#if __BYTE_ORDER == __LITTLE_ENDIAN
    pair = (pair << 4 | pair >> 8) & 0xff;
#else
    pair = (pair >> 4 | pair) & 0xff;
#endif
    bytes = __builtin_convertvector(pair, eight_bytes);
    memcpy(out, &bytes, sizeof bytes);
}

static bool
hex_read(struct str hex, unsigned char *out)
{
    sixteen_bytes bad = {0};
    uint64_t bits[2];
    size_t i = 0;

    for (; i + TAKEN <= hex.n; i += TAKEN)
        sixteen_digits(hex.p + i, out + i / 2, &bad);
    if (i < hex.n) {
        char last[TAKEN];
        unsigned char bytes[TAKEN / 2];

        memset(last, '0', sizeof last);
        memcpy(last, hex.p + i, hex.n - i);
        sixteen_digits(last, bytes, &bad);
        memcpy(out + i / 2, bytes, (hex.n - i) / 2);
    }
    memcpy(bits, &bad, sizeof bits);
    return (bits[0] | bits[1]) == 0;
}

bool
hex_values(struct str hex, uint32_t *out)
{
    bool good = hex_read(str_sub(hex, 0, hex.n / 8 * 8), (void *)out);

    for (size_t i = 0; i < hex.n / 8; i++)
        out[i] = be32toh(out[i]);
    return good;
}

bool
hex_bytes(struct str hex, char *out)
{
    return hex.n % 8 == 0 && hex_read(hex, (unsigned char *)out);
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
