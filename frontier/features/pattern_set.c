#include "pattern_set.h"

#include "base/hash.h"
#include "base/url/host.h"

static bool
equal(const void *of, const void *slot, const void *key)
{
    const struct pattern_set *s = of;
    uint32_t i = *(const uint32_t *)slot - 1;

    return str_eq(s->pattern[i], *(const struct str *)key);
}

static uint64_t
hash(const void *of, const void *slot)
{
    const struct pattern_set *s = of;

    return hash64(s->pattern[*(const uint32_t *)slot - 1]);
}

static const struct hashmap_kind kind = {.size = sizeof(uint32_t),
                                         .used = hashmap_numbered,
                                         .equal = equal,
                                         .hash = hash};

/* All under a name, and itself: a star in it stands for itself. */
static bool
is_suffix(struct str pattern)
{
    return pattern.n > 1 && pattern.p[0] == '.';
}

void
pattern_set_init(struct pattern_set *s, struct arena *a,
                 const struct str *patterns, uint32_t n)
{
    *s = (struct pattern_set){.pattern = ARENA_ARRAY(a, struct str, n),
                              .starred = ARENA_ARRAY(a, uint32_t, n)};
    hashmap_init(&s->by_name, &kind, a, n);
    for (uint32_t i = 0; i < n; i++) {
        struct str p = arena_str(a, pattern_kept(a, patterns[i]));
        uint32_t *slot;

        s->pattern[s->n++] = p;
        slot = hashmap_put(&s->by_name, &kind, s, hash64(p), &p);
        if (*slot == 0)
            *slot = i + 1;
        if (!is_suffix(p) && !pattern_of_urls(p) && str_find(p, '*', 0) < p.n)
            s->starred[s->starred_n++] = i;
    }
}

/* `name`: in lower case, where it is no URL. */
static uint32_t
find(const struct pattern_set *s, struct str name)
{
    return *(const uint32_t *)hashmap_find(&s->by_name, &kind, s, hash64(name),
                                           &name) -
           1; /* a free slot: PATTERN_NONE */
}

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Of those without stars. */
static uint32_t
by_name(const struct pattern_set *s, struct str authority)
{
    char dotted[1 + PATTERN_SIZE_MAX] = ".";
    struct str host = host_without_port(authority);
    struct str own = str_n(dotted + 1, authority.n);
    uint32_t first;

    for (size_t i = 0; i < authority.n; i++)
        dotted[1 + i] = ascii_lower(authority.p[i]);
    first = is_suffix(own) ? PATTERN_NONE : find(s, own);
    own.n = host.n;
    if (!is_suffix(own))
        first = least(first, find(s, own));
    for (size_t i = 0; i < own.n; i++)
        if (dotted[i] == '.' && i != 1) /* .example is not under .example */
            first = least(first, find(s, str_n(dotted + i, 1 + own.n - i)));
    return first;
}

static uint32_t
in_turn(const struct pattern_set *s, struct str authority)
{
    uint32_t i = 0;

    while (i < s->n && !pattern_host(s->pattern[i], authority))
        i++;
    return i < s->n ? i : PATTERN_NONE;
}

uint32_t
pattern_set_host(const struct pattern_set *s, struct str authority)
{
    uint32_t first;

    if (authority.n > PATTERN_SIZE_MAX) /* no name of a host is */
        return in_turn(s, authority);
    first = by_name(s, authority);
    for (uint32_t i = 0; i < s->starred_n && s->starred[i] < first; i++)
        if (pattern_host(s->pattern[s->starred[i]], authority))
            return s->starred[i];
    return first;
}

uint32_t
pattern_set_url(const struct pattern_set *s, struct str url)
{
    return url.n == 0 ? PATTERN_NONE
                      : pattern_set_host(s, pattern_authority(url));
}

uint32_t
pattern_set_same(const struct pattern_set *s, struct str pattern)
{
    char lower[PATTERN_SIZE_MAX];

    if (pattern_of_urls(pattern))
        return find(s, pattern);
    if (pattern.n > sizeof lower)
        return PATTERN_NONE;
    for (size_t i = 0; i < pattern.n; i++)
        lower[i] = ascii_lower(pattern.p[i]);
    return find(s, str_n(lower, pattern.n));
}
