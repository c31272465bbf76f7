/* list_mark.c -- see list_mark.h. */
#include "list_mark.h"

#include "language_words_inside.h"

enum { DIGITS_MAX = 3 };

static bool
is_bullet(uint32_t cp)
{
    return cp == 0x2022 || cp == 0x2023 || cp == 0x2043 || cp == 0x25aa ||
           cp == 0x25cf || cp == 0x25e6;
}

static size_t
skip_spaces(struct str s, size_t at)
{
    while (at < s.n && s.p[at] == ' ')
        at++;
    return at;
}

/* Number or letter at `at`; where it ends, `at` if there is none. */
static size_t
read_value(struct list_mark *m, struct str s, size_t at)
{
    size_t end = at;

    while (end < s.n && end < at + DIGITS_MAX && ascii_digit(s.p[end]))
        m->value = m->value * 10 + (unsigned)(s.p[end++] - '0');
    if (end > at || at == s.n || !ascii_alpha(s.p[at]))
        return end;
    m->letter = true;
    m->upper = (s.p[at] & 0x20) == 0;
    m->value = 1 + (unsigned)(ascii_lower(s.p[at]) - 'a');
    return at + 1;
}

/* Behind the mark; 0: it is none. */
static size_t
read_mark(struct list_mark *m, struct str s, size_t at)
{
    size_t next = at, from;

    if (is_bullet(m->bullet = scan_next(s, &next)))
        at = skip_spaces(s, next);
    else
        m->bullet = 0;
    m->opened = at < s.n && s.p[at] == '(';
    from = at + m->opened;
    next = read_value(m, s, from);
    m->dot = next > from && next < s.n && s.p[next] == '.';
    next += m->dot;
    m->bracket = next > from && next < s.n && s.p[next] == ')';
    next += m->bracket;
    if (m->value > 0 && (m->dot || m->bracket) && (m->bracket || !m->opened))
        return next < s.n && s.p[next] == ' ' ? next : 0;
    *m = (struct list_mark){.bullet = m->bullet};
    return m->bullet != 0 ? at : 0;
}

/* Most places are not worth a look. */
static bool
may_begin(struct str s, size_t at)
{
    char c = s.p[at], next = at + 1 < s.n ? s.p[at + 1] : '\0';

    return ascii_alpha(c) ? next == '.' || next == ')'
                          : ascii_digit(c) || c == '(' || c == '\xe2';
}

bool
list_mark_read(struct list_mark *m, const struct language_words *words,
               struct str s, size_t at)
{
    size_t text;

    *m = (struct list_mark){.bullet = 0};
    if (!may_begin(s, at) || (text = read_mark(m, s, at)) == 0)
        return false;
    text = skip_spaces(s, text);
    if (text == s.n)
        return false;
    if (m->bullet == 0 && !m->bracket &&
        (m->letter ? m->upper
                   : (language_words_traits(words) & TRAIT_ORDINALS) != 0))
        return false;
    m->end = text;
    m->text = scan_case(language_words_letters(words), scan_next(s, &text));
    return m->text != CASE_NONE && m->text != CASE_DIGIT;
}

static bool
follows(const struct list_mark *m, const struct list_mark *next)
{
    return next->bullet == m->bullet && next->letter == m->letter &&
           next->upper == m->upper && next->opened == m->opened &&
           next->dot == m->dot && next->bracket == m->bracket &&
           next->text == m->text &&
           next->value == (m->value > 0 ? m->value + 1 : 0);
}

/* Whether what stands before `at` has an item go on: "(1) one, (2) two". */
static bool
goes_on(struct str s, size_t at)
{
    while (at > 0 && s.p[at - 1] == ' ')
        at--;
    return at > 0 && memchr(",;:-(/&", s.p[at - 1], 7) != NULL;
}

size_t
list_mark_next(const struct list_mark *m, const struct language_words *words,
               struct str s, size_t from)
{
    size_t high = s.n - from > LIST_ITEM_MAX ? from + LIST_ITEM_MAX : s.n;

    for (size_t at = from + 1; at < high && s.p[at] != '\n'; at++) {
        struct list_mark next;

        if (s.p[at - 1] == ' ' && s.p[at] != ' ' &&
            list_mark_read(&next, words, s, at) && follows(m, &next) &&
            !goes_on(s, at))
            return at;
    }
    return s.n;
}
