/* recorder.c -- see recorder.h.  The rules are those of the crawl: outcome.c
 * says what an answer means, the chain what the page is worth, outlinks.c which
 * of its links count. */
#include "recorder.h"

#include "base/language_tag.h"

#include "crawler/visit/outcome.h"

#include <math.h>

static struct buf
lend(struct str s)
{
    return (struct buf){.p = (char *)(uintptr_t)s.p, .n = s.n};
}

static void
keep_links(const struct outlinks *from, struct arena *keep,
           struct recorded *out)
{
    out->links = arena_raw(keep, from->n * sizeof *out->links);
    out->links_n = from->n;
    for (size_t i = 0; i < from->n; i++) {
        out->links[i] = from->link[i];
        out->links[i].url = arena_str(keep, from->link[i].url);
        out->links[i].anchor = arena_str(keep, from->link[i].anchor);
        out->links[i].path = arena_str(keep, from->link[i].path);
        out->links[i].language = arena_str(keep, from->link[i].language);
    }
}

static void
clean(const struct recorder *j, const struct answer *a, const struct url *url,
      struct arena *scratch, struct arena *keep, struct recorded *out)
{
    struct web_page *p = &out->page;
    struct document d = {.arena = scratch,
                         .url = *url,
                         .url_text = a->url,
                         .bytes = a->body,
                         .content_type = a->content_type,
                         .x_robots_tag = a->x_robots_tag,
                         .robots_agent = j->agent,
                         .link_bytes_max = j->opts->frontier_url_size_max};
    struct outlinks links;
    struct frontier_done done = {0};

    (void)cleaner_run(j->cleaner, &d, false); /* or it is rejected */
    outlinks_of(&links, &d, j->scope, j->link_words, j->opts, 0);
    keep_links(&links, keep, out);
    outcome_signals(&done, &d);
    p->html = true;
    p->reject = (uint8_t)d.reject;
    p->has_badness = done.has_badness;
    p->other_language = done.other_language;
    p->badness = done.badness;
    p->badness_best = done.has_badness ? (float)d.badness_best : 0;
    out->language = arena_str(keep, d.language_best);
    out->language_stated =
        arena_str(keep, str_sub(d.meta.language, 0, LANGUAGE_TAG_MAX));
    p->chars = d.kept_chars;
    if (d.reject != VERDICT_NONE)
        return;
    p->text_bytes = document_text_bytes(&d);
    p->digest = d.digest;
    if (d.fingerprint.shingles_n > 0) {
        struct fingerprint *f = arena_raw(keep, sizeof *f);

        *f = d.fingerprint;
        out->fingerprint = f;
    }
}

void
record_answer(const struct recorder *j, const struct answer *a,
              struct arena *scratch, struct arena *keep, struct recorded *out)
{
    struct visit v = {.lease = {.kind = FRONTIER_PAGE, .url = a->url},
                      .reply = {.status = a->status,
                                .body = lend(a->body),
                                .content_type = lend(a->content_type),
                                .location = lend(a->location),
                                .has_location = a->location.n > 0}};
    struct outcome outcome;

    arena_reset(scratch);
    *out = (struct recorded){.page = {.known = true,
                                      .status = (uint16_t)a->status,
                                      .bytes = a->body.n},
                             .content = arena_str(keep, a->content),
                             .location = arena_str(keep, a->location)};
    if (url_parse(&v.url, scratch, a->url, NULL) != ST_OK)
        return;
    outcome_of(&outcome, &v, j->scope, j->opts, j->agent, scratch);
    if (outcome.document)
        clean(j, a, &v.url, scratch, keep, out);
    else if (outcome.what == OUTCOME_REDIRECT)
        out->target = arena_str(keep, outcome.target.url);
    robots_free(outcome.rules);
}

static uint32_t
name(struct web *w, struct str s)
{
    return s.n > 0 ? intern_add(&w->texts, s, NULL) : WEB_NONE;
}

void
recorded_store(struct web *w, uint32_t page, uint32_t content,
               const struct recorded *j)
{
    struct web_page now = j->page;
    struct web_link *l;

    now.host = w->page[page].host;
    now.content = content;
    now.fingerprint = j->fingerprint != NULL
                          ? web_add_fingerprint(w, j->fingerprint)
                          : WEB_NONE;
    now.location = name(w, j->location);
    now.language = name(w, j->language);
    now.language_stated = name(w, j->language_stated);
    /* In an archive the target most often stands behind the redirect. */
    now.target = j->target.n > 0 ? web_page_of(w, j->target) : WEB_NONE;
    w->page[page] = now;
    l = web_add_links(w, page, j->links_n);
    for (size_t i = 0; i < j->links_n; i++) {
        const struct frontier_link *from = &j->links[i];

        l[i] = (struct web_link){
            .to = web_page_of(w, from->url),
            .anchor = intern_add(&w->texts, from->anchor, NULL),
            .path = intern_add(&w->texts, from->path, NULL),
            .language = intern_add(&w->texts, from->language, NULL),
            .boilerplate = from->boilerplate,
            .relation = (uint8_t)from->relation,
            .within = from->within,
            .words = (uint8_t)from->words};
    }
}
