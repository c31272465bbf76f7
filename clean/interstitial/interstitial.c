/* interstitial.c -- see interstitial.h; the signatures are in
 * interstitial.tbl.h.
 *
 * Header fields speak for themselves.  Signatures in the markup count only
 * where a page holds little text and few links, since articles quote them and
 * ordinary pages embed some of them; so nearly every page is told by two
 * numbers and not looked through.  The others are looked through once: a bit
 * for each pair of bytes that begins a signature says where to compare.
 *
 * A paywall is what the publisher declares as one (schema.org's
 * isAccessibleForFree, "Structured data for subscription and paywalled
 * content") if no more than a teaser came, and status 402. */
#include "interstitial.h"

#define BYTES_MAX ((size_t)128 * 1024) /* of a body that are looked at */
#define LINKS_MAX 8u
#define WIDGET_CHARS_MAX 600u
#define WIDGET_LINKS_MAX 2u

static const struct header_signature {
    enum verdict class;
    struct str name, value;
} headers[] = {
#define HEADER(class, name, value) {VERDICT_##class, STR(name), STR(value)},
#define MARKUP(class, text)
#define WIDGET(class, text)
#include "interstitial.tbl.h"
#undef HEADER
#undef MARKUP
#undef WIDGET
};

static const struct markup_signature {
    enum verdict class;
    bool widget;
    struct str text;
} markup[] = {
#define HEADER(class, name, value)
#define MARKUP(class, text) {VERDICT_##class, false, STR(text)},
#define WIDGET(class, text) {VERDICT_##class, true, STR(text)},
#include "interstitial.tbl.h"
#undef HEADER
#undef MARKUP
#undef WIDGET
};

#define MARKUP_N (sizeof markup / sizeof *markup)

/* ---- header fields ---- */

static bool
holds(struct str text, struct str part)
{
    for (size_t i = 0; i + part.n <= text.n; i++)
        if (str_eq_nocase(str_sub(text, i, i + part.n), part))
            return true;
    return false;
}

static enum verdict
of_field(struct str name, struct str value)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (str_eq_nocase(name, headers[i].name) &&
            holds(value, headers[i].value))
            return headers[i].class;
    return VERDICT_NONE;
}

static enum verdict
of_headers(struct str lines)
{
    enum verdict r = VERDICT_NONE;
    struct str line;

    while (r == VERDICT_NONE && str_cut(&lines, '\n', &line)) {
        size_t colon = str_find(line, ':', 0);

        r = of_field(str_sub(line, 0, colon), str_sub(line, colon + 1, line.n));
    }
    return r;
}

/* ---- markup ---- */

struct begins { /* of which pairs of bytes a signature begins with one */
    uint64_t bit[1024];
};

static size_t
pair(const char *p)
{
    return (size_t)(unsigned char)p[0] << 8 | (unsigned char)p[1];
}

static void
begins_fill(struct begins *b)
{
    *b = (struct begins){0};
    for (size_t i = 0; i < MARKUP_N; i++) {
        size_t at = pair(markup[i].text.p);

        b->bit[at / 64] |= (uint64_t)1 << at % 64;
    }
}

/* Four bytes tell most signatures from what begins like them ("id=", "cla"). */
static inline uint32_t
four(const char *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

static enum verdict
starts(struct str rest, bool widgets)
{
    uint32_t first;

    if (rest.n < sizeof first)
        return VERDICT_NONE;
    first = four(rest.p);
    for (size_t i = 0; i < MARKUP_N; i++)
        if (four(markup[i].text.p) == first && (widgets || !markup[i].widget) &&
            str_starts(rest, markup[i].text))
            return markup[i].class;
    return VERDICT_NONE;
}

static enum verdict
of_markup(struct str body, bool widgets)
{
    enum verdict r = VERDICT_NONE;
    struct begins b;

    begins_fill(&b);
    for (size_t i = 0; r == VERDICT_NONE && i + 1 < body.n; i++) {
        size_t at = pair(body.p + i);

        if (b.bit[at / 64] >> at % 64 & 1)
            r = starts(str_sub(body, i, body.n), widgets);
    }
    return r;
}

/* "isAccessibleForFree": false, "False" or 'http://schema.org/False'. */
static bool
is_declared_paywall(struct str body)
{
    static const struct str name = STR("AccessibleForFree\"");
    size_t i = 0;

    while (i + name.n < body.n) {
        struct str value;

        i = str_find(body, 'A', i);
        if (!str_starts(str_sub(body, i, body.n), name)) {
            i++;
            continue;
        }
        value = str_trim(str_sub(body, i + name.n, i + name.n + 40));
        if (!str_starts(value, S(":")))
            return false;
        value = str_trim(str_sub(value, 1, value.n));
        if (value.n > 0 && value.p[0] == '"')
            value = str_sub(value, 1, value.n);
        return str_eq_nocase(str_sub(value, 0, 5), S("false"));
    }
    return false;
}

enum verdict
interstitial_of(const struct interstitial_page *p)
{
    struct str body = str_sub(p->body, 0, BYTES_MAX);
    enum verdict r = of_headers(p->headers);

    if (r != VERDICT_NONE)
        return r;
    if (p->status == 402)
        return VERDICT_PAYWALL;
    if (p->chars > INTERSTITIAL_CHARS_MAX)
        return VERDICT_NONE;
    if (p->links_n <= LINKS_MAX)
        r = of_markup(body, p->chars <= WIDGET_CHARS_MAX &&
                                p->links_n <= WIDGET_LINKS_MAX);
    if (r == VERDICT_NONE && is_declared_paywall(body))
        r = VERDICT_PAYWALL;
    return r;
}
