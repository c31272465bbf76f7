/* link_features.c -- see link_features.h.  Words are runs of letters (bytes
 * above 127 count as such), ASCII letters as lower case. */
#include "link_features.h"

#include "base/hash.h"

#define WORD_SIZE 32u
#define WORDS_MAX 15u

static bool
letter(char c)
{
    return ascii_alpha(c) || ((unsigned char)c & 0x80) != 0;
}

static void
add_word(struct link_features *p, struct str word)
{
    char low[WORD_SIZE];
    size_t n = word.n < sizeof low ? word.n : sizeof low;

    for (size_t i = 0; i < n; i++)
        low[i] = ascii_lower(word.p[i]);
    if (p->anchor_n < LINK_ANCHOR_MAX)
        p->anchor[p->anchor_n++] = (uint16_t)hash64(str_n(low, n));
    if (p->words < WORDS_MAX)
        p->words++;
}

struct link_features
link_features_of(struct str anchor, size_t i, size_t n)
{
    struct link_features p = {.tenth =
                                  (uint8_t)(n > 0 && i < n ? i * 10 / n : 0),
                              .crowd = n <= 10    ? 0
                                       : n <= 50  ? 1
                                       : n <= 200 ? 2
                                                  : 3};

    for (size_t from = 0, to; from < anchor.n; from = to + 1) {
        for (to = from; to < anchor.n && letter(anchor.p[to]); to++)
            ;
        if (to > from)
            add_word(&p, str_sub(anchor, from, to));
    }
    return p;
}

uint8_t
page_level(struct str rest)
{
    size_t slashes = 0, end = str_find(rest, '?', 0);

    for (size_t i = 0; i < end; i++)
        slashes += rest.p[i] == '/';
    if (end == rest.n && rest.n <= 1)
        return 0;
    return slashes >= 3 ? 3 : slashes == 0 ? 1 : (uint8_t)slashes;
}
