/* facts.c -- see facts.h.  A fact is one row: its name and how it is read.
 *
 * Unknown is empty: a badness without words to score, an offset without a
 * file.  Nothing is allocated. */
#include "facts.h"

#include <math.h>

#include "base/clock.h"
#include "base/url/host.h"
#include "clean/chain/codepoint.h"

#define KIND_SHARE_LEAST 0.05f /* of a kind of page that is named */

/* As "%.6g" has it, for the values that there are most of: from .0001 on, below
 * 1 (boilerplate, shares).  False: print it. */
static bool
fraction(double value, struct buf *out)
{
    static const double scale[] = {1e6, 1e7, 1e8, 1e9};
    char text[16] = "0.";
    size_t n = 2, zeros = value >= .1     ? 0
                          : value >= .01  ? 1
                          : value >= .001 ? 2
                                          : 3;
    double scaled = value * scale[zeros];
    uint64_t digits;

    if (!(value >= 1e-4 && value < .999999))
        return false;
    digits = (uint64_t)(scaled + .5);
    if (digits < 100000 || digits >= 1000000 ||
        fabs(scaled - floor(scaled) - .5) < 1e-6)
        return false; /* near a power of ten, or between two last digits */
    while (n < 2 + zeros)
        text[n++] = '0';
    for (size_t i = 6; i-- > 0; digits /= 10)
        text[n + i] = (char)('0' + digits % 10);
    n += 6;
    while (text[n - 1] == '0')
        n--;
    buf_add(out, text, n);
    return true;
}

void
fact_real(double value, struct buf *out)
{
    if (!fraction(value, out))
        buf_real(out, value, 6);
}

static void
number(uint64_t value, struct buf *out)
{
    buf_number(out, value);
}

static void
id(const struct document *d, struct buf *out)
{
    buf_c(out, d->id.z);
}

/* "text/html" of "text/html; charset=utf-8". */
static void
mime(const struct document *d, struct buf *out)
{
    buf_str(out, str_trim(str_sub(d->content_type, 0,
                                  str_find(d->content_type, ';', 0))));
}

static void
fetched(const struct document *d, struct buf *out)
{
    char iso[21];

    if (d->origin.fetched_ms == 0)
        return;
    clock_iso(d->origin.fetched_ms, iso);
    buf_c(out, iso);
}

/* YYYYMMDDhhmmss, as ARC has it. */
static void
texrex_date(const struct document *d, struct buf *out)
{
    char iso[21];

    if (d->origin.fetched_ms == 0)
        return;
    clock_iso(d->origin.fetched_ms, iso);
    for (const char *c = iso; *c; c++)
        if (ascii_digit(*c))
            buf_char(out, *c);
}

static void
tarc_file(const struct document *d, struct buf *out)
{
    const struct tarc_place *at = d->origin.tarc;

    if (at != NULL)
        buf_str(out, at->header_length > 0 ? at->file : S("dumped"));
}

static void
tarc_number(const struct tarc_place *at, uint64_t value, struct buf *out)
{
    if (at != NULL && at->header_length > 0)
        number(value, out);
    else if (at != NULL)
        buf_c(out, "-1");
}

#define TARC(name)                                                             \
    static void tarc_##name(const struct document *d, struct buf *out)         \
    {                                                                          \
        tarc_number(d->origin.tarc, d->origin.tarc ? d->origin.tarc->name : 0, \
                    out);                                                      \
    }

TARC(header_offset)
TARC(header_length)
TARC(body_offset)
TARC(body_length)

static void
arc_offset(const struct document *d, struct buf *out)
{
    if (d->origin.file.n > 0)
        number(d->origin.offset, out);
}

static void
arc_length(const struct document *d, struct buf *out)
{
    if (d->origin.file.n > 0)
        number(d->origin.length, out);
}

static void
badness(const struct document *d, struct buf *out)
{
    if (d->tokens_n > 0 && isfinite(d->badness))
        fact_real(d->badness, out);
}

/* "nl:0.83 en:0.17" */
static void
languages(const struct document *d, struct buf *out)
{
    for (uint32_t i = 0; i < d->languages_n; i++) {
        buf_c(out, i ? " " : "");
        buf_str(out, d->languages[i].language);
        buf_char(out, ':');
        fact_real(round((double)d->languages[i].share * 100) / 100, out);
    }
}

/* "listing:0.71 collection:0.22": kinds that the page may be, likelier first.
 */
static void
page_kinds(const struct document *d, struct buf *out)
{
    float left[PAGE_KINDS_N];
    int best = 0;

    memcpy(left, d->page_kind, sizeof left);
    for (int n = 0; n < PAGE_KINDS_N; n++) {
        for (int k = 0; k < PAGE_KINDS_N; k++)
            best = left[k] > left[best] ? k : best;
        if (left[best] < KIND_SHARE_LEAST)
            return;
        buf_c(out, n ? " " : "");
        buf_c(out, page_kind_name(best));
        buf_char(out, ':');
        fact_real(round((double)left[best] * 100) / 100, out);
        left[best] = 0;
    }
}

#define TEXT(name, expression)                                                 \
    static void name(const struct document *d, struct buf *out)                \
    {                                                                          \
        buf_str(out, expression);                                              \
    }
#define NUMBER(name, expression)                                               \
    static void name(const struct document *d, struct buf *out)                \
    {                                                                          \
        number(expression, out);                                               \
    }

TEXT(url_text, d->url_text)
TEXT(host, d->url.host)
TEXT(tld, host_tld(d->url.host))
TEXT(domain, host_registered_domain(d->url.host))
TEXT(ip, d->origin.ip)
TEXT(language, d->language)
TEXT(charset, d->charset)
TEXT(doctype, str_c(d->doctype))
TEXT(title, d->meta.title)
TEXT(keywords, d->meta.keywords)
TEXT(description, d->meta.description)
TEXT(author, d->meta.author)
TEXT(date, d->meta.date)
TEXT(date_modified, d->meta.modified)
TEXT(site, d->meta.site)
TEXT(section, d->meta.section)
TEXT(image, d->meta.image)
TEXT(licence, d->meta.licence)
TEXT(page_type, d->meta.type)
TEXT(canonical, d->meta.canonical)
TEXT(robots, d->meta.robots)
TEXT(rights, d->meta.rights)
TEXT(rights_signals, d->meta.rights_signals)
TEXT(english, d->meta.english)
TEXT(country, d->meta.country)
TEXT(region, d->meta.region)
TEXT(city, d->meta.city)
TEXT(language_declared, d->meta.language)
TEXT(reject_detail, d->reject_detail)
TEXT(last_modified, d->origin.last_modified)
TEXT(arc_file, d->origin.file)
NUMBER(size, d->bytes.n)
NUMBER(chars, d->kept_chars)
NUMBER(blocks, d->kept_blocks_n)
NUMBER(tokens, d->tokens_n)

static void
boilerplate(const struct document *d, struct buf *out)
{
    fact_real(d->boilerplate_mean, out);
}

static const struct {
    const char *name;
    void (*add)(const struct document *d, struct buf *out);
} facts[] = {
    {"id", id},
    {"url", url_text},
    {"host", host},
    {"tld", tld},
    {"domain", domain},
    {"ip", ip},
    {"mime", mime},
    {"language", language},
    {"languages", languages},
    {"charset", charset},
    {"doctype", doctype},
    {"title", title},
    {"keywords", keywords},
    {"description", description},
    {"author", author},
    {"date", date},
    {"date_modified", date_modified},
    {"site", site},
    {"section", section},
    {"image", image},
    {"licence", licence},
    {"page_type", page_type},
    {"page_kinds", page_kinds},
    {"canonical", canonical},
    {"robots", robots},
    {"rights", rights},
    {"rights_signals", rights_signals},
    {"english", english},
    {"country", country},
    {"region", region},
    {"city", city},
    {"language_declared", language_declared},
    {"fetched", fetched},
    {"last-modified", last_modified},
    {"arcfile", arc_file},
    {"arcoffset", arc_offset},
    {"arclength", arc_length},
    {"tarcfile", tarc_file},
    {"tarcheaderoffset", tarc_header_offset},
    {"tarcheaderlength", tarc_header_length},
    {"tarcbodyoffset", tarc_body_offset},
    {"tarcbodylength", tarc_body_length},
    {"texrex-date", texrex_date},
    {"size", size},
    {"badness", badness},
    {"boilerplate", boilerplate},
    {"chars", chars},
    {"blocks", blocks},
    {"tokens", tokens},
    {"reject-detail", reject_detail},
    {NULL, NULL},
};

/* What is not ASCII is read as ISO-8859-1 (RFC 9110, 5.5). */
static void
header(const struct document *d, struct str name, struct buf *out)
{
    struct str value = document_header(d, name);

    for (size_t i = 0; i < value.n; i++) {
        char utf8[4];

        buf_add(out, utf8, codepoint_put(utf8, (unsigned char)value.p[i]));
    }
}

void
fact_add(struct str name, const struct document *d, struct buf *out)
{
    for (size_t i = 0; facts[i].name != NULL; i++)
        if (str_eq(name, str_c(facts[i].name))) {
            facts[i].add(d, out);
            return;
        }
    if (str_starts(name, S("header-")))
        header(d, str_sub(name, 7, name.n), out);
}
