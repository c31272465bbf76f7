#include "title_cut.h"

static const struct str marks[] = {STR(" - "),
                                   STR(" | "),
                                   STR(" – "),
                                   STR(" — "),
                                   STR(" · "),
                                   STR(" • "),
                                   STR(" » "),
                                   STR(" « "),
                                   STR(" › "),
                                   STR(" :: "),
                                   STR(" : "),
                                   STR(" / "),
                                   STR(" ~ "),
                                   STR(" ― "),
                                   STR("|"),
                                   STR("– "),
                                   STR("— "),
                                   STR(" -- "),
                                   STR(" \xe2\x80\x92 "),
                                   STR(" < "),
                                   STR(" > "),
                                   STR(" ‹ "),
                                   STR(": ")};

/* The mark at byte `i` of `s`; NULL: there is none. */
static const struct str *
mark_at(struct str s, size_t i)
{
    if (s.p[i] != ' ' && s.p[i] != '|' && s.p[i] != ':' && s.p[i] != '\xe2')
        return NULL;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (s.p[i] == marks[k].p[0] && i + marks[k].n <= s.n &&
            memcmp(s.p + i, marks[k].p, marks[k].n) == 0)
            return &marks[k];
    return NULL;
}

bool
title_cut_next(struct str title, size_t from, struct title_cut *cut)
{
    const struct str *mark = NULL;
    size_t at = from;

    while (at < title.n && (mark = mark_at(title, at)) == NULL)
        at++;
    if (mark == NULL)
        return false;
    *cut = (struct title_cut){
        .front = str_trim(str_sub(title, 0, at)),
        .back = str_trim(str_sub(title, at + mark->n, title.n)),
        .at = at,
        .end = at + mark->n,
        .colon = str_eq(*mark, S(": ")),
        .arrow = memchr(mark->p, '>', mark->n) != NULL};
    return true;
}

bool
title_has_at_end(struct str title, struct str s)
{
    if (s.n >= title.n)
        return false;
    if (str_starts(title, s))
        return mark_at(title, s.n) != NULL;
    for (size_t i = 1; str_ends(title, s) && i + s.n < title.n; i++) {
        const struct str *mark = mark_at(title, i);

        if (mark != NULL && i + mark->n + s.n == title.n)
            return true;
    }
    return false;
}

bool
title_bracketed(struct str title, struct str *front, struct str *back)
{
    size_t at = title.n;

    if (!str_ends(title, S("]")))
        return false;
    while (at > 0 && title.p[at - 1] != '[')
        at--;
    if (at < 2 || title.p[at - 2] != ' ')
        return false;
    *front = str_trim(str_sub(title, 0, at - 1));
    *back = str_trim(str_sub(title, at, title.n - 1));
    return front->n > 0;
}

bool
title_is_short(struct str s)
{
    struct str word;
    size_t n = 0;

    while (n <= 4 && str_word(&s, &word))
        n++;
    return n <= 4;
}
