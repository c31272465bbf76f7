/* interstitial.c -- see interstitial.h; the signatures are in
 * interstitial.tbl.h.
 *
 * Header fields speak for themselves.  Signatures in the markup count only
 * where a page holds little text and few links, since articles quote them and
 * ordinary pages embed some of them; so nearly every page is told by two
 * numbers and not looked through.  The others are looked through once, by steps
 * of up to the length of the shortest signature.
 *
 * A paywall is what the publisher declares as one (schema.org's
 * isAccessibleForFree, "Structured data for subscription and paywalled
 * content") if no more than a teaser came, and status 402. */
#include "interstitial.h"

#include <pthread.h>

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

/* How far a window of the shortest signature's length may go on, by the two
 * bytes that end it: to where they would stand in a signature (Wu & Manber,
 * "A fast algorithm for multi-pattern searching", 1994). */
static struct shifts {
    size_t window;
    uint8_t by[4096];
} shifts;
static pthread_once_t shifts_once = PTHREAD_ONCE_INIT;

static inline size_t
slot(const char *p)
{
    return ((size_t)(unsigned char)p[0] << 4 ^ (unsigned char)p[1]) & 4095;
}

static void
shifts_fill(void)
{
    size_t window = UINT8_MAX;

    for (size_t i = 0; i < MARKUP_N; i++)
        if (markup[i].text.n < window)
            window = markup[i].text.n;
    memset(shifts.by, (int)(window - 1), sizeof shifts.by);
    for (size_t i = 0; i < MARKUP_N; i++)
        for (size_t at = 0; at + 1 < window; at++) {
            uint8_t *by = &shifts.by[slot(markup[i].text.p + at)];
            size_t left = window - 2 - at;

            *by = (uint8_t)(left < *by ? left : *by);
        }
    shifts.window = window;
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
    size_t i = 0;

    pthread_once(&shifts_once, shifts_fill);
    while (r == VERDICT_NONE && i + shifts.window <= body.n) {
        size_t shift = shifts.by[slot(body.p + i + shifts.window - 2)];

        if (shift == 0)
            r = starts(str_sub(body, i, body.n), widgets);
        i += shift > 0 ? shift : 1;
    }
    return r;
}

/* "isAccessibleForFree": false, "False" or 'http://schema.org/False'. */
static bool
is_declared_paywall(struct str body)
{
    static const struct str name = STR("AccessibleForFree\"");
    const char *at = body.n > 0 ? memmem(body.p, body.n, name.p, name.n) : NULL;
    struct str value;

    if (at == NULL)
        return false;
    body = str_n(at + name.n, body.n - (size_t)(at - body.p) - name.n);
    value = str_trim(str_sub(body, 0, 40));
    if (!str_starts(value, S(":")))
        return false;
    value = str_trim(str_sub(value, 1, value.n));
    if (value.n > 0 && value.p[0] == '"')
        value = str_sub(value, 1, value.n);
    return str_eq_nocase(str_sub(value, 0, 5), S("false"));
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
