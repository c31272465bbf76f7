/* writer_wet.c -- kept text as WARC 1.1 `conversion` records, as in the WET
 * files of Common Crawl.
 *
 * WARC-Date is that of the fetch; the standard demands one, so a document
 * without has that of the epoch.  The document's id is in WARC-Refers-To: it is
 * that of the response this is made of.  The record's own id follows from it,
 * so both stay the same when the page is cleaned again. */
#include "facts.h"
#include "json_fields.h"
#include "winnow/clock.h"
#include "writers.h"

static void
header(struct buf *out, const char *name, struct str value)
{
    buf_printf(out, "%s: ", name);
    for (size_t i = 0; i < value.n; i++) /* a header is one line */
        buf_char(out, (unsigned char)value.p[i] < 0x20 ? ' ' : value.p[i]);
    buf_c(out, "\r\n");
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    struct buf text = {.arena = d->arena};
    struct document_id own = json_conversion_id(&d->id);
    char urn[48], source_urn[48], iso[21];

    (void)o;
    document_text(d, &text);
    json_urn(&own, urn);
    json_urn(&d->id, source_urn);
    clock_iso(d->origin.fetched_ms, iso);
    buf_c(out, "WARC/1.1\r\nWARC-Type: conversion\r\n");
    header(out, "WARC-Record-ID", str_c(urn));
    header(out, "WARC-Date", str_c(iso));
    header(out, "WARC-Refers-To", str_c(source_urn));
    header(out, "WARC-Target-URI", d->url_text);
    if (d->origin.ip.n > 0)
        header(out, "WARC-IP-Address", d->origin.ip);
    if (d->language.n > 0)
        header(out, "WARC-Identified-Content-Language", d->language);
    buf_printf(out, "Content-Type: text/plain\r\nContent-Length: %zu\r\n\r\n",
               text.n);
    buf_str(out, buf_view(&text));
    buf_c(out, "\r\n\r\n");
    buf_free(&text);
}

const struct writer writer_wet = {
    .name = "wet",
    .suffix = "wet",
    .help = "the kept text as WARC 1.1 conversion records",
    .alone = true,
    .render = render,
};
