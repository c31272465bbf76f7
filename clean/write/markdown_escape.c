/* markdown_escape.c -- see markdown_escape.h. */
#include "markdown_escape.h"

#define URL_MAX 2048u     /* what goes on for longer is text */
#define FORMULA_MAX 1000u /* bytes */
#define RUN_MAX 64u /* of `_`: longer ones are escaped, whatever is round */

static bool
ascii_alnum(char c)
{
    return ascii_alpha(c) || ascii_digit(c);
}

/* `_` is none inside a word: with letters or digits before and after its run.
 */
static bool
is_underscore_markup(struct str s, size_t i)
{
    size_t first = i, last = i;

    while (first > 0 && s.p[first - 1] == '_' && i - first < RUN_MAX)
        first--;
    while (last + 1 < s.n && s.p[last + 1] == '_' && last - i < RUN_MAX)
        last++;
    return last - first >= RUN_MAX || first == 0 || last + 1 == s.n ||
           !ascii_alnum(s.p[first - 1]) || !ascii_alnum(s.p[last + 1]);
}

/* `~` is some where it could end struck text, behind a word or a link, but not
 * in http://a.example/~user. */
static bool
is_tilde_markup(struct str s, size_t i)
{
    if (i == 0 || i + 1 == s.n)
        return true;
    return s.p[i - 1] != ' ' && (s.p[i - 1] != '/' || !ascii_alnum(s.p[i + 1]));
}

/* A character reference: &name; or &#number; */
static bool
is_reference(struct str s, size_t i)
{
    size_t end = i + 1;

    while (end < s.n && (ascii_alnum(s.p[end]) || s.p[end] == '#'))
        end++;
    return end > i + 1 && end < s.n && s.p[end] == ';';
}

/* Whether what stands there would be markup. */
static bool
is_markup(struct str s, size_t i, bool in_cell)
{
    char c = s.p[i];

    switch (c) {
    case '\\':
    case '*':
    case '`':
    case '[':
    case ']':
    case '<': return true;
    case '|': return in_cell;
    case '_': return is_underscore_markup(s, i);
    case '&': return is_reference(s, i);
    case '~': return is_tilde_markup(s, i);
    default: return false;
    }
}

/* ---- bare URLs ---- */

/* Bytes up to white space or a tag, the first n of which are none; 0: it goes
 * on for long. */
static size_t
run_of(struct str at, size_t n)
{
    while (n < at.n && n <= URL_MAX && (unsigned char)at.p[n] > ' ' &&
           at.p[n] != '<')
        n++;
    return n <= URL_MAX ? n : 0;
}

/* The run that begins with http://... at s[i], 0: none does. */
static size_t
url_run(struct str s, size_t i)
{
    static const struct str scheme[] = {STR("http://"), STR("https://"),
                                        STR("ftp://")};
    struct str at = str_sub(s, i, s.n);
    size_t n = 0;

    if (memchr("hHfF", at.p[0], 4) == NULL ||
        (i > 0 && ascii_alpha(s.p[i - 1])))
        return 0;
    for (size_t k = 0; k < sizeof scheme / sizeof *scheme; k++)
        if (str_starts_nocase(at, scheme[k]))
            n = scheme[k].n;
    if (n == 0 || n == at.n ||
        (!ascii_alnum(at.p[n]) && (unsigned char)at.p[n] < 0x80))
        return 0;
    return run_of(at, n);
}

/* The same of www..., which on GitHub becomes a link behind these. */
static size_t
www_run(struct str s, size_t i)
{
    struct str at = str_sub(s, i, s.n);
    bool begins = i == 0 || (unsigned char)s.p[i - 1] <= ' ' ||
                  memchr("*_~(", s.p[i - 1], 4) != NULL;

    return begins && str_starts(at, S("www.")) ? run_of(at, 4) : 0;
}

/* What of the run is the URL: it ends before what can be in none, without the
 * punctuation of a sentence and what closes round it. */
static struct str
url_in(struct str run)
{
    size_t n = 0, open = 0, closed = 0;

    while (n < run.n && memchr("[]>\"'`\\", run.p[n], 7) == NULL) {
        open += run.p[n] == '(';
        closed += run.p[n] == ')';
        n++;
    }
    for (; n > 0; n--) {
        if (run.p[n - 1] == ')' && closed > open)
            closed--;
        else if (memchr("?!.,:;*_~", run.p[n - 1], 9) == NULL)
            break;
    }
    return str_sub(run, 0, n);
}

/* Renderers make links of bare URLs by their raw bytes, so a backslash would be
 * part of them.  In angle brackets nothing is markup. */
static void
add_url(struct buf *out, struct str url, bool in_cell)
{
    buf_char(out, '<');
    for (size_t i = 0; i < url.n; i++)
        if (url.p[i] == '&')
            buf_c(out, "&amp;");
        else if (url.p[i] == '|' && in_cell)
            buf_c(out, "\\|");
        else
            buf_char(out, url.p[i]);
    buf_char(out, '>');
}

/* ---- formulas ---- */

/* Delimiters of TeX on pages, and those of Markdown as on GitHub. */
struct delimiters {
    struct str begin, end, mark;
};

/* Words of a formula have a command, an index, a power or a relation; a letter
 * or two may be a formula as well.  Else the page writes of something else:
 * sed's \(group\), prices. */
static bool
is_formula(struct str tex)
{
    bool alnum = true;

    for (size_t i = 0; i < tex.n; i++) {
        alnum &= ascii_alnum(tex.p[i]);
        if (memchr("^_=<>", tex.p[i], 5) != NULL ||
            (tex.p[i] == '\\' && i + 1 < tex.n && ascii_alpha(tex.p[i + 1])))
            return true;
    }
    return alnum && tex.n > 0 && tex.n <= 2;
}

/* A single $ is none beside a blank or, where it ends, before a digit. */
static bool
is_dollar_pair(struct str tex, struct str behind)
{
    return tex.n > 0 && tex.p[0] != ' ' && tex.p[tex.n - 1] != ' ' &&
           !(behind.n > 0 && ascii_digit(behind.p[0]));
}

/* The formula that begins at s[i]; how many bytes it has there, 0: none does.
 */
static size_t
formula_at(struct str s, size_t i, struct str *tex, struct str *mark)
{
    static const struct delimiters all[] = {{STR("\\("), STR("\\)"), STR("$")},
                                            {STR("\\["), STR("\\]"), STR("$$")},
                                            {STR("$$"), STR("$$"), STR("$$")},
                                            {STR("$"), STR("$"), STR("$")}};
    struct str rest = str_sub(s, i, s.n);
    const char *end;

    if (rest.p[0] != '\\' && rest.p[0] != '$')
        return 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const struct delimiters *d = &all[k];

        if (!str_starts(rest, d->begin))
            continue;
        rest = str_sub(rest, d->begin.n, d->begin.n + FORMULA_MAX);
        end = memmem(rest.p, rest.n, d->end.p, d->end.n);
        if (end == NULL)
            return 0;
        *tex = str_n(rest.p, (size_t)(end - rest.p));
        *mark = d->mark;
        i += d->begin.n + tex->n + d->end.n;
        if (d->begin.n == 1 && !is_dollar_pair(*tex, str_sub(s, i, s.n)))
            return 0;
        *tex = str_trim(*tex);
        return is_formula(*tex) ? d->begin.n + (size_t)(end - rest.p) + d->end.n
                                : 0;
    }
    return 0;
}

/* As it stands: in a formula nothing is markup, but for the | of a table. */
static size_t
add_formula(struct buf *out, struct str s, size_t i, bool in_cell)
{
    struct str tex, mark;
    size_t n = formula_at(s, i, &tex, &mark);

    if (n == 0 || (in_cell && str_has(tex, S("|"))))
        return 0;
    buf_str(out, mark);
    buf_str(out, tex);
    buf_str(out, mark);
    return n;
}

/* Whether anything in the n bytes at s[i] is escaped; `|` is for the table, and
 * nobody sees it. */
static bool
has_markup(struct str s, size_t i, size_t n)
{
    for (size_t k = i; k < i + n; k++)
        if (is_markup(s, k, false))
            return true;
    return false;
}

/* What begins at s[i] and is no plain text; how many bytes were read. */
static size_t
add_special(struct buf *out, struct str s, size_t i, bool in_cell,
            bool in_anchor)
{
    size_t n = in_anchor ? 0 : url_run(s, i);
    size_t www = in_anchor ? 0 : www_run(s, i);

    if (n > 0 && has_markup(s, i, n)) {
        struct str url = url_in(str_sub(s, i, i + n));

        add_url(out, url, in_cell);
        return url.n;
    }
    if (www > 0 && has_markup(s, i, www)) {
        /* No URL for <>; with its dot escaped it becomes no link. */
        buf_c(out, "www\\.");
        return 4;
    }
    n = add_formula(out, s, i, in_cell);
    if (n == 0 && is_markup(s, i, in_cell)) {
        buf_char(out, '\\');
        buf_char(out, s.p[i]);
        n = 1;
    }
    return n;
}

/* Bytes from s[i] on at which nothing special begins. */
static size_t
plain_run(struct str s, size_t i)
{
    size_t n = 0;

    for (; i + n < s.n; n++)
        switch (s.p[i + n]) {
        case '\\':
        case '*':
        case '`':
        case '[':
        case ']':
        case '<':
        case '|':
        case '_':
        case '&':
        case '~':
        case '$':
        case 'h':
        case 'H':
        case 'f':
        case 'F':
        case 'w': return n;
        default: break;
        }
    return n;
}

void
markdown_escape(struct buf *out, struct str s, bool in_cell, bool in_anchor)
{
    for (size_t i = 0; i < s.n;) {
        size_t n = plain_run(s, i);

        buf_str(out, str_sub(s, i, i + n));
        i += n;
        if (i == s.n)
            break;
        n = add_special(out, s, i, in_cell, in_anchor);
        if (n == 0)
            buf_char(out, s.p[i++]);
        i += n;
    }
}

/* ---- the start of a line ---- */

/* "1. ", "1)", "- " and "+ " begin an item, "1.1", "-5" and "+32" do not. */
static bool
is_item_marker(struct str s, size_t size)
{
    return size == s.n || !ascii_alnum(s.p[size]);
}

void
markdown_escape_start(struct buf *out, struct str *s)
{
    size_t at = 0;
    bool needed;

    while (at < s->n && at < 10 && ascii_digit(s->p[at]))
        at++;
    if (at == s->n)
        return;
    if (at > 0)
        needed =
            (s->p[at] == '.' || s->p[at] == ')') && is_item_marker(*s, at + 1);
    else if (s->p[0] == '-' || s->p[0] == '+')
        needed = is_item_marker(*s, 1);
    else
        needed = memchr("#>=:~|", s->p[0], 6) != NULL;
    if (!needed)
        return;
    buf_str(out, str_sub(*s, 0, at));
    buf_char(out, '\\');
    buf_char(out, s->p[at]);
    *s = str_sub(*s, at + 1, s->n);
}
