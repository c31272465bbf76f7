/* quotes.c -- see quotes.h: one quotation at a time, what is quoted by other
 * signs within it is not looked at.  A sign opens in front of a word and closes
 * behind one, so where it opens anew before it was closed, the one before was
 * no quotation: text with a sign too many is cut as if it had none. */
#include "quotes.h"

#include "text_scan.h"

/* What opens, and what may close it. */
struct quotation_pair {
    uint32_t open, close, other;
};

static const struct quotation_pair pairs[] = {
    {'`', '\'', 0x2019},      {'"', '"', 0},
    {'\'', '\'', 0x2019},     {0x2018, 0x2019, 0},
    {0x201a, 0x2018, 0x2019}, {0x201c, 0x201d, 0},
    {0x201e, 0x201c, 0x201d}, {0x201d, 0x201d, 0},
    {0xab, 0xbb, 0},          {0xbb, 0xab, 0xbb},
    {0x2039, 0x203a, 0},      {0x300c, 0x300d, 0},
    {0x300e, 0x300f, 0}};

/* A sign and what stands on both sides of it. */
struct sign {
    uint32_t cp;
    bool word_before, word_after, blank_before, blank_after;
};

static bool
in_word(struct str s, size_t at)
{
    return at < s.n && (ascii_alpha(s.p[at]) || ascii_digit(s.p[at]) ||
                        (unsigned char)s.p[at] >= 0xc3);
}

/* What stands at `begin`; *next is behind it. */
static struct sign
sign_at(struct str s, size_t begin, size_t *next)
{
    struct sign g = {.blank_before = true, .blank_after = true};
    size_t start = begin, after;

    *next = begin;
    g.cp = scan_next(s, next);
    after = *next;
    if (begin > 0) {
        g.blank_before = scan_blank(scan_before(s, begin, &start));
        g.word_before =
            in_word(s, start) || memchr(".,!?", s.p[start], 4) != NULL;
    }
    if (after < s.n)
        g.blank_after = scan_blank(scan_next(s, &after));
    g.word_after = in_word(s, *next);
    return g;
}

static bool
is_apostrophe(uint32_t cp)
{
    return cp == '\'' || cp == 0x2019;
}

/* Signs that close mostly; in German and Swedish they open, too. */
static bool
is_closing(uint32_t cp)
{
    return cp == 0xbb || cp == 0x201d;
}

/* The pair that a sign opens; NULL: none. */
static const struct quotation_pair *
opens(const struct sign *g)
{
    if (is_apostrophe(g->cp) ? !g->blank_before || !g->word_after
                             : g->word_before)
        return NULL;
    if (is_closing(g->cp) && !g->word_after)
        return NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].open == g->cp)
            return &pairs[i];
    return NULL;
}

static bool
closes(const struct quotation_pair *p, const struct sign *g)
{
    if (g->cp != p->close && (p->other == 0 || g->cp != p->other))
        return false;
    return is_apostrophe(g->cp) ? !g->blank_before && !g->word_after : true;
}

/* Another one like the pair's opens before it was closed. */
static bool
opens_anew(const struct quotation_pair *p, const struct sign *g)
{
    bool alike = p->open == p->close || p->open == p->other;

    return g->cp == p->open && g->blank_before && !(alike && g->blank_after);
}

/* Whether the sign closes the quotation; else it may open one. */
static bool
take(struct quotation *q, const struct sign *g, size_t begin)
{
    if (q->in != NULL && begin - q->begin > q->longest)
        q->in = NULL;
    if (q->in != NULL && !opens_anew(q->in, g)) {
        if (!closes(q->in, g))
            return false;
        q->in = NULL;
        return true;
    }
    q->in = opens(g);
    q->begin = begin;
    return false;
}

void
quotation_take(struct quotation *q, struct str s, size_t *at)
{
    size_t begin = *at;
    struct sign g = sign_at(s, begin, at);

    take(q, &g, begin);
}

void
quotation_take_all(struct quotation *q, struct str s, size_t at, size_t end)
{
    while (at < end)
        if (quotes_may_begin((unsigned char)s.p[at]))
            quotation_take(q, s, &at);
        else
            at++;
}

bool
quotation_goes_on(const struct quotation *q, struct str s, size_t at)
{
    struct quotation ahead = *q;

    while (ahead.in != NULL && ahead.begin == q->begin && at < s.n &&
           s.p[at] != '\n' && at - q->begin <= q->longest) {
        size_t begin = at++;

        if (quotes_may_begin((unsigned char)s.p[begin])) {
            struct sign g = sign_at(s, begin, &at);

            if (take(&ahead, &g, begin))
                return true;
        }
    }
    return false;
}
