/* visit_report.c -- see visit_report.h. */
#include "visit_report.h"

#include <math.h>

static void
fill_done(struct visit_report *r)
{
    const struct visit *v = r->v;
    const struct outcome *o = &r->outcome;

    visit_address(v, r->address);
    r->done = (struct frontier_done){
        .url = v->lease.url,
        .call = v->lease.call,
        .kind = v->lease.kind,
        .outcome = o->what,
        .verdict = o->verdict,
        .address = str_c(r->address),
        .finished_ms = v->ended_ms,
        .contacted = v->contacted,
        .fetched_bytes = v->reply.bytes,
        .retry_after_ms = v->reply.retry_after_ms,
        .took_ms = v->reply.ms,
        .etag = buf_view(&v->reply.etag),
        .last_modified = buf_view(&v->reply.last_modified),
        .links = o->sitemaps_n > 0 ? o->sitemaps : &o->target,
        .links_n = o->what == OUTCOME_REDIRECT ? 1 : o->sitemaps_n,
        .robots = o->robots};
}

#define TYPE_SAID_MAX 80u

/* The type in lower case, without its parameters; it is shown on terminals, so
 * what no type has becomes '?'. */
static struct str
type_said(const struct visit *v)
{
    struct str all = buf_view(&v->reply.content_type);
    struct str type = str_trim(str_sub(all, 0, str_find(all, ';', 0)));
    struct buf out = {.arena = v->arena};

    for (size_t i = 0; i < type.n && i < TYPE_SAID_MAX; i++)
        buf_char(&out, type.p[i] > ' ' && type.p[i] <= '~'
                           ? ascii_lower(type.p[i])
                           : '?');
    return buf_keep(&out);
}

/* Of a redirect: where it leads; of what is no HTML: what it says it is. */
static struct str
detail_of(const struct visit_report *r)
{
    struct str to = r->outcome.target.url;

    if (r->outcome.verdict == VERDICT_NOT_HTML)
        return type_said(r->v);
    return to.n > 0 ? arena_printf(r->v->arena, "to %.*s", STRF(to)) : S("");
}

static void
fill_log(struct visit_report *r)
{
    const struct visit *v = r->v;

    r->log = (struct crawl_log_entry){
        .time_ms = v->finished_ms,
        .url = v->lease.url,
        .host = outlink_host(v->lease.url),
        .kind = frontier_is_rules(v->lease.kind)    ? CRAWL_LOG_ROBOTS
                : v->lease.kind == FRONTIER_SITEMAP ? CRAWL_LOG_SITEMAP
                                                    : CRAWL_LOG_PAGE,
        .status = v->reply.status,
        .bytes = v->reply.body.n > 0 ? v->reply.body.n : v->reply.bytes,
        .received = v->reply.bytes,
        .ms = v->reply.ms,
        .depth = v->lease.depth,
        .score = v->lease.score,
        .parent_badness = v->lease.parent_badness,
        .block = v->lease.boilerplate,
        .badness = (double)NAN,
        .boilerplate_mean = (double)NAN,
        .language = S(""),
        .detail = detail_of(r),
        .price = buf_view(&v->reply.price),
        .explored = v->lease.explored,
        .cookies = v->cookies.n > 0,
        .home_page = v->lease.home_page,
        .truncated = v->reply.truncated};
}

struct visit_report *
visit_report_new(struct visit *v, const struct opts *o, const struct scope *s,
                 struct str agent)
{
    struct visit_report *r = ARENA_NEW(v->arena, struct visit_report);

    r->v = v;
    outcome_of(&r->outcome, v, s, o, agent, v->arena);
    fill_done(r);
    fill_log(r);
    return r;
}

/* ---- a document ---- */

static void
keep_links(struct visit_report *r, const struct outlinks *links)
{
    struct arena *a = r->v->arena;
    struct frontier_link *to = ARENA_ARRAY(a, struct frontier_link, links->n);

    for (size_t i = 0; i < links->n; i++) {
        to[i] = links->link[i];
        outlink_fill(&to[i], arena_str(a, to[i].url));
        to[i].anchor = arena_str(a, to[i].anchor);
        to[i].path = arena_str(a, to[i].path);
        to[i].language = arena_str(a, to[i].language);
    }
    r->done.links = to;
    r->done.links_n = links->n;
}

static void
keep_page(struct visit_report *r, const struct document *d, bool text)
{
    struct arena *a = r->v->arena;
    struct buf kept = {.arena = a};

    if (text)
        document_text(d, &kept);
    r->noted = true;
    r->page = (struct archive_page){.detail = arena_str(a, d->reject_detail),
                                    .charset = arena_str(a, d->charset),
                                    .language = arena_str(a, d->language),
                                    .rights = arena_str(a, d->meta.rights),
                                    .rights_signals =
                                        arena_str(a, d->meta.rights_signals),
                                    .text = buf_keep(&kept),
                                    .charset_from = d->charset_from,
                                    .badness = d->badness,
                                    .boilerplate_mean = d->boilerplate_mean,
                                    .chars = d->kept_chars,
                                    .links = r->done.links,
                                    .links_n = r->done.links_n};
}

void
visit_report_document(struct visit_report *r, const struct document *d,
                      const struct outlinks *links, bool text)
{
    keep_links(r, links);
    keep_page(r, d, text);
    outcome_signals(&r->done, d);
    r->done.digest = d->digest.low;
    r->id = d->id;
    r->reject = r->done.verdict = d->reject;
    r->done.id = str_c(r->id.z);
    r->log.badness = r->done.has_badness ? d->badness : (double)NAN;
    r->log.boilerplate_mean = d->boilerplate_mean;
    r->log.language = r->page.language;
    r->log.detail = r->page.detail;
    r->log.chars = d->kept_chars;
    r->log.tokens = d->tokens_n;
    r->log.links = links->found;
}

void
visit_report_substituted(struct visit_report *r, const struct document *d)
{
    r->outcome.document = false;
    r->done.outcome = OUTCOME_FAILED;
    r->done.verdict = d->reject;
    keep_page(r, d, false);
}

void
visit_report_returned(struct visit_report *r, enum status st)
{
    r->status = st;
    r->done.outcome = OUTCOME_RETURNED;
    r->done.verdict = VERDICT_RETURNED;
    r->done.links_n = 0;
}

void
visit_report_shipped(struct visit_report *r, enum status st,
                     const struct dedup_answer *answer)
{
    if (st == ST_LIMIT) { /* of a message */
        r->done.verdict = VERDICT_NOT_STORED;
        r->log.detail = S("");
    } else if (st == ST_OK) {
        r->id = answer->id; /* of an earlier try, if one was stored */
        r->of = answer->of;
        if (r->reject == VERDICT_NONE)
            r->reject = r->done.verdict = answer->verdict;
        r->kept = r->reject == VERDICT_NONE;
        if (r->kept)
            r->done.kept_bytes = r->document.text_bytes;
    } else {
        visit_report_returned(r, st);
    }
}

/* ---- the end ---- */

void
visit_report_read(struct visit_report *r)
{
    struct fetch_reply *reply = &r->v->reply;

    if (!frontier_is_rules(r->v->lease.kind))
        buf_free(&reply->body);
    buf_free(&reply->refusal);
    buf_free(&reply->request);
    buf_free(&r->v->html);
    r->bytes = sizeof *r->v + arena_used(r->v->arena) + reply->body.cap +
               reply->head.cap;
}

struct crawl_log_entry
visit_report_line(const struct visit_report *r, const struct opts *o)
{
    struct crawl_log_entry e = r->log;

    if (r->done.outcome == OUTCOME_REDIRECT && e.kind == CRAWL_LOG_PAGE)
        e.kind = CRAWL_LOG_REDIRECT;
    e.outcome = r->done.outcome;
    if (outcome_was_last_try(&r->done, &r->v->lease, o))
        e.outcome = OUTCOME_FAILED;
    e.not_contacted = e.outcome == OUTCOME_FAILED && !r->done.contacted;
    e.verdict = r->done.verdict;
    e.kept_bytes = r->done.kept_bytes;
    e.id = r->outcome.document ? str_c(r->id.z) : S("");
    e.of = r->outcome.document ? str_c(r->of.z) : S("");
    return e;
}
