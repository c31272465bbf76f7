/* rowhost.c -- the larger rows of row.h: a host, and the counters in meta. */
#include "pack.h"
#include "row.h"

struct str
row_host_domain(const struct row_host *h)
{
    return h->domain.n > 0 ? h->domain : h->name;
}

enum { LEASE_EXPLORED = 0x80 }; /* with the kind */

void
row_lease_write(struct buf *out, const struct row_lease *l)
{
    buf_clear(out);
    pack_fixed(out, l->kind | (l->explored ? LEASE_EXPLORED : 0u), 1);
    pack_fixed(out, l->crawler, 8);
    pack_number(out, l->call);
    pack_number(out, l->started_ms);
    pack_number(out, l->deadline_ms - l->started_ms);
    pack_fixed(out, l->url_hash, 8);
    pack_fixed(out, l->position.url_class, 1);
    pack_fixed(out, l->position.priority, 2);
    pack_number(out, l->position.sequence);
    pack_number(out, l->owner);
}

bool
row_lease_read(struct row_lease *l, struct str bytes)
{
    struct unpack u = {bytes, false};
    unsigned kind = (unsigned)unpack_fixed(&u, 1);

    *l = (struct row_lease){.out = true};
    l->explored = kind & LEASE_EXPLORED;
    l->kind = (enum frontier_kind)(kind & ~(unsigned)LEASE_EXPLORED);
    l->crawler = unpack_fixed(&u, 8);
    l->call = unpack_number(&u);
    l->started_ms = unpack_number(&u);
    l->deadline_ms = l->started_ms + unpack_number(&u);
    l->url_hash = unpack_fixed(&u, 8);
    l->position.url_class = (uint8_t)unpack_fixed(&u, 1);
    l->position.priority = (uint16_t)unpack_fixed(&u, 2);
    l->position.sequence = unpack_number(&u);
    l->owner = unpack_u32(&u);
    return !u.bad && l->kind <= FRONTIER_TDMREP;
}

/* Most URL classes have met few outcome classes: a mask says which are counted.
 */
static void
url_class_write(struct buf *out, const struct url_class *s)
{
    unsigned met = 0;

    for (int i = 0; i < CLASS_N; i++)
        met |= s->outcomes.n[i] > 0 ? 1u << i : 0;
    pack_fixed(out, s->kind, 4);
    pack_number(out, s->queued);
    if (s->queued > 0) {
        pack_fixed(out, s->head_priority, 2);
        pack_number(out, s->head_sequence);
    }
    pack_number(out, met);
    for (int i = 0; i < CLASS_N; i++)
        if (s->outcomes.n[i] > 0)
            pack_number(out, s->outcomes.n[i]);
}

static void
url_class_read(struct url_class *s, struct unpack *u)
{
    uint64_t met;

    *s = (struct url_class){.kind = (uint32_t)unpack_fixed(u, 4)};
    s->queued = unpack_number(u);
    if (s->queued > 0) {
        s->head_priority = (uint16_t)unpack_fixed(u, 2);
        s->head_sequence = unpack_number(u);
    }
    met = unpack_number(u);
    for (int i = 0; i < CLASS_N; i++)
        if (met >> i & 1)
            s->outcomes.n[i] = unpack_u32(u);
}

static bool
url_classes_read(struct row_host *h, struct unpack *u, struct url_class *room)
{
    h->url_classes =
        (struct url_classes){room, (size_t)unpack_number(u), URL_CLASSES_MAX};
    if (h->url_classes.n > URL_CLASSES_MAX)
        return false;
    for (size_t i = 0; i < h->url_classes.n; i++) {
        url_class_read(&room[i], u);
        h->queued += room[i].queued;
        for (int c = 0; c < CLASS_N; c++)
            h->outcomes.n[c] += room[i].outcomes.n[c];
    }
    return true;
}

enum {
    HOST_PENDING = 2,
    HOST_MET = 4, /* contacted */
    HOST_GROWS = 8,
    HOST_TDMREP = 16
};

void
row_host_write(struct buf *out, const struct row_host *h)
{
    bool met = h->address != 0 || h->response_ms != 0 || h->sitemap_urls != 0;

    buf_clear(out);
    pack_fixed(out,
               (h->robots.pending ? HOST_PENDING : 0u) | (met ? HOST_MET : 0u) |
                   (h->growth > 0 ? HOST_GROWS : 0u) |
                   (h->robots.tdmrep ? HOST_TDMREP : 0u),
               1);
    pack_text(out, h->name);
    pack_text(out, h->domain);
    pack_number(out, h->next_contact_ms);
    if (met) {
        pack_fixed(out, h->address, 8);
        pack_number(out, h->response_ms);
        pack_number(out, h->sitemap_urls);
    }
    if (h->growth > 0)
        pack_fixed(out, h->growth, 1);
    pack_number(out, h->failures);
    pack_number(out, h->robots.version);
    pack_number(out, h->robots.fetched_ms);
    pack_number(out, h->robots.expiry_ms);
    pack_number(out, h->robots.retry_ms);
    pack_number(out, h->robots.status);
    pack_number(out, h->robots.unreachable);
    pack_number(out, h->robots.crawl_delay_ms);
    pack_number(out, h->fetched);
    pack_number(out, h->fetched_bytes);
    pack_number(out, h->kept_bytes);
    pack_number(out, h->url_classes.n);
    for (size_t i = 0; i < h->url_classes.n; i++)
        url_class_write(out, &h->url_classes.item[i]);
}

bool
row_host_read(struct row_host *h, struct str bytes, struct url_class *room)
{
    struct unpack u = {bytes, false};
    unsigned flags = (unsigned)unpack_fixed(&u, 1);

    *h = (struct row_host){0};
    h->robots.pending = flags & HOST_PENDING;
    h->robots.tdmrep = flags & HOST_TDMREP;
    h->name = unpack_text(&u);
    h->domain = unpack_text(&u);
    h->next_contact_ms = unpack_number(&u);
    if (flags & HOST_MET) {
        h->address = unpack_fixed(&u, 8);
        h->response_ms = unpack_u32(&u);
        h->sitemap_urls = unpack_number(&u);
    }
    if (flags & HOST_GROWS)
        h->growth = (uint8_t)unpack_fixed(&u, 1);
    h->failures = unpack_u32(&u);
    h->robots.version = unpack_number(&u);
    h->robots.fetched_ms = unpack_number(&u);
    h->robots.expiry_ms = unpack_number(&u);
    h->robots.retry_ms = unpack_number(&u);
    h->robots.status = unpack_u32(&u);
    h->robots.unreachable = unpack_u32(&u);
    h->robots.crawl_delay_ms = unpack_u32(&u);
    h->fetched = unpack_number(&u);
    h->fetched_bytes = unpack_number(&u);
    h->kept_bytes = unpack_number(&u);
    if (!url_classes_read(h, &u, room))
        return false;
    return !u.bad && u.left.n == 0;
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
    X(totals.robots)                                                           \
    X(totals.sitemaps)                                                         \
    X(totals.revisits)                                                         \
    X(totals.unchanged)                                                        \
    X(totals.deleted)

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
    for (int i = 0; i < TRAP_ACT; i++)
        pack_number(out, c->totals.traps[i]);
    pack_number(out, c->totals.held);
    pack_number(out, c->totals.late_reports);
    pack_number(out, c->totals.links_respelled);
    pack_number(out, c->totals.links_dropped);
    pack_number(out, c->totals.home_pages);
    for (int i = TRAP_ACT; i < TRAP_N; i++)
        pack_number(out, c->totals.traps[i]);
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
    for (int i = 0; i < TRAP_ACT; i++)
        c->totals.traps[i] = unpack_number(&u);
    c->totals.held = unpack_number(&u);
    c->totals.late_reports = unpack_number(&u);
    c->totals.links_respelled = unpack_number(&u);
    c->totals.links_dropped = unpack_number(&u);
    if (u.left.n > 0) /* a store of before had none */
        c->totals.home_pages = unpack_number(&u);
    for (int i = TRAP_ACT; i < TRAP_N && u.left.n > 0; i++)
        c->totals.traps[i] = unpack_number(&u);
    return !u.bad;
}
