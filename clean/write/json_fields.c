/* json_fields.c -- see json_fields.h.
 *
 * fineweb  text id dump url date file_path language language_score token_count
 *          (the columns of HuggingFaceFW/fineweb)
 * dolma    id text source added created metadata (Dolma's document format;
 *          added is when the page was fetched, created when it says it was
 *          published, if that is an ISO date, else the same)
 * oscar    content warc_headers metadata (OSCAR 23.01)
 *
 * What is not known is null, except for texts that consumers take for granted,
 * which are empty. */
#include "json_fields.h"

#include <math.h>
#include <stdio.h>

#include "facts.h"

void
json_urn(const struct document_id *id, char out[48])
{
    snprintf(out, 48, "<urn:uuid:%s>", id->z);
}

struct document_id
json_conversion_id(const struct document_id *id)
{
    return document_id_make(str_c(id->z), 0);
}

double
json_score(const struct document *d, double badness)
{
    return d->tokens_n > 0 && isfinite(badness) ? exp(-badness / 10) : 0;
}

static void
text_or_null(struct json *j, const char *key, struct str value)
{
    json_key(j, key);
    if (value.n > 0)
        json_str(j, value);
    else
        json_null(j);
}

static void
null(struct json *j, const char *key)
{
    json_key(j, key);
    json_null(j);
}

/* Digits as in 2024-05-31, whatever follows. */
static bool
iso_date(struct str s)
{
    for (size_t i = 0; i < 10; i++)
        if (i >= s.n ||
            !(i == 4 || i == 7 ? s.p[i] == '-' : ascii_digit(s.p[i])))
            return false;
    return true;
}

void
json_fineweb(const struct opts *o, const struct document *d, struct str text,
             struct json *j)
{
    struct buf fetched = {.arena = d->arena};
    char urn[48];

    json_urn(&d->id, urn);
    fact_add(S("fetched"), d, &fetched);
    json_object(j);
    json_kstr(j, "text", text);
    json_kstr(j, "id", str_c(urn));
    json_kstr(j, "dump", o->output_corpus);
    json_kstr(j, "url", d->url_text);
    json_kstr(j, "date", buf_view(&fetched));
    json_kstr(j, "file_path", d->origin.file);
    json_kstr(j, "language", d->language);
    json_kreal(j, "language_score", json_score(d, d->badness));
    json_ku64(j, "token_count", d->tokens_n);
    json_object_end(j);
    buf_free(&fetched);
}

void
json_dolma(const struct opts *o, const struct document *d, struct str text,
           struct json *j)
{
    struct buf fetched = {.arena = d->arena};

    fact_add(S("fetched"), d, &fetched);
    json_object(j);
    json_kstr(j, "id", str_c(d->id.z));
    json_kstr(j, "text", text);
    json_kstr(j, "source", o->output_corpus);
    text_or_null(j, "added", buf_view(&fetched));
    text_or_null(j, "created",
                 iso_date(d->meta.date) ? d->meta.date : buf_view(&fetched));
    json_key(j, "metadata");
    json_object(j);
    json_kstr(j, "url", d->url_text);
    json_kstr(j, "title", d->meta.title);
    json_kstr(j, "language", d->language);
    json_kreal(j, "badness", d->badness);
    json_kreal(j, "boilerplate_mean", d->boilerplate_mean);
    json_ku64(j, "chars", d->kept_chars);
    json_ku64(j, "tokens", d->tokens_n);
    if (d->reject != REJECT_NONE)
        json_kstr(j, "reject", str_c(reject_name(d->reject)));
    json_object_end(j);
    json_object_end(j);
    buf_free(&fetched);
}

static void
oscar_headers(const struct document *d, struct str text, struct json *j)
{
    struct document_id own = json_conversion_id(&d->id);
    struct buf fetched = {.arena = d->arena};
    char urn[48], source_urn[48];

    json_urn(&own, urn);
    json_urn(&d->id, source_urn);
    fact_add(S("fetched"), d, &fetched);
    json_key(j, "warc_headers");
    json_object(j);
    json_kstr(j, "warc-type", S("conversion"));
    json_kstr(j, "warc-record-id", str_c(urn));
    json_kstr(j, "warc-refers-to", str_c(source_urn));
    json_kstr(j, "warc-target-uri", d->url_text);
    json_kstr(j, "warc-date", buf_view(&fetched));
    json_kstr(j, "content-type", S("text/plain"));
    json_ku64(j, "content-length", text.n);
    json_kstr(j, "warc-identified-content-language", d->language);
    json_object_end(j);
    buf_free(&fetched);
}

static void
identification(const struct document *d, struct json *j)
{
    json_object(j);
    json_kstr(j, "label", d->language);
    json_kreal(j, "prob", json_score(d, d->badness));
    json_object_end(j);
}

void
json_oscar(const struct opts *o, const struct document *d, struct str text,
           struct json *j)
{
    (void)o;
    json_object(j);
    json_kstr(j, "content", text);
    oscar_headers(d, text, j);
    json_key(j, "metadata");
    json_object(j);
    json_key(j, "identification");
    identification(d, j);
    null(j, "harmful_pp");
    null(j, "tlsh");
    json_key(j, "quality_warnings");
    json_array(j);
    if (d->reject != REJECT_NONE)
        json_str(j, str_c(reject_name(d->reject)));
    json_array_end(j);
    null(j, "categories");
    json_key(j, "sentence_identifications"); /* one for each line */
    json_array(j);
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept)
            json_null(j);
    json_array_end(j);
    json_object_end(j);
    json_object_end(j);
}
