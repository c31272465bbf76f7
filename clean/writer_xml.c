/* writer_xml.c -- records in the element and attribute names of texrex.
 *
 *   <doc url id sourcecharset sourcedoctype bdc bdv nbc nbcprop nbd nbdprop
 *        avgbpc avgbpd language reject>
 *   <meta name="title" content="..."/>
 *   <div idx bpc bpv>
 *   text
 *   </div>
 *   <dup idx of>text</dup>
 *   </doc>
 *
 * bdv is the badness and bpv the boilerplate value; bdc and bpc are the same as
 * a letter ('a' is best: badness in steps of 2, boilerplate in steps of .1).
 * nbc and nbd count kept characters and blocks, the -prop attributes are their
 * shares, avgbpc and avgbpd means of bpv over characters and over blocks.
 * Every block with text is written, boilerplate too: readers choose by bpv.
 *
 * texrex writes no root element and so do we: a file is a sequence of records
 * (wrap it for an XML parser).  Beyond texrex, a record is always well-formed:
 * line ends and characters that XML 1.0 forbids become blanks. */
#include <math.h>
#include <stdio.h>

#include "codepoint.h"
#include "writers.h"

static bool
allowed(uint32_t cp)
{
    return (cp >= 0x20 && cp < 0xd800) || (cp >= 0xe000 && cp < 0xfffe) ||
           (cp >= 0x10000 && cp <= 0x10ffff);
}

static const char *
escape_of(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&apos;";
    default: return NULL;
    }
}

static void
add_text(struct buf *out, struct str s)
{
    size_t from = 0;

    for (size_t at = 0; at < s.n;) {
        size_t here = at;
        const char *escaped = escape_of(s.p[at]);
        uint32_t cp = codepoint_next(s, &at);

        if (escaped == NULL && allowed(cp))
            continue;
        buf_add(out, s.p + from, here - from);
        buf_c(out, escaped ? escaped : " ");
        from = at;
    }
    buf_add(out, s.p + from, s.n - from);
}

static void
add_attribute(struct buf *out, const char *name, struct str value)
{
    buf_printf(out, " %s=\"", name);
    add_text(out, value);
    buf_char(out, '"');
}

/* At most 6 significant digits, a point in every locale. */
static void
add_real(struct buf *out, const char *name, double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.6g", value);
    for (char *c = text; *c; c++)
        if (*c == ',')
            *c = '.';
    add_attribute(out, name, str_c(text));
}

static void
add_number(struct buf *out, const char *name, uint64_t value)
{
    buf_printf(out, " %s=\"%llu\"", name, (unsigned long long)value);
}

/* 'a' and on for 0, 1 ... last. */
static void
add_letter(struct buf *out, const char *name, double value, int last)
{
    double rounded = nearbyint(value);
    int step = rounded >= last ? last : rounded > 0 ? (int)rounded : 0;

    buf_printf(out, " %s=\"%c\"", name, 'a' + step);
}

static void
add_meta(struct buf *out, const char *name, struct str value)
{
    if (value.n == 0)
        return;
    buf_c(out, "<meta");
    add_attribute(out, "name", str_c(name));
    add_attribute(out, "content", value);
    buf_c(out, "/>\n");
}

/* Mean boilerplate value over blocks. */
static double
block_mean(const struct document *d)
{
    double sum = 0;

    for (uint32_t i = 0; i < d->blocks_n; i++)
        sum += d->blocks[i].boilerplate;
    return d->blocks_n ? sum / d->blocks_n : -1;
}

static void
add_head(const struct document *d, struct buf *out)
{
    char id[33];

    document_id(d->url_text, id);
    buf_c(out, "<doc");
    add_attribute(out, "url", d->url_text);
    add_attribute(out, "id", str_c(id));
    add_attribute(out, "sourcecharset", d->charset);
    add_attribute(out, "sourcedoctype",
                  str_c(d->doctype ? d->doctype : "UNKNOWN"));
    add_letter(out, "bdc", d->badness / 2, 25);
    add_real(out, "bdv", d->badness);
    add_number(out, "nbc", d->kept_chars);
    add_real(out, "nbcprop",
             d->all_chars ? (double)d->kept_chars / d->all_chars : -1);
    add_number(out, "nbd", d->kept_blocks_n);
    add_real(out, "nbdprop",
             d->blocks_n ? (double)d->kept_blocks_n / d->blocks_n : -1);
    add_real(out, "avgbpc", d->boilerplate_mean);
    add_real(out, "avgbpd", block_mean(d));
    add_attribute(out, "language", d->language);
    if (d->reject != REJECT_NONE)
        add_attribute(out, "reject", str_c(reject_name(d->reject)));
    buf_c(out, ">\n");
    add_meta(out, "title", d->meta.title);
    add_meta(out, "keywords", d->meta.keywords);
    add_meta(out, "author", d->meta.author);
    add_meta(out, "description", d->meta.description);
    add_meta(out, "date", d->meta.date);
    add_meta(out, "canonical", d->meta.canonical);
    add_meta(out, "language", d->meta.language);
}

static void
add_block(const struct block *b, uint32_t i, struct buf *out)
{
    if (b->text.n == 0)
        return;
    if (b->duplicate_of >= 0) {
        buf_c(out, "<dup");
        add_number(out, "idx", i);
        add_number(out, "of", (uint64_t)b->duplicate_of);
        buf_c(out, ">\n");
        add_text(out, b->text);
        buf_c(out, "\n</dup>\n");
        return;
    }
    buf_c(out, "<div");
    add_number(out, "idx", i);
    add_letter(out, "bpc", b->boilerplate * 10, 10);
    add_real(out, "bpv", b->boilerplate);
    buf_c(out, ">\n");
    add_text(out, b->text);
    buf_c(out, "\n</div>\n");
}

static void
render(const struct document *d, struct buf *out)
{
    add_head(d, out);
    for (uint32_t i = 0; i < d->blocks_n; i++)
        add_block(&d->blocks[i], i, out);
    buf_c(out, "</doc>\n");
}

const struct writer writer_xml = {
    .name = "xml",
    .suffix = "xml",
    .render = render,
};
