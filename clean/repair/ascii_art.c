/* ascii_art.c -- see ascii_art.h.
 *
 * ASCII art is
 * - a run of RUN or more equal characters of - = _ * ~ # + | < > ^ \ / : . ,
 *   (LEADER or more for the full stop, three of which are an ellipsis),
 *   wherever it stands;
 * - a word of nothing but - = _ * ~ # + | < > ^ that has MIXTURE or more of
 *   them, or is "|", "||", ">>", "<<", "**", "==", "__", "~~", "##", "***",
 *   "---" and the like: one character repeated, but for "--" (a dash), "++" and
 *   "#" and other single ones, which stand in running text.
 * Emoticons (^_^ -_- <3) and arrows (-> <--) are shorter or hold other
 * characters. */
#include "ascii_art.h"

#define RUN 4u
#define LEADER 5u
#define MIXTURE 4u

static bool
draws(char c)
{
    return c != '\0' && strchr("-=_*~#+|<>^\\/:.,", c) != NULL;
}

static bool
draws_alone(char c)
{
    return c != '\0' && strchr("-=_*~#+|<>^", c) != NULL;
}

static size_t
run_n(struct str s, size_t at)
{
    size_t n = 1;

    while (at + n < s.n && s.p[at + n] == s.p[at])
        n++;
    return n;
}

static bool
is_run(struct str s, size_t at, size_t n)
{
    return draws(s.p[at]) && n >= (s.p[at] == '.' ? LEADER : RUN);
}

static bool
is_drawn_word(struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (!draws_alone(word.p[i]))
            return false;
    if (word.n == 0)
        return false;
    if (run_n(word, 0) < word.n)
        return word.n >= MIXTURE;
    if (word.n == 1)
        return word.p[0] == '|';
    return word.n > 2 || (word.p[0] != '-' && word.p[0] != '+');
}

/* The next piece that stays; false: there is none up to the end. */
static bool
next_piece(struct str s, size_t *at, struct str *piece)
{
    size_t from, end;

    for (;; *at = end) {
        while (*at < s.n && s.p[*at] == ' ')
            ++*at;
        from = *at;
        if (from == s.n)
            return false;
        end = str_find(s, ' ', from);
        if (is_drawn_word(str_sub(s, from, end)))
            continue;
        end = from + run_n(s, from);
        if (is_run(s, from, end - from))
            continue;
        end = from;
        while (end < s.n && s.p[end] != ' ' && !is_run(s, end, run_n(s, end)))
            end += run_n(s, end);
        *piece = str_sub(s, from, end);
        if (!is_drawn_word(*piece)) {
            *at = end;
            return true;
        }
    }
}

static bool
may_change(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (draws(s.p[i]) &&
            (s.p[i] == '|' || (i + 1 < s.n && draws(s.p[i + 1]))))
            return true;
    return false;
}

struct str
ascii_art_remove(struct arena *a, struct str s)
{
    size_t n = 0, at = 0, before = 0;
    struct str piece;
    char *out;

    if (!may_change(s))
        return s;
    out = arena_raw(a, s.n + 1);
    for (; next_piece(s, &at, &piece); before = at) {
        size_t from = (size_t)(piece.p - s.p);

        if (n > 0 && from > before)
            out[n++] = ' ';
        memcpy(out + n, piece.p, piece.n);
        n += piece.n;
    }
    return n == s.n ? s : str_n(out, n);
}
