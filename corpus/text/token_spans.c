/* token_spans.c -- see token_spans.h. */
#include "token_spans.h"

#include "clean/text/url_end.h"
#include "text_scan.h"

enum {
    ADDRESS_MAX = 256, /* bytes of an e-mail address or a name */
    NUMBER_MAX = 256   /* bytes of a number that has separators */
};

static bool
name_byte(char c)
{
    return ascii_alpha(c) || ascii_digit(c) || c == '.' || c == '_' ||
           c == '-' || c == '+' || c == '%';
}

/* Back over what mostly belongs to the sentence; brackets that were opened
 * inside stay. */
static size_t
without_tail(struct str s, size_t at, size_t end)
{
    const char *opens = memchr(s.p + at, '(', end - at);

    while (end > at) {
        char c = s.p[end - 1];

        if (c == ')' && opens != NULL && opens < s.p + end)
            break;
        if (memchr(".,;:!?)]}'*", c, 11) == NULL)
            break;
        end--;
    }
    return end;
}

static size_t
to_blank(struct str s, size_t at)
{
    while (at < s.n) {
        size_t next = at;
        uint32_t cp = scan_next(s, &next);

        if (scan_blank(cp) || url_ends_before(cp))
            break;
        at = next;
    }
    return at;
}

static size_t
span_address(struct str s, size_t at)
{
    size_t high = s.n - at > ADDRESS_MAX ? at + ADDRESS_MAX : s.n, i = at, host;
    bool dot = false;

    while (i < high && name_byte(s.p[i]))
        i++;
    if (i == at || i >= high || s.p[i] != '@')
        return at;
    for (host = ++i; i < high && name_byte(s.p[i]); i++)
        dot |= s.p[i] == '.' && i > host;
    i = without_tail(s, at, i);
    return dot && i > host + 2 && ascii_alpha(s.p[i - 1]) ? i : at;
}

/* "#word", "@name": a letter, then letters, digits and low lines. */
static size_t
span_name(const struct letters *l, struct str s, size_t at)
{
    size_t i = at + 1, high = s.n - at > ADDRESS_MAX ? at + ADDRESS_MAX : s.n;

    while (i < high) {
        size_t next = i;
        uint32_t cp = scan_next(s, &next);
        enum scan_case c = scan_case(l, cp);

        if (c == CASE_NONE && cp != '_')
            break;
        if (i == at + 1 && (c == CASE_DIGIT || c == CASE_NONE))
            break;
        i = next;
    }
    return i > at + 2 ? i : at;
}

size_t
span_url(const struct letters *l, struct str s, size_t at)
{
    struct str rest = str_sub(s, at, s.n);
    char c = s.p[at];

    if (c == '#' || c == '@')
        return span_name(l, s, at);
    if (!ascii_alpha(c) && !ascii_digit(c))
        return at;
    if (str_starts_nocase(rest, S("http://")) ||
        str_starts_nocase(rest, S("https://")) ||
        str_starts_nocase(rest, S("ftp://")) ||
        (str_starts_nocase(rest, S("www.")) && rest.n > 4 &&
         ascii_alpha(rest.p[4])))
        return without_tail(s, at, to_blank(s, at));
    return span_address(s, at);
}

size_t
span_number(struct str s, size_t at)
{
    size_t i = at;

    while (i < s.n && ascii_digit(s.p[i])) {
        i++;
        if (i + 1 < s.n && i - at < NUMBER_MAX &&
            memchr(".,:/'", s.p[i], 5) != NULL && ascii_digit(s.p[i + 1]))
            i++;
    }
    return i;
}

static bool
is_emoji(uint32_t cp)
{
    return (cp >= 0x1f300 && cp <= 0x1faff) || (cp >= 0x2600 && cp <= 0x27bf) ||
           (cp >= 0x1f000 && cp <= 0x1f2ff) || cp == 0x2b50 || cp == 0x2b55 ||
           cp == 0x231a || cp == 0x231b || cp == 0x2b1b || cp == 0x2b1c;
}

static bool
is_flag_letter(uint32_t cp)
{
    return cp >= 0x1f1e6 && cp <= 0x1f1ff;
}

/* Variation selectors, skin tones, keycaps, tags. */
static bool
modifies(uint32_t cp)
{
    return cp == 0xfe0f || cp == 0xfe0e || cp == 0x20e3 ||
           (cp >= 0x1f3fb && cp <= 0x1f3ff) || (cp >= 0xe0020 && cp <= 0xe007f);
}

/* Eyes, perhaps a nose, a mouth; nothing of a word behind it. */
static size_t
span_emoticon(struct str s, size_t at)
{
    size_t i = at + 1;

    if (memchr(":;=", s.p[at], 3) == NULL)
        return at;
    if (i < s.n && (s.p[i] == '-' || s.p[i] == '\''))
        i++;
    if (i >= s.n || memchr(")(DPp/|*", s.p[i], 8) == NULL)
        return at;
    if (s.p[at] == '=' && s.p[i] != ')' && s.p[i] != '(')
        return at;
    i++;
    if (i < s.n &&
        (ascii_alpha(s.p[i]) || ascii_digit(s.p[i]) || s.p[i] == '/'))
        return at;
    return i;
}

size_t
span_emoji(struct str s, size_t at)
{
    size_t i = at, next = at;
    uint32_t cp = scan_next(s, &next);

    if (cp < 0x80)
        return span_emoticon(s, at);
    if (!is_emoji(cp))
        return at;
    i = next;
    if (is_flag_letter(cp)) {
        if (i < s.n && is_flag_letter(scan_next(s, &next)))
            i = next;
        return i;
    }
    while (i < s.n) {
        next = i;
        cp = scan_next(s, &next);
        if (cp == 0x200d && next < s.n) { /* joined with the next one */
            size_t more = next;

            if (!is_emoji(scan_next(s, &more)))
                break;
            next = more;
        } else if (!modifies(cp))
            break;
        i = next;
    }
    return i;
}

size_t
span_run(struct str s, size_t at)
{
    char c = s.p[at];
    size_t i = at + 1;

    if (c == '!' || c == '?') {
        while (i < s.n && (s.p[i] == '!' || s.p[i] == '?'))
            i++;
        return i;
    }
    if (memchr("'`,", c, 3) != NULL) /* two for a quote */
        return i < s.n && s.p[i] == c ? i + 1 : at;
    if (memchr(".-*_=~", c, 6) == NULL)
        return at;
    while (i < s.n && s.p[i] == c)
        i++;
    return i > at + 1 ? i : at;
}
