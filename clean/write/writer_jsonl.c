/* writer_jsonl.c -- one flat JSON object a line.
 *
 * Every record has every field: id, url, title, text (kept blocks, each ended
 * by \n), headings (which lines of it are: "0 7"), comments (the same of
 * readers' comments, with clean.comments = mark), language (of the best target
 * profile), badness, language_best and badness_best (over all profiles),
 * languages ("nl:0.83 en:0.17", the share of its words in blocks of each, where
 * that can be told), what badness is made of (badness_words, badness_order,
 * badness_foreign), boilerplate_mean, page_kinds ("listing:0.71
 * collection:0.22", what kind of page it may be), chars and blocks (kept),
 * chars_all and blocks_all, tokens, charset; of the page language_declared,
 * description, keywords, author (all in one text), authors (a list; [""] if
 * there is none), date and date_modified (as the page says, with its zone if it
 * says one), site, section, image, licence, rights, rights_signals, page_type,
 * canonical, english, country, region, city, doctype; timestamp (of the fetch),
 * ip, warc_file, warc_offset, warc_length, warc_decompressed (these two count
 * decompressed bytes), cut (the page was longer), reject (why it is not kept),
 * reject_detail (what it did not meet, with value and limit).  What is not
 * known is "", 0 or false (json_fields.c says why).
 *
 * With output.fields the records have other projects' names (json_fields.h). */
#include "json_fields.h"
#include "writers.h"

static void
add_authors(struct json *j, const struct document *d)
{
    json_key(j, "authors");
    json_array(j);
    for (uint32_t i = 0; i < d->meta.authors_n; i++)
        json_str(j, d->meta.authors[i]);
    if (d->meta.authors_n == 0)
        json_str(j, S("")); /* a list of nothing has no type for Arrow */
    json_array_end(j);
}

static void
add_meta(struct json *j, const struct document *d)
{
    json_kstr(j, "language_declared", d->meta.language);
    json_kstr(j, "description", d->meta.description);
    json_kstr(j, "keywords", d->meta.keywords);
    json_kstr(j, "author", d->meta.author);
    add_authors(j, d);
    json_kday(j, "date", d->meta.date);
    json_kday(j, "date_modified", d->meta.modified);
    json_kstr(j, "site", d->meta.site);
    json_kstr(j, "section", d->meta.section);
    json_kstr(j, "image", d->meta.image);
    json_kstr(j, "licence", d->meta.licence);
    json_kstr(j, "rights", d->meta.rights);
    json_kstr(j, "rights_signals", d->meta.rights_signals);
    json_kstr(j, "page_type", d->meta.type);
    json_kstr(j, "canonical", d->meta.canonical);
    json_kstr(j, "english", d->meta.english);
    json_kstr(j, "country", d->meta.country);
    json_kstr(j, "region", d->meta.region);
    json_kstr(j, "city", d->meta.city);
    json_kstr(j, "doctype", str_c(d->doctype));
}

static void
add_origin(struct json *j, const struct document *d)
{
    bool archived = d->origin.file.n > 0;

    json_kfetched(j, "timestamp", d);
    json_kstr(j, "ip", d->origin.ip);
    json_kstr(j, "warc_file", d->origin.file);
    json_ku64(j, "warc_offset", archived ? d->origin.offset : 0);
    json_ku64(j, "warc_length", archived ? d->origin.length : 0);
    json_kbool(j, "warc_decompressed", archived && d->origin.decompressed);
    json_kbool(j, "cut", d->origin.cut);
}

static void
add_lines(struct json *j, const struct opts *o, const struct document *d)
{
    struct buf lines = {.arena = d->arena};

    document_headings(d, &lines);
    json_kstr(j, "headings", buf_view(&lines));
    buf_clear(&lines);
    if (writer_marks_comments(o))
        document_comments(d, &lines);
    json_kstr(j, "comments", buf_view(&lines));
    buf_free(&lines);
}

static void
own(const struct opts *o, const struct document *d, struct str text,
    struct json *j)
{
    json_object(j);
    json_kstr(j, "id", str_c(d->id.z));
    json_kstr(j, "url", d->url_text);
    json_kstr(j, "title", d->meta.title);
    json_kstr(j, "text", text);
    add_lines(j, o, d);
    json_kstr(j, "language", d->language);
    json_kreal(j, "badness", d->badness);
    json_kstr(j, "language_best", d->language_best);
    json_kreal(j, "badness_best", d->badness_best);
    json_klanguages(j, d);
    json_kreal(j, "badness_words", d->badness_parts.words);
    json_kreal(j, "badness_order", d->badness_parts.order);
    json_kreal(j, "badness_foreign", d->badness_parts.foreign);
    json_kreal(j, "boilerplate_mean", d->boilerplate_mean);
    json_kpage_kinds(j, d);
    json_ku64(j, "chars", d->kept_chars);
    json_ku64(j, "chars_all", d->all_chars);
    json_ku64(j, "blocks", d->kept_blocks_n);
    json_ku64(j, "blocks_all", d->blocks_n);
    json_ku64(j, "tokens", d->tokens_n);
    json_kstr(j, "charset", d->charset);
    add_meta(j, d);
    add_origin(j, d);
    json_kreject(j, d);
    json_kstr(j, "reject_detail", d->reject_detail);
    json_ksources(j, o, d);
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
        own(o, d, buf_view(&text), &j);
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
