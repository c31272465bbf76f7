/* outcome.c -- see outcome.h.
 *
 * Passing failures are RETRY: the frontier counts the tries.  Which those are
 * is what verdict_kind() says.  A redirect is one link that takes the page's
 * place; whether its target may be fetched is asked again when it is leased. */
#include "outcome.h"

#include "clean/charset/sniff.h"
#include "clean/cleaner/cleaner.h"
#include "clean/interstitial/interstitial.h"
#include "crawler/admit/outlinks.h"
#include "crawler/admit/robots.h"
#include "crawler/admit/tdmrep.h"
#include "crawler/visit/cookies.h"

#include <math.h>

static void
ended(struct outcome *out, enum frontier_outcome what, enum verdict verdict)
{
    out->what = what;
    out->verdict = verdict;
}

static bool
is_redirect(const struct fetch_reply *r)
{
    return r->has_location &&
           (r->status == 301 || r->status == 302 || r->status == 303 ||
            r->status == 307 || r->status == 308);
}

/* A robots.txt is followed anywhere (RFC 9309, section 2.3.1.2), and so is a
 * tdmrep.json: what they say counts for the host that was asked. */
static bool
leads_where_we_may(enum frontier_kind kind, const struct url *to,
                   const struct scope *s)
{
    if (frontier_is_rules(kind))
        return true;
    return kind == FRONTIER_PAGE ? scope_admits(s, to->href, to->host)
                                 : scope_admits_host(s, to->host);
}

/* Bytes that are not ASCII have to come back to the server as they are,
 * whatever its encoding; the parser takes text, and what is no UTF-8 would be
 * lost. */
static struct str
location_of(const struct fetch_reply *r, struct arena *a)
{
    struct str from = buf_view(&r->location);
    struct buf to = {.arena = a};

    for (size_t i = 0; i < from.n; i++) {
        unsigned char c = (unsigned char)from.p[i];

        if (c < 0x80)
            buf_char(&to, from.p[i]);
        else
            buf_printf(&to, "%%%02X", c);
    }
    return buf_keep(&to);
}

/* Fills out->target, if it is a URL; why not, or VERDICT_REDIRECT. */
static enum verdict
find_target(struct outcome *out, const struct visit *v, const struct scope *s,
            const struct opts *o, struct arena *a)
{
    struct url to;

    switch (url_parse_plain_max(&to, a, location_of(&v->reply, a), &v->url,
                                o->frontier_url_size_max)) {
    case ST_OK: break;
    case ST_LIMIT: return VERDICT_REDIRECT_TOO_LONG;
    default: return VERDICT_REDIRECT_INVALID;
    }
    if (o->fetch_cookies && str_eq(to.host, v->url.host))
        out->cookies = cookies_of(v, a);
    if (str_eq(to.href, v->url.href) &&
        (out->cookies.n == 0 || v->cookie_hops >= COOKIE_HOPS_MAX))
        return VERDICT_REDIRECT_TO_ITSELF;
    outlink_fill(&out->target, to.href);
    if (!leads_where_we_may(v->lease.kind, &to, s))
        return VERDICT_REDIRECT_OUT_OF_SCOPE;
    return VERDICT_REDIRECT;
}

static void
redirect(struct outcome *out, const struct visit *v, const struct scope *s,
         const struct opts *o, struct arena *a)
{
    enum verdict found = find_target(out, v, s, o, a);

    if (found == VERDICT_REDIRECT &&
        v->lease.redirects >= o->fetch_redirects_max)
        found = VERDICT_REDIRECTS;
    ended(out, found == VERDICT_REDIRECT ? OUTCOME_REDIRECT : OUTCOME_FAILED,
          found);
}

/* Has another page been sent in place of this one?  Where a page came the chain
 * tells. */
static bool
is_interstitial(struct outcome *out, const struct fetch_reply *r)
{
    const struct interstitial_page p = {.status = r->status,
                                        .headers = buf_view(&r->head),
                                        .body = buf_view(&r->refusal)};
    enum verdict why = interstitial_of(&p);

    if (why != VERDICT_NONE)
        ended(out, OUTCOME_FAILED, why);
    return why != VERDICT_NONE;
}

static void
page_reply(struct outcome *out, const struct visit *v, const struct scope *s,
           const struct opts *o, struct arena *a)
{
    const struct fetch_reply *r = &v->reply;

    if (fetch_reply_has_page(r->status) && v->lease.kind == FRONTIER_SITEMAP) {
        out->sitemap = true;
        ended(out, OUTCOME_FETCHED, VERDICT_SITEMAP);
    } else if (r->status == 304 && v->lease.revisit > 0) {
        ended(out, OUTCOME_UNCHANGED, VERDICT_UNCHANGED);
    } else if (fetch_reply_has_page(r->status)) {
        out->document =
            v->kind != CONVERT_NONE ||
            sniff_is_html(buf_view(&r->content_type), buf_view(&r->body));
        if (out->document)
            ended(out, OUTCOME_FETCHED, VERDICT_NONE);
        else
            ended(out, OUTCOME_FAILED, VERDICT_NOT_HTML);
    } else if (is_interstitial(out, r)) {
        return;
    } else if (is_redirect(r)) {
        redirect(out, v, s, o, a);
    } else {
        enum verdict why = verdict_http(r->status);

        ended(out,
              verdict_kind(why) == VERDICT_KIND_RETRY ? OUTCOME_RETRY
                                                      : OUTCOME_FAILED,
              why);
    }
}

static void
page_outcome(struct outcome *out, const struct visit *v, const struct scope *s,
             const struct opts *o, struct arena *a)
{
    if (v->fault == VERDICT_NONE) {
        page_reply(out, v, s, o, a);
        return;
    }
    switch (verdict_kind(v->fault)) {
    case VERDICT_KIND_REFUSED:
        ended(out,
              v->fault == VERDICT_DISALLOWED ? OUTCOME_DISALLOWED
                                             : OUTCOME_OUT_OF_SCOPE,
              v->fault);
        break;
    case VERDICT_KIND_RETRY: ended(out, OUTCOME_RETRY, v->fault); break;
    case VERDICT_KIND_RETURNED: ended(out, OUTCOME_RETURNED, v->fault); break;
    default: ended(out, OUTCOME_FAILED, v->fault); break;
    }
}

static void
unreachable(struct outcome *out, enum verdict why)
{
    out->robots.unreachable = true;
    ended(out, OUTCOME_ROBOTS_DONE, why);
}

/* Sitemap lines give absolute URLs, and some do not; another host is allowed
 * when it is in scope. */
static void
name_sitemaps(struct outcome *out, const struct robots *rules,
              const struct visit *v, const struct scope *s,
              const struct opts *o, struct arena *a)
{
    static const struct str guess = STR("/sitemap.xml");
    const struct str *line;
    size_t n;
    struct url to;

    if (str_eq(o->sitemaps_use, S("off")))
        return;
    line = robots_sitemaps(rules, &n);
    if (n == 0 && str_eq(o->sitemaps_use, S("guess"))) {
        line = &guess;
        n = 1;
    }
    out->sitemaps = ARENA_ARRAY(a, struct frontier_link, n);
    for (size_t i = 0; i < n; i++) {
        struct frontier_link *link = &out->sitemaps[out->sitemaps_n];

        if (url_parse_plain_max(&to, a, line[i], &v->url,
                                o->frontier_url_size_max) != ST_OK ||
            !scope_admits_host(s, to.host))
            continue;
        outlink_fill(link, to.href);
        link->kind = FRONTIER_SITEMAP;
        out->sitemaps_n++;
    }
}

/* 2xx: the rules; 3xx: where else; 4xx: none, all is allowed; 5xx, 429 and no
 * answer: nobody knows, nothing is allowed for now. */
static void
robots_reply(struct outcome *out, const struct visit *v, const struct scope *s,
             const struct opts *o, struct str agent, struct arena *a)
{
    const struct fetch_reply *r = &v->reply;
    enum verdict found;

    out->robots.status = r->status;
    if (fetch_reply_has_page(r->status)) {
        out->robots.body = str_sub(buf_view(&r->body), 0, ROBOTS_BODY_MAX);
        out->rules =
            robots_parse(out->robots.body, agent, &o->politeness_robots_also);
        out->robots.crawl_delay_ms =
            robots_crawl_delay_ms(out->rules, o->politeness_crawl_delay_max_ms);
        name_sitemaps(out, out->rules, v, s, o, a);
        ended(out, OUTCOME_ROBOTS_DONE, VERDICT_ROBOTS);
    } else if (is_redirect(r)) {
        found = find_target(out, v, s, o, a);
        if (found == VERDICT_REDIRECT &&
            v->lease.redirects >= ROBOTS_REDIRECTS_MAX)
            found = VERDICT_REDIRECTS;
        ended(out,
              found == VERDICT_REDIRECT ? OUTCOME_REDIRECT
                                        : OUTCOME_ROBOTS_DONE,
              found);
    } else if (r->status >= 500 || r->status == 429) {
        unreachable(out, verdict_http(r->status));
    } else {
        ended(out, OUTCOME_ROBOTS_DONE, verdict_http(r->status));
    }
    if (out->what == OUTCOME_ROBOTS_DONE && !out->robots.unreachable &&
        out->rules == NULL)
        out->rules = robots_parse(S(""), agent, NULL);
}

/* A host that may not be contacted, or does not exist, has no robots.txt: its
 * pages will say so, each for itself. */
static void
robots_outcome(struct outcome *out, const struct visit *v,
               const struct scope *s, const struct opts *o, struct str agent,
               struct arena *a)
{
    if (v->fault == VERDICT_NONE) {
        robots_reply(out, v, s, o, agent, a);
        return;
    }
    switch (verdict_kind(v->fault)) {
    case VERDICT_KIND_REFUSED:
        ended(out, OUTCOME_OUT_OF_SCOPE, v->fault);
        break;
    case VERDICT_KIND_RETURNED: ended(out, OUTCOME_RETURNED, v->fault); break;
    default:
        if (v->fault == VERDICT_NO_SUCH_HOST || v->fault == VERDICT_BAD_URL)
            ended(out, OUTCOME_FAILED, v->fault);
        else
            unreachable(out, v->fault);
        break;
    }
}

/* As a page, but that it is none: 200 is what it says, a redirect is followed,
 * what is passing is tried again, and anything else says nothing. */
static void
tdmrep_outcome(struct outcome *out, const struct visit *v,
               const struct scope *s, const struct opts *o, struct arena *a)
{
    if (v->fault == VERDICT_NONE && fetch_reply_has_page(v->reply.status)) {
        out->robots.status = v->reply.status;
        out->robots.body = tdmrep_read(buf_view(&v->reply.body), a);
        ended(out, OUTCOME_ROBOTS_DONE, VERDICT_TDMREP);
    } else {
        page_outcome(out, v, s, o, a);
        out->document = out->sitemap = false;
    }
}

void
outcome_of(struct outcome *out, const struct visit *v, const struct scope *s,
           const struct opts *o, struct str agent, struct arena *a)
{
    *out = (struct outcome){0};
    if (v->lease.kind == FRONTIER_ROBOTS)
        robots_outcome(out, v, s, o, agent, a);
    else if (v->lease.kind == FRONTIER_TDMREP)
        tdmrep_outcome(out, v, s, o, a);
    else
        page_outcome(out, v, s, o, a);
}

void
outcome_signals(struct frontier_done *done, const struct document *d)
{
    done->has_badness = d->tokens_n > 0 && isfinite(d->badness);
    done->badness = done->has_badness ? (float)d->badness : 0;
    done->other_language = done->has_badness && d->badness_best < d->badness &&
                           !str_eq(d->language_best, d->language);
}

bool
outcome_was_last_try(const struct frontier_done *d,
                     const struct frontier_lease *lease, const struct opts *o)
{
    return d->outcome == OUTCOME_RETRY && !frontier_is_rules(d->kind) &&
           lease->attempts >= o->politeness_retries;
}

bool
outcome_is_unchanged(const struct frontier_done *d,
                     const struct frontier_lease *lease)
{
    return lease->revisit > 0 && d->verdict == VERDICT_EXACT_DUPLICATE;
}

bool
outcome_is_page(const struct frontier_done *d,
                const struct frontier_lease *lease, const struct opts *o)
{
    if (d->kind != FRONTIER_PAGE)
        return false;
    switch (d->outcome) {
    case OUTCOME_FETCHED: return !outcome_is_unchanged(d, lease);
    case OUTCOME_FAILED: return d->contacted;
    case OUTCOME_RETRY:
        return d->contacted && outcome_was_last_try(d, lease, o);
    default: return false;
    }
}
