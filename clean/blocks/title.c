/* title.c -- see title.h.
 *
 * Sites put their name before or behind the title, parted by a dash, a bar, a
 * colon, a guillemet or a dot in blanks.  Which side is the name cannot be told
 * from the title, but the headings say it: nearly every page repeats its title
 * in one of them. */
#include "title.h"

static const struct str marks[] = {
    STR("-"),
    STR("|"),
    STR(":"),
    STR("::"),
    STR("/"),
    STR("\xe2\x80\x93"),
    STR("\xe2\x80\x94"),
    STR("\xc2\xbb"),
    STR("\xc2\xab"),
    STR("\xc2\xb7"),
    STR("\xe2\x80\xa2"),
    STR("\xe2\x80\xba"),
};

static bool
is_mark(struct str word)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_eq(word, marks[i]))
            return true;
    return false;
}

/* Whether `part` stands in the title from `at` on, between marks or ends. */
static bool
stands_at(struct str title, size_t at, struct str part)
{
    struct str before = str_trim(str_sub(title, 0, at));
    struct str after = str_trim(str_sub(title, at + part.n, title.n));
    size_t last = before.n;

    while (last > 0 && before.p[last - 1] != ' ')
        last--;
    return str_eq_nocase(str_sub(title, at, at + part.n), part) &&
           (before.n == 0 || is_mark(str_sub(before, last, before.n)) ||
            str_ends(before, S(":"))) &&
           (after.n == 0 ||
            is_mark(str_sub(after, 0, str_find(after, ' ', 0))));
}

static bool
holds(struct str title, struct str part)
{
    if (part.n == 0 || part.n > title.n)
        return false;
    for (size_t at = 0; at + part.n <= title.n; at++)
        if ((at == 0 || title.p[at - 1] == ' ') && stands_at(title, at, part))
            return true;
    return false;
}

struct str
title_find(struct str title, const struct str *headings, size_t n)
{
    title = str_trim(title);
    for (size_t i = 0; i < n; i++)
        if (holds(title, str_trim(headings[i])))
            return str_trim(headings[i]);
    if (title.n > 0)
        return title;
    for (size_t i = 0; i < n; i++)
        if (str_trim(headings[i]).n > 0)
            return str_trim(headings[i]);
    return (struct str){"", 0};
}
