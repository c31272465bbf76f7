/* writer_jsonl.c -- one flat JSON object a line.
 *
 * Always there: id, url, text (kept blocks, each ended by \n), title, language
 * (of the best target profile), badness, language_best and badness_best (over
 * all profiles), boilerplate_mean, chars and blocks (kept), chars_all and
 * blocks_all, tokens, charset.  When known: language_declared, description,
 * keywords, author, date, canonical, doctype.  When rejected: reject. */
#include "winnow/json.h"
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
    add_known(j, "doctype", str_c(d->doctype));
}

static void
render(const struct document *d, struct buf *out)
{
    struct json j = {.out = out};
    struct buf text = {0};
    char id[33];

    document_id(d->url_text, id);
    document_text(d, &text);
    json_object(&j);
    json_kstr(&j, "id", str_c(id));
    json_kstr(&j, "url", d->url_text);
    json_kstr(&j, "title", d->meta.title);
    json_kstr(&j, "text", buf_view(&text));
    json_kstr(&j, "language", d->language);
    json_kreal(&j, "badness", d->badness);
    json_kstr(&j, "language_best", d->language_best);
    json_kreal(&j, "badness_best", d->badness_best);
    json_kreal(&j, "boilerplate_mean", d->boilerplate_mean);
    json_ku64(&j, "chars", d->kept_chars);
    json_ku64(&j, "chars_all", d->all_chars);
    json_ku64(&j, "blocks", d->kept_blocks_n);
    json_ku64(&j, "blocks_all", d->blocks_n);
    json_ku64(&j, "tokens", d->tokens_n);
    json_kstr(&j, "charset", d->charset);
    add_meta(&j, d);
    if (d->reject != REJECT_NONE)
        json_kstr(&j, "reject", str_c(reject_name(d->reject)));
    json_object_end(&j);
    buf_char(out, '\n');
    buf_free(&text);
}

const struct writer writer_jsonl = {
    .name = "jsonl",
    .suffix = "jsonl",
    .render = render,
};
