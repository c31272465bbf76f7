/* sim_answer.c -- what a fetch comes to: the recorded answer, read by the rules
 * of the crawl, becomes a report to the frontier.  See worker.c for the live
 * path. */
#include "base/log.h"
#include "crawler/visit/outcome.h"
#include "sim_inside.h"

static struct buf
lend(struct str s)
{
    return (struct buf){.p = (char *)(uintptr_t)s.p, .n = s.n};
}

bool
sim_robots_allow(struct sim *s, const struct flight *f)
{
    struct robots **r = &s->robots[f->host];
    struct str url = buf_view(&f->url); /* leased, so canonical */
    size_t behind = str_find(url, ':', 0) + 3;

    if (f->lease.robots_version == 0)
        return true;
    if (*r == NULL)
        *r = robots_parse(web_text(s->web, s->web->host[f->host].robots),
                          s->agent, &s->setup->opts->politeness_robots_also);
    return robots_allowed(*r, str_sub(url, str_find(url, '/', behind), url.n));
}

/* The recorded answer, as if it had just come. */
static void
fill_reply(const struct sim *s, const struct flight *f, struct visit *v)
{
    struct fetch_reply *r = &v->reply;
    const struct web_page *p;

    if (v->fault != VERDICT_NONE)
        return;
    if (f->lease.kind == FRONTIER_ROBOTS) {
        const struct web_host *h = &s->web->host[f->host];

        r->status = f->recorded ? h->robots_status : 404;
        r->body = lend(f->recorded ? web_text(s->web, h->robots) : S(""));
        return;
    }
    p = &s->web->page[f->page];
    v->fault = (enum verdict)p->fault;
    r->status = p->status;
    r->location = lend(web_text(s->web, p->location));
    r->has_location = p->location != WEB_NONE;
    r->content_type = lend(p->html ? S("text/html") : S("application/pdf"));
}

/* The links as a crawl hands them over, with those to what was not recorded:
 * how many links a page has, and where among them one stands, are signals. */
static void
fill_links(struct sim *s, const struct flight *f, struct frontier_done *d)
{
    const struct web *w = s->web;
    const struct web_page *p = &w->page[f->page];
    uint64_t depth_max = s->setup->opts->limits_depth;
    struct frontier_link *link = arena_raw(s->arena, p->links_n * sizeof *link);
    uint32_t *number = arena_raw(s->arena, p->links_n * sizeof *number);
    size_t n = 0;

    for (uint32_t i = 0; i < p->links_n; i++) {
        const struct web_link *l = &w->link[p->links + i];
        const struct web_page *target = &w->page[l->to];

        if ((depth_max > 0 && f->lease.depth >= depth_max) ||
            (s->setup->admitted != NULL && !s->setup->admitted[l->to]))
            continue;
        number[n] = p->links + i;
        link[n++] =
            (struct frontier_link){.url = w->urls.name[l->to],
                                   .domain = w->host[target->host].domain,
                                   .anchor = w->texts.name[l->anchor],
                                   .path = w->texts.name[l->path],
                                   .language = w->texts.name[l->language],
                                   .boilerplate = l->boilerplate,
                                   .relation = l->relation,
                                   .within = l->within,
                                   .words = (enum link_words)l->words};
    }
    s->source = p;
    s->links = d->links = link;
    s->links_n = d->links_n = n;
    s->links_number = number;
}

/* As the dedup service decides. */
static enum status
look_for_duplicates(struct sim *s, uint32_t page, enum verdict *reject)
{
    const struct web_page *p = &s->web->page[page];
    struct dedup_document doc = {.url = s->web->urls.name[page],
                                 .digest = p->digest,
                                 .text_bytes = p->text_bytes,
                                 .scheme = str_c(s->scheme)};
    struct index_verdict v;
    enum status st;

    if (p->fingerprint != WEB_NONE)
        doc.fingerprint = &s->web->fingerprint[p->fingerprint];
    doc.id = document_id_make(doc.url, 0);
    if ((st = index_decide(s->index, &doc, &v)) != ST_OK)
        return st;
    *reject = v.answer.verdict;
    return ST_OK;
}

enum status
sim_verdict(struct sim *s, uint32_t page, enum verdict *out)
{
    *out = (enum verdict)s->web->page[page].reject;
    if (*out == VERDICT_NONE &&
        !scope_saves(s->setup->scope, s->web->urls.name[page]))
        *out = VERDICT_NOT_SAVED;
    return *out == VERDICT_NONE ? look_for_duplicates(s, page, out) : ST_OK;
}

static enum status
document(struct sim *s, const struct flight *f, struct frontier_done *d,
         enum verdict *reject)
{
    const struct web_page *p = &s->web->page[f->page];
    enum status st = sim_verdict(s, f->page, reject);

    d->verdict = *reject;
    d->kept_bytes = *reject == VERDICT_NONE ? p->text_bytes : 0;
    d->has_badness = p->has_badness;
    d->badness = p->badness;
    d->other_language = p->other_language;
    d->digest = p->digest.low;
    fill_links(s, f, d);
    return st;
}

static enum status
tell(struct sim *s, const struct frontier_done *d)
{
    size_t fresh, known, refused;
    enum status st =
        frontier_done(s->frontier, d, s->now_ms, &fresh, &known, &refused);

    s->source = NULL;
    s->links = NULL;
    s->links_n = 0;
    return st;
}

/* A URL that was not recorded cannot be reached.  The frontier hears what it
 * hears of a URL out of scope: nothing was asked, nothing can be said of it. */
static enum status
not_recorded(struct sim *s, const struct flight *f)
{
    struct frontier_done d = {.url = buf_view(&f->url),
                              .crawler = SIM_CRAWLER,
                              .kind = f->lease.kind,
                              .outcome = OUTCOME_OUT_OF_SCOPE,
                              .verdict = VERDICT_NOT_RECORDED,
                              .finished_ms = f->end_ms};

    s->run->not_recorded++;
    return tell(s, &d);
}

/* Of a robots.txt that has just come, for sim_robots_allow(). */
static void
keep_rules(struct sim *s, const struct flight *f, struct robots *rules)
{
    if (rules == NULL)
        return;
    robots_free(s->robots[f->host]);
    s->robots[f->host] = rules;
}

enum status
sim_finish(struct sim *s, const struct flight *f)
{
    struct visit v = {.lease = f->lease, .fault = f->fault};
    struct outcome outcome;
    struct frontier_done d;
    enum verdict reject = VERDICT_NONE;
    enum status st = ST_OK;

    if (f->lease.kind != FRONTIER_ROBOTS && !f->recorded)
        return not_recorded(s, f);
    v.lease.url = buf_view(&f->url);
    if (url_parse_plain(&v.url, s->arena, v.lease.url, NULL) != ST_OK)
        v.fault = VERDICT_BAD_URL;
    fill_reply(s, f, &v);
    outcome_of(&outcome, &v, s->setup->scope, s->setup->opts, s->agent,
               s->arena);
    keep_rules(s, f, outcome.rules);
    d = (struct frontier_done){.url = v.lease.url,
                               .crawler = SIM_CRAWLER,
                               .kind = f->lease.kind,
                               .outcome = outcome.what,
                               .verdict = outcome.verdict,
                               .finished_ms = f->end_ms,
                               .contacted =
                                   f->recorded && f->fault == VERDICT_NONE,
                               .took_ms = (uint32_t)s->setup->fetch_ms,
                               .links = &outcome.target,
                               .links_n = outcome.what == OUTCOME_REDIRECT,
                               .robots = outcome.robots};
    d.fetched_bytes = f->lease.kind == FRONTIER_ROBOTS
                          ? v.reply.body.n
                          : s->web->page[f->page].bytes;
    if (outcome.document)
        st = document(s, f, &d, &reject);
    if (st != ST_OK)
        return st;
    sim_note(s, f, &d, reject, outcome.document);
    return tell(s, &d);
}
