/* tag.c -- see tag.h.  Pure and thread-safe. */
#include "tag.h"

#include "tag_hash.h"

_Static_assert(TAG_N <= 256, "tag_hash holds bytes");

#define NAME_MAX_BYTES 16 /* longer names are all TAG_OTHER */

static const struct str names[TAG_N] = {
    STR(""),
#define TAG(constant, name) STR(name),
#include "tag.tbl.h"
#undef TAG
};

static inline uint64_t
load(const char *p, size_t n) /* little-endian, n <= 8 */
{
    uint64_t v = 0;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t low, high; /* they overlap when n < 8 */

    if (n >= 4) {
        memcpy(&low, p, 4);
        memcpy(&high, p + n - 4, 4);
        return low | (uint64_t)high << (8 * (n - 4));
    }
#endif
    while (n-- > 0)
        v = v << 8 | (unsigned char)p[n];
    return v;
}

/* Whether both names are the same; n bytes each, at most NAME_MAX_BYTES. */
static inline bool
same(const char *a, const char *b, size_t n)
{
    if (n <= 8)
        return load(a, n) == load(b, n);
    return load(a, 8) == load(b, 8) && load(a + n - 8, 8) == load(b + n - 8, 8);
}

enum tag
tag_find(struct str s)
{
    uint64_t key;
    unsigned found;

    if (s.n == 0 || s.n > NAME_MAX_BYTES)
        return TAG_OTHER;
    key = load(s.p, s.n < 8 ? s.n : 8) ^ s.n;
    if (s.n > 8)
        key ^= load(s.p + s.n - 8, 8) << 1;
    found = tag_hash[key * TAG_HASH_MULTIPLIER >> (64 - TAG_HASH_BITS)];
    return names[found].n == s.n && same(names[found].p, s.p, s.n)
               ? (enum tag)found
               : TAG_OTHER;
}

struct str
tag_name(enum tag tag)
{
    return names[tag];
}
