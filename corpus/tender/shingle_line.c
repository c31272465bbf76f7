/* shingle_line.c -- see shingle_line.h. */
#include "shingle_line.h"

#include "winnow/fingerprint.h"

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

/* A power of two of bytes, as signatures have. */
static bool
is_signature(struct str hex)
{
    return hex.n == 0 ||
           (hex.n >= SIGNATURE_BITS_MIN / 4 &&
            hex.n <= SIGNATURE_BITS_MAX / 4 && (hex.n & (hex.n - 1)) == 0);
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

/* 0-15; above: no hex digit. */
static inline uint32_t
nibble(char c)
{
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10) : 0x100u;
}

bool
hex_values(struct str hex, uint32_t *out)
{
    uint32_t bad = 0;

    for (size_t i = 0; i < hex.n / 8; i++) {
        uint32_t v = 0;

        for (size_t k = 0; k < 8; k++) {
            uint32_t d = nibble(hex.p[8 * i + k]);

            bad |= d;
            v = v << 4 | (d & 15);
        }
        out[i] = v;
    }
    return bad < 0x100;
}

bool
hex_bytes(struct str hex, char *out)
{
    uint32_t bad = 0;

    for (size_t i = 0; i < hex.n / 2; i++) {
        uint32_t high = nibble(hex.p[2 * i]), low = nibble(hex.p[2 * i + 1]);

        bad |= high | low;
        out[i] = (char)((high & 15) << 4 | (low & 15));
    }
    return bad < 0x100;
}
