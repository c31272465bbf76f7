/* writer_wet.c -- kept text as WARC 1.1 `conversion` records, as in the WET
 * files of Common Crawl, behind a warcinfo record in each file.
 *
 * WARC-Date is that of the fetch; the standard demands one, so a document
 * without has that of the epoch.  The document's id is in WARC-Refers-To: it is
 * that of the response this is made of.  The record's own id follows from it,
 * so both stay the same when the page is cleaned again. */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/warc/warc_record.h"
#include "json_fields.h"
#include "writers.h"

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    struct buf text = {.arena = d->arena};
    struct document_id own = json_conversion_id(&d->id);
    char urn[WARC_URN_N];

    (void)o;
    document_text(d, &text);
    warc_urn(&own, urn);
    warc_record_begin(out, "conversion", urn, d->origin.fetched_ms);
    warc_urn(&d->id, urn);
    warc_record_field(out, "WARC-Refers-To", str_c(urn));
    warc_record_field(out, "WARC-Target-URI", d->url_text);
    warc_record_field(out, "WARC-IP-Address", d->origin.ip);
    warc_record_field(out, "WARC-Identified-Content-Language", d->language);
    warc_record_digest(out, "WARC-Block-Digest", buf_view(&text), S(""));
    warc_record_end(out, "text/plain", buf_view(&text), S(""));
    buf_free(&text);
}

static void
head(const struct opts *o, const char *file, struct buf *out)
{
    uint64_t now_ms = clock_wall_ms();
    char name[300], urn[WARC_URN_N];
    struct document_id id;

    (void)o;
    /* Without a name, two runs differ by their process. */
    snprintf(name, sizeof name, "%s %ld", file ? file : "", (long)getpid());
    id = document_id_make(str_c(name), now_ms);
    warc_urn(&id, urn);
    warc_record_info(out, urn, now_ms, file, S("winnow/" WINNOW_VERSION),
                     S(""));
}

const struct writer writer_wet = {
    .name = "wet",
    .suffix = "wet",
    .help = "the kept text as WARC 1.1 conversion records",
    .alone = true,
    .head = head,
    .render = render,
};
