/* quotes.c -- see quotes.h: one quotation at a time, what is quoted within it
 * is not looked at.  An apostrophe opens in front of a word and closes behind
 * one. */
#include "quotes.h"

#include "text_scan.h"

/* What opens, and what may close it. */
static const struct pair {
    uint32_t open, close, other;
} pairs[] = {{'"', '"', 0},       {'\'', '\'', 0x2019},
             {0x2018, 0x2019, 0}, {0x201a, 0x2018, 0x2019},
             {0x201c, 0x201d, 0}, {0x201e, 0x201c, 0x201d},
             {0x201d, 0x201d, 0}, {0xab, 0xbb, 0},
             {0xbb, 0xab, 0xbb},  {0x2039, 0x203a, 0},
             {0x300c, 0x300d, 0}, {0x300e, 0x300f, 0}};

static bool
in_word(struct str s, size_t at)
{
    return at < s.n && (ascii_alpha(s.p[at]) || ascii_digit(s.p[at]) ||
                        (unsigned char)s.p[at] >= 0xc3);
}

static bool
is_apostrophe(uint32_t cp)
{
    return cp == '\'' || cp == 0x2019;
}

/* The pair that the sign from `at` to `next` opens; NULL: none. */
static const struct pair *
opens(struct str s, size_t at, size_t next, uint32_t cp)
{
    if (cp == '\'' && ((at > 0 && !scan_blank((unsigned char)s.p[at - 1])) ||
                       !in_word(s, next)))
        return NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].open == cp)
            return &pairs[i];
    return NULL;
}

static bool
closes(const struct pair *p, struct str s, size_t next, uint32_t cp)
{
    return (cp == p->close || (p->other != 0 && cp == p->other)) &&
           !(is_apostrophe(cp) && in_word(s, next));
}

bool
quotes_open(struct str s, size_t from, size_t at)
{
    size_t low = at - from > QUOTATION_MAX ? at - QUOTATION_MAX : from;
    size_t high = s.n - at > QUOTATION_MAX ? at + QUOTATION_MAX : s.n;
    const struct pair *open = NULL;

    for (size_t i = low; i < high;) {
        size_t begin = i;
        uint32_t cp = scan_next(s, &i);

        if (begin >= at && (open == NULL || cp == '\n'))
            return false;
        if (open != NULL && closes(open, s, i, cp)) {
            if (begin >= at)
                return true;
            open = NULL;
        } else if (open == NULL)
            open = opens(s, begin, i, cp);
    }
    return false;
}
