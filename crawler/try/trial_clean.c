/* trial_clean.c -- a page from a file, and through the chain.
 *
 * The same calls as those of `winnow clean` and of a crawl's worker: what comes
 * out is what these would say. */
#include <stdio.h>

#include "clean/charset/sniff.h"
#include "clean/convert/converter.h"
#include "clean/sandbox/sandbox.h"
#include "crawler/admit/robots.h"
#include "trial.h"

void
trial_take(struct trial *t, const struct source_page *p, struct str url)
{
    t->doc = (struct document){.arena = t->arena,
                               .id = p->id,
                               .origin = {.ip = p->ip,
                                          .last_modified = p->last_modified,
                                          .headers = p->headers,
                                          .file = p->file,
                                          .offset = p->offset,
                                          .length = p->length,
                                          .decompressed = p->decompressed,
                                          .cut = p->cut,
                                          .fetched_ms = p->date_ms},
                               .url_text = url.n > 0 ? url : p->url,
                               .bytes = p->body,
                               .content_type = p->content_type,
                               .x_robots_tag = p->x_robots_tag};
    t->status = p->status;
}

/* Does `winnow clean` count it as a page?  What a crawl has archived begins
 * with a robots.txt. */
static bool
is_page(const struct trial *t, const struct source *s,
        const struct source_page *p)
{
    return source_format(s) == WARC_FORMAT_NONE ||
           (source_page_answers(p) &&
            (sniff_is_html(p->content_type, p->body) ||
             convert_kind_of(convert_wanted(t->opts), p->content_type, p->url,
                             p->body) != CONVERT_NONE));
}

/* Pages of an archive have URLs of their own, by which one is asked for. */
static bool
is_asked_for(const struct source *s, const struct source_page *p,
             struct arena *a, struct str url)
{
    struct url own;

    return url.n == 0 || source_format(s) == WARC_FORMAT_NONE ||
           (url_parse_plain(&own, a, p->url, NULL) == ST_OK &&
            str_eq(own.href, url));
}

/* An archive may be larger than memory: only what is read last is kept. */
static enum status
next_page(struct trial *t, struct source *s, struct source_page *page)
{
    arena_reset(t->page_arena);
    return source_next(s, t->page_arena, page);
}

enum status
trial_read(struct trial *t, const char *path, const char *url, uint64_t number)
{
    struct source *s;
    struct source_page page = {0};
    enum status st = source_open(&s, path, t->opts->clean_page_max);
    uint64_t n = 0;

    if (st != ST_OK)
        return st;
    while (n < number && (st = next_page(t, s, &page)) == ST_OK)
        n += is_page(t, s, &page) &&
             is_asked_for(s, &page, t->page_arena, str_c(url));
    if (st == ST_OK)
        trial_take(t, &page, arena_str(t->arena, str_c(url)));
    if (st == ST_OK) /* of the source */
        t->doc.origin.file = arena_str(t->arena, t->doc.origin.file);
    else if (st == ST_NONE)
        fprintf(stderr,
                "winnow try: %s: there is no page %llu%s%s, it has %llu\n",
                path, (unsigned long long)number, url[0] != '\0' ? " of " : "",
                url, (unsigned long long)n);
    source_close(s);
    return st;
}

/* What a crawl for the page's own language would say of its links. */
static enum status
find_language(struct trial *t)
{
    struct str set;

    if (t->opts->clean_language.n > 0 || t->doc.language.n == 0 ||
        t->doc.tokens_n == 0)
        return ST_OK;
    t->language_found = true;
    set = arena_printf(t->arena, "clean.language=%.*s", STRF(t->doc.language));
    return opts_set(t->opts, "try", set);
}

static enum status
outlinks(struct trial *t)
{
    struct link_words_model *words;
    enum status st = link_words_open(&words, t->opts);

    if (st != ST_OK)
        return st;
    t->words = link_words_of(words, S(""), t->doc.url.href);
    outlinks_as_asked_for(&t->doc, t->opts);
    outlinks_of(&t->outlinks, &t->doc, t->scope, words, t->opts, 0);
    link_words_close(words);
    return ST_OK;
}

/* A document that is no HTML becomes the page that is on trial. */
static enum status
convert(struct trial *t, enum convert_kind k)
{
    struct document *d = &t->doc;
    struct converter *c;
    struct convert_process *p;
    struct buf html = {.arena = t->arena};
    struct converted made;
    enum status st = converter_open(&c, t->opts, NULL);

    if (st != ST_OK)
        return st;
    p = convert_process_open(c, NULL);
    convert_document(p, k, d->bytes, d->origin.cut, &html, &made);
    if (made.reject != VERDICT_NONE) {
        fprintf(stderr, "winnow try: %s: %s: %.*s\n", convert_kind_name(k),
                verdict_name(made.reject), STRF(made.why));
        st = ST_INVALID;
    }
    d->bytes = buf_view(&html);
    d->content_type = S("text/html; charset=utf-8");
    convert_process_close(p);
    converter_close(c);
    return st;
}

static bool
is_left_out(const struct trial *t, struct str path)
{
    enum convert_kind k =
        convert_kind_left_out(convert_wanted(t->opts), path, t->doc.bytes);

    if (sniff_is_mime(t->doc.bytes)) {
        fprintf(stderr,
                "winnow try: %.*s: a page in MIME parts (MHTML) or a mail is "
                "not read: save it as HTML\n",
                STRF(path));
        return true;
    }
    if (k != CONVERT_NONE)
        fprintf(stderr,
                "winnow try: %.*s: no HTML, and not read without --set "
                "convert.types=%s\n",
                STRF(path), convert_kind_name(k));
    return k != CONVERT_NONE;
}

enum status
trial_clean(struct trial *t)
{
    struct str path =
        t->doc.url_text.n > 0 ? t->doc.url_text : t->doc.origin.file;
    enum convert_kind k = convert_kind_of(
        convert_wanted(t->opts), t->doc.content_type, path, t->doc.bytes);
    struct sandbox *box = NULL;
    bool boxed;
    enum status st = k == CONVERT_NONE ? ST_OK : convert(t, k);

    if (k == CONVERT_NONE && is_left_out(t, path))
        return ST_INVALID;
    if (st != ST_OK || (st = cleaner_open(&t->cleaner, t->opts)) != ST_OK)
        return st;
    t->doc.robots_agent = robots_agent(t->opts);
    t->doc.link_bytes_max = t->opts->frontier_url_size_max;
    if ((st = sandbox_choose(&boxed, t->opts)) == ST_OK && boxed)
        st = sandbox_open(&box);
    if (st == ST_OK)
        st = sandbox_clean(box, t->cleaner, &t->doc, true);
    sandbox_close(box);
    if (st == ST_OK && t->doc.url_text.n > 0 && t->doc.reject == VERDICT_NONE &&
        !scope_saves(t->scope, t->doc.url_text))
        t->doc.reject = VERDICT_NOT_SAVED;
    if (st == ST_OK && (st = find_language(t)) == ST_OK)
        st = outlinks(t);
    return st;
}
