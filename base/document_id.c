/* document_id.c -- see base/document_id.h.
 *
 * Of the 128 bits six say that this is a UUID and of which kind; the others
 * are a hash of the URL's hash and the capture, so that two
 * of a billion documents share one with a chance of 1e-19. */
#include "base/document_id.h"

#include "base/big_endian.h"
#include "base/hash.h"

/* Where the bytes of the text are: 8-4-4-4-12 digits. */
static const unsigned char digit_at[DOCUMENT_ID_BYTES] = {
    0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};

static bool
is_dash_at(size_t i)
{
    return i == 8 || i == 13 || i == 18 || i == 23;
}

struct document_id
document_id_make(struct str url, uint64_t capture)
{
    struct hash128 h = hash128(url);
    unsigned char key[24], bytes[DOCUMENT_ID_BYTES];

    be64_put(key, h.high);
    be64_put(key + 8, h.low);
    be64_put(key + 16, capture);
    h = hash128(str_n((const char *)key, sizeof key));
    be64_put(bytes, h.high);
    be64_put(bytes + 8, h.low);
    bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x80); /* version 8 */
    bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80); /* RFC 9562 */
    return document_id_unpack(bytes);
}

struct document_id
document_id_unpack(const unsigned char bytes[DOCUMENT_ID_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    struct document_id id;

    memset(id.z, '-', DOCUMENT_ID_CHARS);
    id.z[DOCUMENT_ID_CHARS] = '\0';
    for (size_t i = 0; i < DOCUMENT_ID_BYTES; i++) {
        id.z[digit_at[i]] = digits[bytes[i] >> 4];
        id.z[digit_at[i] + 1] = digits[bytes[i] & 15];
    }
    return id;
}

void
document_id_pack(const struct document_id *id,
                 unsigned char out[DOCUMENT_ID_BYTES])
{
    for (size_t i = 0; i < DOCUMENT_ID_BYTES; i++)
        out[i] = (unsigned char)((unsigned)ascii_hex(id->z[digit_at[i]]) << 4 |
                                 (unsigned)ascii_hex(id->z[digit_at[i] + 1]));
}

bool
document_id_read(struct str text, struct document_id *out)
{
    out->z[0] = '\0';
    if (text.n != DOCUMENT_ID_CHARS)
        return false;
    for (size_t i = 0; i < DOCUMENT_ID_CHARS; i++) {
        if (is_dash_at(i) ? text.p[i] != '-' : ascii_hex(text.p[i]) < 0)
            return false;
    }
    for (size_t i = 0; i < DOCUMENT_ID_CHARS; i++)
        out->z[i] = ascii_lower(text.p[i]);
    out->z[DOCUMENT_ID_CHARS] = '\0';
    return true;
}

struct str
document_id_bare(struct str text)
{
    static const struct str scheme = STR("urn:uuid:");

    if (str_starts(text, S("<")) && str_ends(text, S(">")))
        text = str_sub(text, 1, text.n - 1);
    return str_starts_nocase(text, scheme) ? str_sub(text, scheme.n, text.n)
                                           : text;
}

bool
document_id_read_urn(struct str urn, struct document_id *out)
{
    struct str bare = document_id_bare(urn);

    out->z[0] = '\0';
    return bare.n + strlen("urn:uuid:") <= urn.n && document_id_read(bare, out);
}
