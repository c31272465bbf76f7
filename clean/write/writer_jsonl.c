/* writer_jsonl.c -- one flat JSON object a line.
 *
 * Always there: id, url, text (kept blocks, each ended by \n), title, language
 * (of the best target profile), badness and what it is the sum of
 * (badness_words, badness_order, badness_foreign), language_best and
 * badness_best (over all profiles), boilerplate_mean, chars and blocks (kept),
 * chars_all and blocks_all, tokens, charset.  When known: language_declared,
 * description, keywords, author, date, canonical, doctype, timestamp (of the
 * fetch), ip, warc_file, warc_offset, warc_length (and warc_decompressed when
 * these two count decompressed bytes), cut when the page was longer.  When
 * rejected: reject.
 *
 * With output.fields the records have other projects' names (json_fields.h). */
#include "facts.h"
#include "json_fields.h"
#include "writers.h"

static void
add_known(struct json *j, const char *key, struct str value)
{
    if (value.n > 0)
        json_kstr(j, key, value);
}

static void
add_meta(struct json *j, const struct document *d)
{
    add_known(j, "language_declared", d->meta.language);
    add_known(j, "description", d->meta.description);
    add_known(j, "keywords", d->meta.keywords);
    add_known(j, "author", d->meta.author);
    add_known(j, "date", d->meta.date);
    add_known(j, "canonical", d->meta.canonical);
    add_known(j, "english", d->meta.english);
    add_known(j, "country", d->meta.country);
    add_known(j, "region", d->meta.region);
    add_known(j, "city", d->meta.city);
    add_known(j, "doctype", str_c(d->doctype));
}

static void
add_origin(struct json *j, const struct document *d)
{
    struct buf fetched = {.arena = d->arena};

    fact_add(S("fetched"), d, &fetched);
    add_known(j, "timestamp", buf_view(&fetched));
    add_known(j, "ip", d->origin.ip);
    if (d->origin.file.n > 0) {
        json_kstr(j, "warc_file", d->origin.file);
        json_ku64(j, "warc_offset", d->origin.offset);
        json_ku64(j, "warc_length", d->origin.length);
        if (d->origin.decompressed)
            json_kbool(j, "warc_decompressed", true);
    }
    if (d->origin.cut)
        json_kbool(j, "cut", true);
    buf_free(&fetched);
}

static void
own(const struct document *d, struct str text, struct json *j)
{
    json_object(j);
    json_kstr(j, "id", str_c(d->id.z));
    json_kstr(j, "url", d->url_text);
    json_kstr(j, "title", d->meta.title);
    json_kstr(j, "text", text);
    json_kstr(j, "language", d->language);
    json_kreal(j, "badness", d->badness);
    json_kstr(j, "language_best", d->language_best);
    json_kreal(j, "badness_best", d->badness_best);
    json_kreal(j, "badness_words", d->badness_parts.words);
    json_kreal(j, "badness_order", d->badness_parts.order);
    json_kreal(j, "badness_foreign", d->badness_parts.foreign);
    json_kreal(j, "boilerplate_mean", d->boilerplate_mean);
    json_ku64(j, "chars", d->kept_chars);
    json_ku64(j, "chars_all", d->all_chars);
    json_ku64(j, "blocks", d->kept_blocks_n);
    json_ku64(j, "blocks_all", d->blocks_n);
    json_ku64(j, "tokens", d->tokens_n);
    json_kstr(j, "charset", d->charset);
    add_meta(j, d);
    add_origin(j, d);
    if (d->reject != REJECT_NONE)
        json_kstr(j, "reject", str_c(reject_name(d->reject)));
    json_object_end(j);
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    struct json j = {.out = out};
    struct buf text = {.arena = d->arena};
    struct str fields = o->output_fields;

    document_text(d, &text);
    if (str_eq(fields, S("fineweb")))
        json_fineweb(o, d, buf_view(&text), &j);
    else if (str_eq(fields, S("dolma")))
        json_dolma(o, d, buf_view(&text), &j);
    else if (str_eq(fields, S("oscar")))
        json_oscar(o, d, buf_view(&text), &j);
    else
        own(d, buf_view(&text), &j);
    buf_char(out, '\n');
    buf_free(&text);
}

const struct writer writer_jsonl = {
    .name = "jsonl",
    .suffix = "jsonl",
    .help = "one JSON object a line: id, url, title, text, language, badness "
            "...; output.fields has other field names",
    .render = render,
};
