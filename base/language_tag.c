/* language_tag.c -- see language_tag.h. */
#include "base/language_tag.h"

static bool
is_language(struct str tag)
{
    if (tag.n < 2 || tag.n > LANGUAGE_TAG_MAX ||
        str_starts_nocase(tag, S("x-")))
        return false;
    for (size_t i = 0; i < tag.n; i++)
        if (!ascii_alpha(tag.p[i]) &&
            (i < 2 ||
             (!ascii_digit(tag.p[i]) && tag.p[i] != '-' && tag.p[i] != '_')))
            return false;
    return true;
}

struct str
language_tag(struct arena *a, struct str written)
{
    struct str tag = str_trim(written);
    char *out;

    if (!is_language(tag))
        return S("");
    out = arena_alloc(a, tag.n + 1);
    for (size_t i = 0; i < tag.n; i++)
        out[i] = ascii_lower(tag.p[i]);
    out[tag.n] = '\0';
    return str_n(out, tag.n);
}
