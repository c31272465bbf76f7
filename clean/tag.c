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

static uint64_t
load(const char *p, size_t n) /* little-endian, n <= 8 */
{
    uint64_t v = 0;

    while (n-- > 0)
        v = v << 8 | (unsigned char)p[n];
    return v;
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
    return str_eq(names[found], s) ? (enum tag)found : TAG_OTHER;
}

struct str
tag_name(enum tag tag)
{
    return names[tag];
}
