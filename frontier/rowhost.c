/* rowhost.c -- the larger rows of row.h: a host, and the counters in meta. */
#include "pack.h"
#include "row.h"

static const char *const cause_names[CAUSE_N] = {
    [CAUSE_KEPT] = "kept",
    [CAUSE_SHORT] = "short",
    [CAUSE_LANGUAGE] = "language",
    [CAUSE_BADNESS] = "badness",
    [CAUSE_EXACT] = "exact_duplicate",
    [CAUSE_NEAR] = "near_duplicate",
    [CAUSE_OTHER] = "other",
    [CAUSE_ERROR] = "error",
    [CAUSE_REFUSED] = "refused",
    [CAUSE_REDIRECT] = "redirect",
};

const char *
row_cause_name(enum row_cause c)
{
    return cause_names[c];
}

enum row_cause
row_cause(struct str reason)
{
    for (int i = 0; i < CAUSE_OTHER; i++)
        if (str_eq(reason, str_c(cause_names[i])))
            return (enum row_cause)i;
    return CAUSE_OTHER;
}

static void
lease_write(struct buf *out, const struct row_lease *l)
{
    pack_fixed(out, l->kind == FRONTIER_ROBOTS, 1);
    pack_fixed(out, l->crawler, 8);
    pack_number(out, l->call);
    pack_number(out, l->started_ms);
    pack_number(out, l->deadline_ms - l->started_ms);
    pack_fixed(out, l->url_hash, 8);
    pack_fixed(out, l->place.priority, 2);
    pack_number(out, l->place.sequence);
    pack_number(out, l->robots_of);
}

static void
lease_read(struct row_lease *l, struct unpack *u)
{
    l->out = true;
    l->kind = unpack_fixed(u, 1) ? FRONTIER_ROBOTS : FRONTIER_PAGE;
    l->crawler = unpack_fixed(u, 8);
    l->call = unpack_number(u);
    l->started_ms = unpack_number(u);
    l->deadline_ms = l->started_ms + unpack_number(u);
    l->url_hash = unpack_fixed(u, 8);
    l->place.priority = (uint16_t)unpack_fixed(u, 2);
    l->place.sequence = unpack_number(u);
    l->robots_of = unpack_u32(u);
}

enum { HOST_LEASED = 1, HOST_PENDING = 2 };

void
row_host_write(struct buf *out, const struct row_host *h)
{
    buf_clear(out);
    pack_fixed(out,
               (h->lease.out ? HOST_LEASED : 0u) |
                   (h->robots.pending ? HOST_PENDING : 0u),
               1);
    pack_text(out, h->name);
    pack_text(out, h->domain);
    pack_number(out, h->next_contact_ms);
    pack_number(out, h->failures);
    pack_number(out, h->robots.version);
    pack_number(out, h->robots.fetched_ms);
    pack_number(out, h->robots.expiry_ms);
    pack_number(out, h->robots.retry_ms);
    pack_number(out, h->robots.status);
    pack_number(out, h->robots.unreachable);
    pack_number(out, h->robots.crawl_delay_ms);
    pack_number(out, h->queued);
    pack_fixed(out, h->head_priority, 2);
    pack_number(out, h->head_sequence);
    pack_number(out, h->fetched);
    pack_number(out, h->fetched_bytes);
    pack_number(out, h->kept_bytes);
    for (int i = 0; i < CAUSE_N; i++)
        pack_number(out, h->causes[i]);
    pack_number(out, h->shapes.n);
    for (size_t i = 0; i < h->shapes.n; i++) {
        pack_fixed(out, h->shapes.item[i].id, 4);
        pack_number(out, h->shapes.item[i].useful);
        pack_number(out, h->shapes.item[i].wasted);
    }
    if (h->lease.out)
        lease_write(out, &h->lease);
}

bool
row_host_read(struct row_host *h, struct str bytes)
{
    struct unpack u = {bytes, false};
    unsigned flags = (unsigned)unpack_fixed(&u, 1);

    *h = (struct row_host){0};
    h->robots.pending = flags & HOST_PENDING;
    h->name = unpack_text(&u);
    h->domain = unpack_text(&u);
    h->next_contact_ms = unpack_number(&u);
    h->failures = unpack_u32(&u);
    h->robots.version = unpack_number(&u);
    h->robots.fetched_ms = unpack_number(&u);
    h->robots.expiry_ms = unpack_number(&u);
    h->robots.retry_ms = unpack_number(&u);
    h->robots.status = unpack_u32(&u);
    h->robots.unreachable = unpack_u32(&u);
    h->robots.crawl_delay_ms = unpack_u32(&u);
    h->queued = unpack_number(&u);
    h->head_priority = (uint16_t)unpack_fixed(&u, 2);
    h->head_sequence = unpack_number(&u);
    h->fetched = unpack_number(&u);
    h->fetched_bytes = unpack_number(&u);
    h->kept_bytes = unpack_number(&u);
    for (int i = 0; i < CAUSE_N; i++)
        h->causes[i] = unpack_number(&u);
    h->shapes.n = (size_t)unpack_number(&u);
    if (h->shapes.n > SHAPES_MAX)
        return false;
    for (size_t i = 0; i < h->shapes.n; i++) {
        h->shapes.item[i].id = (uint32_t)unpack_fixed(&u, 4);
        h->shapes.item[i].useful = unpack_u32(&u);
        h->shapes.item[i].wasted = unpack_u32(&u);
    }
    if (flags & HOST_LEASED)
        lease_read(&h->lease, &u);
    return !u.bad;
}

/* The durable counters in the order they are written. */
#define COUNTERS(X)                                                            \
    X(totals.pages)                                                            \
    X(totals.kept)                                                             \
    X(totals.fetched_bytes)                                                    \
    X(totals.kept_bytes)                                                       \
    X(totals.seen)                                                             \
    X(totals.queued)                                                           \
    X(totals.leased)                                                           \
    X(totals.done)                                                             \
    X(totals.failed)                                                           \
    X(totals.refused)                                                          \
    X(totals.hosts)                                                            \
    X(sequence)                                                                \
    X(totals.links_refused)                                                    \
    X(totals.robots)

void
row_counters_write(struct buf *out, const struct row_counters *c)
{
    buf_clear(out);
#define X(field) pack_number(out, c->field);
    COUNTERS(X)
#undef X
    pack_number(out, c->host);
    for (int i = 0; i < FRONTIER_CLASSES; i++)
        pack_number(out, c->totals.queued_by_priority[i]);
}

bool
row_counters_read(struct row_counters *c, struct str bytes)
{
    struct unpack u = {bytes, false};

    *c = (struct row_counters){0};
#define X(field) c->field = unpack_number(&u);
    COUNTERS(X)
#undef X
    c->host = unpack_u32(&u);
    for (int i = 0; i < FRONTIER_CLASSES; i++)
        c->totals.queued_by_priority[i] = unpack_number(&u);
    return !u.bad;
}
