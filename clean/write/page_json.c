/* page_json.c -- see page_json.h.
 *
 * verdict ("kept" or the reason to reject), reason (that as a phrase), detail
 * (what was not met, with value and limit), checks
 * (what the filter asks: check, option, value, limit, least, met; of a page
 * that was given up for its memory there are none), the document's numbers,
 * meta (and in it candidates: who says what, with which confidence), text,
 * blocks (text, value, kept, comment, container, chars, tokens, duplicate_of:
 * null or the number of the block it repeats), links (url, anchor, block: the
 * number of the one it stands in or before, value: of that block, relation,
 * language, within, nofollow). */
#include "page_json.h"

#include "clean/text/filter.h"
#include "json_fields.h"

static void
add_checks(const struct opts *o, const struct document *d, struct json *j)
{
    struct filter_limits limits;
    struct filter_check check[FILTER_CHECKS_N];

    json_key(j, "checks");
    json_array(j);
    filter_limits_of(&limits, o);
    filter_checks(&limits, d, check);
    for (size_t i = 0; d->reject != VERDICT_MEMORY && i < FILTER_CHECKS_N;
         i++) {
        json_object(j);
        json_kstr(j, "check", str_c(check[i].what));
        json_kstr(j, "verdict", str_c(verdict_name(check[i].verdict)));
        json_kstr(j, "option", str_c(check[i].option));
        json_kreal(j, "value", check[i].value);
        json_kreal(j, "limit", check[i].limit);
        json_kbool(j, "least", check[i].least);
        json_kbool(j, "met", check[i].met);
        json_object_end(j);
    }
    json_array_end(j);
}

static void
add_numbers(const struct document *d, struct json *j)
{
    json_kstr(j, "language", d->language);
    json_kreal(j, "badness", d->badness);
    json_kreal(j, "badness_words", d->badness_parts.words);
    json_kreal(j, "badness_order", d->badness_parts.order);
    json_kreal(j, "badness_foreign", d->badness_parts.foreign);
    json_kstr(j, "language_best", d->language_best);
    json_kreal(j, "badness_best", d->badness_best);
    json_klanguages(j, d);
    json_kreal(j, "boilerplate_mean", d->boilerplate_mean);
    json_kpage_kinds(j, d);
    json_ku64(j, "chars", d->kept_chars);
    json_ku64(j, "chars_all", d->all_chars);
    json_ku64(j, "blocks_kept", d->kept_blocks_n);
    json_ku64(j, "tokens", d->tokens_n);
    json_kstr(j, "charset", d->charset);
    json_kstr(j, "charset_from", str_c(d->charset_from));
    json_kbool(j, "charset_damaged", d->charset_damaged);
    json_kstr(j, "doctype", str_c(d->doctype));
}

static void
add_meta(const struct document *d, struct json *j)
{
    const struct meta *m = &d->meta;

    json_key(j, "meta");
    json_object(j);
    json_kstr(j, "title", m->title);
    json_kstr(j, "site", m->site);
    json_kstr(j, "author", m->author);
    json_key(j, "authors");
    json_array(j);
    for (uint32_t i = 0; i < m->authors_n; i++)
        json_str(j, m->authors[i]);
    json_array_end(j);
    json_kstr(j, "date", m->date);
    json_kstr(j, "modified", m->modified);
    json_kstr(j, "description", m->description);
    json_kstr(j, "keywords", m->keywords);
    json_kstr(j, "canonical", m->canonical);
    json_kstr(j, "licence", m->licence);
    json_kstr(j, "rights", m->rights);
    json_kstr(j, "rights_signals", m->rights_signals);
    json_kstr(j, "section", m->section);
    json_kstr(j, "image", m->image);
    json_kstr(j, "type", m->type);
    json_kstr(j, "language", m->language);
    json_kstr(j, "robots", m->robots);
    json_kcandidates(j, d);
    json_object_end(j);
}

static void
add_blocks(const struct document *d, struct json *j)
{
    json_key(j, "blocks");
    json_array(j);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const struct block *b = &d->blocks[i];

        json_object(j);
        json_kstr(j, "text", b->text);
        json_kreal(j, "value", (double)b->boilerplate);
        json_kbool(j, "kept", b->kept);
        json_kbool(j, "comment", b->comment);
        json_kstr(j, "container", b->container);
        json_ku64(j, "chars", b->chars);
        json_ku64(j, "tokens", b->tokens);
        json_key(j, "duplicate_of");
        if (b->duplicate_of < 0)
            json_null(j);
        else
            json_u64(j, (uint64_t)b->duplicate_of);
        json_object_end(j);
    }
    json_array_end(j);
}

static const char *
relation_name(enum link_relation r)
{
    switch (r) {
    case LINK_SAME_HOST: return "same_host";
    case LINK_SAME_DOMAIN: return "same_domain";
    case LINK_EXTERNAL: break;
    }
    return "external";
}

static void
add_within(uint8_t within, struct json *j)
{
    static const struct {
        enum link_within bit;
        const char *name;
    } places[] = {{LINK_IN_NAV, "nav"},       {LINK_IN_HEADER, "header"},
                  {LINK_IN_FOOTER, "footer"}, {LINK_IN_ASIDE, "aside"},
                  {LINK_IN_MAIN, "main"},     {LINK_IN_ITEM, "item"},
                  {LINK_IN_TABLE, "table"},   {LINK_IN_FORM, "form"}};

    json_key(j, "within");
    json_array(j);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (within & places[i].bit)
            json_str(j, str_c(places[i].name));
    json_array_end(j);
}

static void
add_links(const struct document *d, struct json *j, page_json_link *more,
          void *self)
{
    json_key(j, "links");
    json_array(j);
    for (uint32_t i = 0; i < d->links_n; i++) {
        const struct link *l = &d->links[i];
        bool inside = l->block_i < d->blocks_n;

        json_object(j);
        json_kstr(j, "url", l->url);
        json_kstr(j, "anchor", l->anchor);
        json_ku64(j, "block", l->block_i);
        json_kreal(j, "value",
                   inside ? (double)d->blocks[l->block_i].boilerplate : 1);
        json_kstr(j, "relation", str_c(relation_name(l->relation)));
        json_kstr(j, "language", l->language);
        add_within(l->within, j);
        json_kbool(j, "nofollow", l->nofollow);
        if (more != NULL)
            more(self, j, i);
        json_object_end(j);
    }
    json_array_end(j);
}

void
page_json(const struct opts *o, const struct document *d, struct json *j,
          page_json_link *link, void *self)
{
    struct buf text = {.arena = d->arena};

    json_kstr(j, "id", str_c(d->id.z));
    json_kstr(j, "url", d->url_text);
    json_kstr(
        j, "verdict",
        str_c(d->reject == VERDICT_NONE ? "kept" : verdict_name(d->reject)));
    json_kstr(j, "reason",
              str_c(d->reject == VERDICT_NONE ? "" : verdict_text(d->reject)));
    json_kstr(j, "detail", d->reject_detail);
    add_checks(o, d, j);
    add_numbers(d, j);
    add_meta(d, j);
    json_kfetched(j, "timestamp", d);
    document_text(d, &text);
    json_kstr(j, "text", buf_view(&text));
    add_blocks(d, j);
    add_links(d, j, link, self);
}
