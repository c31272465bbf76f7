/* json_fields.c -- see json_fields.h.
 *
 * fineweb  text id dump url date file_path language language_score token_count
 *          (the columns of HuggingFaceFW/fineweb)
 * dolma    id text source added created metadata (Dolma's document format;
 *          added is when the page was fetched, created when it says it was
 *          published, if that can be read, else the same)
 * oscar    content warc_headers metadata (OSCAR 23.01), and metadata.reject
 *
 * Readers such as Hugging Face datasets and Arrow take the type of a column
 * from the first records of the first file.  So every record has every field,
 * and a field has one type whatever is known: what is not is "", 0 or false.
 * Dates are texts to Arrow because of their milliseconds; without these a
 * column would be one of timestamps in files where all dates are known, and of
 * texts in others.  Null is only what is null in every record. */
#include "json_fields.h"

#include <math.h>
#include <stdio.h>

#include "base/date.h"
#include "base/warc/warc_record.h"
#include "facts.h"

struct document_id
json_conversion_id(const struct document_id *id)
{
    return document_id_make(str_c(id->z), 0);
}

/* 0..1, higher is better, for fields where others put a probability:
 * exp(-badness / 10); 0 when there are no words to score. */
static double
json_score(const struct document *d, double badness)
{
    return d->tokens_n > 0 && isfinite(badness) ? exp(-badness / 10) : 0;
}

static void
json_kdate(struct json *j, const char *key, bool known, int64_t ms)
{
    char iso[DATE_ISO_N] = "";

    if (known)
        date_iso(ms, iso);
    json_kstr(j, key, str_c(iso));
}

/* Milliseconds, and a time of day: all dates of a column have the same form. */
void
json_kday(struct json *j, const char *key, struct str day)
{
    char text[40];

    if (day.n == 10)
        snprintf(text, sizeof text, "%.10sT00:00:00.000", day.p);
    else if (day.n >= 19)
        snprintf(text, sizeof text, "%.19s.000%.*s", day.p,
                 (int)(day.n - 19 < 6 ? day.n - 19 : 6), day.p + 19);
    else
        text[0] = '\0';
    json_kstr(j, key, str_c(text));
}

static void
add_candidate(struct json *j, const struct meta_candidate *c)
{
    json_object(j);
    json_kstr(j, "field", str_c(meta_field_name(c->field)));
    json_kstr(j, "value", c->value);
    json_kstr(j, "source", str_c(meta_source_name(meta_candidate_source(c))));
    json_key(j, "sources");
    json_array(j);
    for (int s = 0; s < META_SOURCES_N; s++)
        if (c->sources >> s & 1)
            json_str(j, str_c(meta_source_name((enum meta_source)s)));
    json_array_end(j);
    json_kreal(j, "confidence", (double)c->confidence);
    json_kbool(j, "chosen", c->chosen);
    json_object_end(j);
}

/* Of an empty list nobody can tell the type. */
static void
add_no_candidate(struct json *j)
{
    json_object(j);
    json_kstr(j, "field", S(""));
    json_kstr(j, "value", S(""));
    json_kstr(j, "source", S(""));
    json_key(j, "sources");
    json_array(j);
    json_str(j, S(""));
    json_array_end(j);
    json_kreal(j, "confidence", 0);
    json_kbool(j, "chosen", false);
    json_object_end(j);
}

static uint32_t
add_candidates(struct json *j, const struct document *d, bool all)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->meta.candidates_n; i++) {
        if (!all && !d->meta.candidates[i].chosen)
            continue;
        add_candidate(j, &d->meta.candidates[i]);
        n++;
    }
    return n;
}

void
json_kcandidates(struct json *j, const struct document *d)
{
    json_key(j, "candidates");
    json_array(j);
    add_candidates(j, d, true);
    json_array_end(j);
}

void
json_ksources(struct json *j, const struct opts *o, const struct document *d)
{
    bool all = str_eq(o->output_metadata_sources, S("all"));

    if (!all && !str_eq(o->output_metadata_sources, S("chosen")))
        return;
    json_key(j, "metadata_sources");
    json_array(j);
    if (add_candidates(j, d, all) == 0)
        add_no_candidate(j);
    json_array_end(j);
}

void
json_kreject(struct json *j, const struct document *d)
{
    json_kstr(j, "reject",
              d->reject == VERDICT_NONE ? S("")
                                        : str_c(verdict_name(d->reject)));
}

void
json_klanguages(struct json *j, const struct document *d)
{
    struct buf out = {.arena = d->arena};

    fact_add(S("languages"), d, &out);
    json_kstr(j, "languages", buf_view(&out));
}

void
json_kpage_kinds(struct json *j, const struct document *d)
{
    struct buf out = {.arena = d->arena};

    fact_add(S("page_kinds"), d, &out);
    json_kstr(j, "page_kinds", buf_view(&out));
}

void
json_kfetched(struct json *j, const char *key, const struct document *d)
{
    uint64_t ms = d->origin.fetched_ms;

    /* Archives have seconds, and what is cleaned again should be the same. */
    json_kdate(j, key, ms > 0, (int64_t)(ms - ms % 1000));
}

static void
null(struct json *j, const char *key)
{
    json_key(j, key);
    json_null(j);
}

void
json_fineweb(const struct opts *o, const struct document *d, struct str text,
             struct json *j)
{
    char urn[WARC_URN_N];

    warc_urn(&d->id, urn);
    json_object(j);
    json_kstr(j, "text", text);
    json_kstr(j, "id", str_c(urn));
    json_kstr(j, "dump", o->output_corpus);
    json_kstr(j, "url", d->url_text);
    json_kfetched(j, "date", d);
    json_kstr(j, "file_path", d->origin.file);
    json_kstr(j, "language", d->language);
    json_kreal(j, "language_score", json_score(d, d->badness));
    json_ku64(j, "token_count", d->tokens_n);
    json_object_end(j);
}

void
json_dolma(const struct opts *o, const struct document *d, struct str text,
           struct json *j)
{
    int64_t published;

    json_object(j);
    json_kstr(j, "id", str_c(d->id.z));
    json_kstr(j, "text", text);
    json_kstr(j, "source", o->output_corpus);
    json_kfetched(j, "added", d);
    if (date_read(d->meta.date, &published))
        json_kdate(j, "created", true, published);
    else
        json_kfetched(j, "created", d);
    json_key(j, "metadata");
    json_object(j);
    json_kstr(j, "url", d->url_text);
    json_kstr(j, "title", d->meta.title);
    json_kstr(j, "language", d->language);
    json_kreal(j, "badness", d->badness);
    json_kreal(j, "boilerplate_mean", d->boilerplate_mean);
    json_ku64(j, "chars", d->kept_chars);
    json_ku64(j, "tokens", d->tokens_n);
    json_kreject(j, d);
    json_object_end(j);
    json_object_end(j);
}

static void
oscar_headers(const struct document *d, struct str text, struct json *j)
{
    struct document_id own = json_conversion_id(&d->id);
    char urn[WARC_URN_N], source_urn[WARC_URN_N];

    warc_urn(&own, urn);
    warc_urn(&d->id, source_urn);
    json_key(j, "warc_headers");
    json_object(j);
    json_kstr(j, "warc-type", S("conversion"));
    json_kstr(j, "warc-record-id", str_c(urn));
    json_kstr(j, "warc-refers-to", str_c(source_urn));
    json_kstr(j, "warc-target-uri", d->url_text);
    json_kfetched(j, "warc-date", d);
    json_kstr(j, "content-type", S("text/plain"));
    json_ku64(j, "content-length", text.n);
    json_kstr(j, "warc-identified-content-language", d->language);
    json_object_end(j);
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
    json_array(j); /* its words are OSCAR's, so ours are in reject */
    json_array_end(j);
    null(j, "categories");
    json_key(j, "sentence_identifications"); /* one for each line */
    json_array(j);
    for (size_t i = 0; (i = str_find(text, '\n', i)) < text.n; i++)
        json_null(j);
    json_array_end(j);
    json_kreject(j, d);
    json_object_end(j);
    json_object_end(j);
}
