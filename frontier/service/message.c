/* message.c -- see message.h.
 *
 * protobuf strings end at the first NUL; URLs here never hold one. */
#include "message.h"

#include "base/language_tag.h"
#include "base/link.h"
#include "proto/pack.h"

#include <math.h>

#define MEMORY_FACTOR 24u /* a URL of 60 bytes needs some 4 */

enum status
message_read_request(message_request **out, struct arena *a, struct str bytes)
{
    *out = (message_request *)unpack_message(
        &winnow__frontier__request__descriptor, a, bytes, MEMORY_FACTOR);
    return *out != NULL ? ST_OK : ST_INVALID;
}

enum status
message_read_reply(message_reply **out, struct arena *a, struct str bytes)
{
    *out = (message_reply *)unpack_message(&winnow__frontier__reply__descriptor,
                                           a, bytes, MEMORY_FACTOR);
    return *out != NULL ? ST_OK : ST_INVALID;
}

void
message_write_request(struct buf *out, const message_request *m)
{
    buf_clear(out);
    pack_message(out, &m->base);
}

void
message_write_reply(struct buf *out, const message_reply *m)
{
    buf_clear(out);
    pack_message(out, &m->base);
}

/* ---- kinds ---- */

static enum frontier_kind
kind_from(Winnow__Frontier__Kind k)
{
    return k == WINNOW__FRONTIER__KIND__ROBOTS    ? FRONTIER_ROBOTS
           : k == WINNOW__FRONTIER__KIND__TDMREP  ? FRONTIER_TDMREP
           : k == WINNOW__FRONTIER__KIND__SITEMAP ? FRONTIER_SITEMAP
                                                  : FRONTIER_PAGE;
}

static Winnow__Frontier__Kind
kind_to(enum frontier_kind k)
{
    return k == FRONTIER_ROBOTS    ? WINNOW__FRONTIER__KIND__ROBOTS
           : k == FRONTIER_TDMREP  ? WINNOW__FRONTIER__KIND__TDMREP
           : k == FRONTIER_SITEMAP ? WINNOW__FRONTIER__KIND__SITEMAP
                                   : WINNOW__FRONTIER__KIND__PAGE;
}

/* ---- from messages ---- */

static float
sane(float v, float most)
{
    if (!(v > 0)) /* NaN as well */
        return 0;
    return v < most ? v : most;
}

struct frontier_link *
message_links(struct arena *a, message_link **m, size_t n)
{
    struct frontier_link *links = ARENA_ARRAY(a, struct frontier_link, n);

    for (size_t i = 0; i < n; i++) {
        links[i].url = str_c(m[i]->url);
        links[i].domain = str_c(m[i]->domain);
        links[i].anchor = str_c(m[i]->anchor);
        links[i].path =
            str_sub(str_n((const char *)m[i]->path.data, m[i]->path.len), 0,
                    (size_t)2 * LINK_PATH_STEPS);
        links[i].language = str_c(m[i]->language);
        if (links[i].language.n > LANGUAGE_TAG_MAX)
            links[i].language = S("");
        links[i].within = (uint8_t)m[i]->within;
        links[i].words = m[i]->words <= LINK_WORDS_OTHER_SURE
                             ? (enum link_words)m[i]->words
                             : LINK_WORDS_NONE;
        links[i].boilerplate = sane(m[i]->boilerplate, 1);
        links[i].relation = m[i]->relation;
        links[i].kind = m[i]->kind == WINNOW__FRONTIER__KIND__SITEMAP
                            ? FRONTIER_SITEMAP
                            : FRONTIER_PAGE;
        links[i].lastmod_ms = m[i]->lastmod_ms;
        links[i].has_hint = m[i]->has_hint;
        links[i].hint = sane(m[i]->hint, 1);
    }
    return links;
}

void
message_to_robots(struct frontier_robots *out, const message_robots *m)
{
    *out = (struct frontier_robots){0};
    if (m == NULL)
        return;
    out->status = m->status;
    out->body = str_n((const char *)m->body.data, m->body.len);
    out->unreachable = m->unreachable;
    out->crawl_delay_ms = m->crawl_delay_ms;
}

/* Two times, or a time and how long ago; never below 0. */
static uint64_t
before(uint64_t now_ms, uint64_t ms)
{
    return ms < now_ms ? now_ms - ms : 0;
}

void
message_to_done(struct frontier_done *out, struct arena *a,
                const message_done *m, uint64_t now_ms)
{
    *out = (struct frontier_done){
        .url = str_c(m->url),
        .call = m->call,
        .kind = kind_from(m->kind),
        .outcome = (unsigned)m->outcome < OUTCOME_N
                       ? (enum frontier_outcome)m->outcome
                       : OUTCOME_RETURNED,
        .verdict =
            verdict_is(m->verdict) ? (enum verdict)m->verdict : VERDICT_OTHER,
        .address = str_c(m->address),
        .finished_ms = before(now_ms, m->ago_ms),
        .contacted = m->contacted,
        .fetched_bytes = m->fetched_bytes,
        .kept_bytes = m->kept_bytes,
        .badness = sane(m->badness, 1e6f),
        .has_badness = m->has_badness,
        .other_language = m->other_language,
        .retry_after_ms = m->retry_after_ms,
        .took_ms = m->took_ms,
        .etag = str_c(m->etag),
        .last_modified = str_c(m->last_modified),
        .digest = m->digest,
        .id = str_c(m->id),
        .links = message_links(a, m->links, m->n_links),
        .links_n = m->n_links,
    };
    message_to_robots(&out->robots, m->robots);
}

void
message_to_ended(struct frontier_done *out, const message_ended *m,
                 uint64_t now_ms)
{
    *out = (struct frontier_done){.url = str_c(m->url),
                                  .call = m->call,
                                  .kind = FRONTIER_PAGE,
                                  .finished_ms = before(now_ms, m->ago_ms),
                                  .contacted = true,
                                  .took_ms = m->took_ms};
}

message_ended *
message_from_ended(struct arena *a, const struct frontier_done *d,
                   uint64_t now_ms)
{
    message_ended *m = ARENA_NEW(a, message_ended);

    winnow__frontier__ended__init(m);
    m->url = arena_cstr(a, d->url);
    m->call = d->call;
    m->ago_ms = before(now_ms, d->finished_ms);
    m->took_ms = d->took_ms;
    return m;
}

void
message_to_lease(struct frontier_lease *out, struct arena *a,
                 const message_lease *m)
{
    *out = (struct frontier_lease){
        .url = arena_str(a, str_c(m->url)),
        .authority = arena_str(a, str_c(m->authority)),
        .owner = arena_str(a, str_c(m->owner)),
        .kind = kind_from(m->kind),
        .call = m->call,
        .depth = m->depth,
        .redirects = m->redirects,
        .attempts = m->attempts,
        .score = sane(m->score, 1),
        .robots_version = m->robots_version,
        .parent_badness = sane(m->parent_badness, 1e6f),
        .boilerplate = sane(m->boilerplate, 1),
        .explored = m->explored,
        .home_page = m->home_page,
        .address_known = m->address_known,
        .revisit = m->revisit,
        .etag = arena_str(a, str_c(m->etag)),
        .last_modified = arena_str(a, str_c(m->last_modified)),
        .lastmod_ms = m->lastmod_ms,
    };
}

#define TOTALS(X)                                                              \
    X(pages)                                                                   \
    X(kept)                                                                    \
    X(fetched_bytes)                                                           \
    X(kept_bytes)                                                              \
    X(seen)                                                                    \
    X(queued)                                                                  \
    X(leased)                                                                  \
    X(done)                                                                    \
    X(failed)                                                                  \
    X(refused)                                                                 \
    X(hosts)                                                                   \
    X(hosts_ready)                                                             \
    X(hosts_waiting)                                                           \
    X(hosts_full)                                                              \
    X(robots)                                                                  \
    X(sitemaps)                                                                \
    X(revisits)                                                                \
    X(unchanged)                                                               \
    X(deleted)                                                                 \
    X(held)                                                                    \
    X(late_reports)                                                            \
    X(idle_slots)                                                              \
    X(idle_ms)                                                                 \
    X(hosts_out)                                                               \
    X(links_dropped)                                                           \
    X(links_waiting)                                                           \
    X(links_respelled)                                                         \
    X(home_pages)                                                              \
    X(links_refused)

void
message_to_totals(struct frontier_totals *out, const message_totals *m)
{
    *out = (struct frontier_totals){0};
    if (m == NULL)
        return;
#define X(field) out->field = m->field;
    TOTALS(X)
#undef X
    for (size_t i = 0; i < m->n_queued_by_priority && i < FRONTIER_CLASSES; i++)
        out->queued_by_priority[i] = m->queued_by_priority[i];
    for (size_t i = 0; i < m->n_traps && i < TRAP_N; i++)
        out->traps[i] = m->traps[i];
}

/* ---- to messages ---- */

message_link **
message_from_links(struct arena *a, const struct frontier_link *links, size_t n)
{
    message_link **out = ARENA_ARRAY(a, message_link *, n);

    for (size_t i = 0; i < n; i++) {
        message_link *m = ARENA_NEW(a, message_link);

        winnow__frontier__link__init(m);
        m->url = arena_cstr(a, links[i].url);
        m->domain = arena_cstr(a, links[i].domain);
        m->anchor = arena_cstr(a, links[i].anchor);
        m->path.data = (uint8_t *)(uintptr_t)links[i].path.p;
        m->path.len = links[i].path.n;
        m->language = arena_cstr(a, links[i].language);
        m->within = links[i].within;
        m->words = links[i].words;
        m->boilerplate = links[i].boilerplate;
        m->relation = links[i].relation;
        m->kind = kind_to(links[i].kind);
        m->lastmod_ms = links[i].lastmod_ms;
        m->has_hint = links[i].has_hint;
        m->hint = links[i].hint;
        out[i] = m;
    }
    return out;
}

message_robots *
message_from_robots(struct arena *a, const struct frontier_robots *r)
{
    message_robots *m = ARENA_NEW(a, message_robots);

    winnow__frontier__robots__init(m);
    m->status = r->status;
    m->body.data = (uint8_t *)arena_cstr(a, r->body);
    m->body.len = r->body.n;
    m->unreachable = r->unreachable;
    m->crawl_delay_ms = r->crawl_delay_ms;
    return m;
}

message_done *
message_from_done(struct arena *a, const struct frontier_done *d,
                  uint64_t now_ms)
{
    message_done *m = ARENA_NEW(a, message_done);

    winnow__frontier__done__init(m);
    m->url = arena_cstr(a, d->url);
    m->call = d->call;
    m->kind = kind_to(d->kind);
    m->outcome = (Winnow__Frontier__Outcome)d->outcome;
    m->verdict = (uint32_t)d->verdict;
    m->address = arena_cstr(a, d->address);
    m->ago_ms = before(now_ms, d->finished_ms);
    m->contacted = d->contacted;
    m->fetched_bytes = d->fetched_bytes;
    m->kept_bytes = d->kept_bytes;
    m->badness = d->badness;
    m->has_badness = d->has_badness;
    m->other_language = d->other_language;
    m->retry_after_ms = d->retry_after_ms;
    m->took_ms = d->took_ms;
    m->etag = arena_cstr(a, d->etag);
    m->last_modified = arena_cstr(a, d->last_modified);
    m->digest = d->digest;
    m->id = arena_cstr(a, d->id);
    m->links = message_from_links(a, d->links, d->links_n);
    m->n_links = d->links_n;
    if (frontier_is_rules(d->kind))
        m->robots = message_from_robots(a, &d->robots);
    return m;
}

message_lease *
message_from_lease(struct arena *a, const struct frontier_lease *l)
{
    message_lease *m = ARENA_NEW(a, message_lease);

    winnow__frontier__lease__init(m);
    m->url = arena_cstr(a, l->url);
    m->authority = arena_cstr(a, l->authority);
    m->owner = arena_cstr(a, l->owner);
    m->kind = kind_to(l->kind);
    m->call = l->call;
    m->depth = l->depth;
    m->redirects = l->redirects;
    m->attempts = l->attempts;
    m->score = l->score;
    m->robots_version = l->robots_version;
    m->parent_badness = l->parent_badness;
    m->boilerplate = l->boilerplate;
    m->explored = l->explored;
    m->home_page = l->home_page;
    m->address_known = l->address_known;
    m->revisit = l->revisit;
    m->etag = arena_cstr(a, l->etag);
    m->last_modified = arena_cstr(a, l->last_modified);
    m->lastmod_ms = l->lastmod_ms;
    return m;
}

message_totals *
message_from_totals(struct arena *a, const struct frontier_totals *t)
{
    message_totals *m = ARENA_NEW(a, message_totals);

    winnow__frontier__totals__init(m);
#define X(field) m->field = t->field;
    TOTALS(X)
#undef X
    m->n_queued_by_priority = FRONTIER_CLASSES;
    m->queued_by_priority = ARENA_ARRAY(a, uint64_t, FRONTIER_CLASSES);
    memcpy(m->queued_by_priority, t->queued_by_priority,
           sizeof t->queued_by_priority);
    m->n_traps = TRAP_N;
    m->traps = ARENA_ARRAY(a, uint64_t, TRAP_N);
    memcpy(m->traps, t->traps, sizeof t->traps);
    return m;
}
