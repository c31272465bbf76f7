/* schema1.c -- see schema1.h.  Nothing writes these rows any more. */
#include "schema1.h"

#include "pack.h"

#define KEY_SIZE 11u /* be32 host | be16 65535-priority | be40 sequence */
#define CAUSES 10u   /* CAUSE_KEPT to CAUSE_REDIRECT */

enum {
    FLAG_BADNESS = 1,
    FLAG_KEPT = 2, /* the linking page */
    FLAG_SEED = 4,
    FLAG_HTTPS = 8,
    FLAG_WHOLE = 16,
    FLAG_ROBOTS = 32,
    RELATION_SHIFT = 6
};

enum { HOST_LEASED = 1, HOST_PENDING = 2 };

static bool
place_read(struct row_place *out, struct unpack *u)
{
    *out = (struct row_place){.host = (uint32_t)unpack_fixed(u, 4)};
    out->priority = (uint16_t)(65535u - unpack_fixed(u, 2));
    out->sequence = unpack_fixed(u, 5);
    return !u->bad && u->left.n == 0;
}

bool
schema1_queue_place(struct row_place *out, struct str key)
{
    struct unpack u = {key, false};

    return key.n == KEY_SIZE && place_read(out, &u);
}

bool
schema1_later_place(struct row_place *out, uint64_t *due_ms, struct str key)
{
    struct unpack u = {key, false};

    *due_ms = unpack_fixed(&u, 8);
    return place_read(out, &u);
}

static unsigned
facts_read(struct row_facts *f, struct unpack *u)
{
    unsigned flags = (unsigned)unpack_fixed(u, 1);

    *f = (struct row_facts){.has_badness = flags & FLAG_BADNESS,
                            .seed = flags & FLAG_SEED,
                            .parent =
                                flags & FLAG_KEPT ? PARENT_KEPT : PARENT_NONE,
                            .relation = flags >> RELATION_SHIFT & 3u};
    f->depth = unpack_u32(u);
    f->redirects = unpack_u32(u);
    if (f->has_badness)
        f->badness = (float)unpack_fixed(u, 2) / 100;
    f->boilerplate = (float)unpack_fixed(u, 2) / 10000;
    f->parent_host = unpack_u32(u);
    if (f->parent_host != 0)
        f->parent_hash = row_parent_hash(unpack_fixed(u, 8));
    return flags;
}

bool
schema1_queued_read(struct row_queued *q, struct str bytes)
{
    struct unpack u = {bytes, false};
    unsigned flags;

    *q = (struct row_queued){0};
    flags = facts_read(&q->facts, &u);
    q->https = flags & FLAG_HTTPS;
    q->whole = flags & FLAG_WHOLE;
    q->kind = flags & FLAG_ROBOTS ? FRONTIER_ROBOTS : FRONTIER_PAGE;
    q->attempts = unpack_u32(&u);
    if (q->kind == FRONTIER_ROBOTS)
        q->robots_of = unpack_u32(&u);
    q->rest = u.left;
    return !u.bad;
}

bool
schema1_seen_read(struct row_seen *s, struct str bytes)
{
    struct unpack u = {bytes, false};

    *s = (struct row_seen){.state = (enum row_state)unpack_fixed(&u, 1)};
    if (s->state == ROW_QUEUED || s->state == ROW_LATER)
        return !u.bad;
    s->place.priority = (uint16_t)unpack_fixed(&u, 2);
    facts_read(&s->facts, &u);
    s->outcome = (enum frontier_outcome)unpack_number(&u);
    s->ended_ms = unpack_number(&u);
    s->has_badness = unpack_fixed(&u, 1) != 0;
    if (s->has_badness)
        s->badness = (float)unpack_fixed(&u, 2) / 100;
    s->reason = unpack_text(&u);
    return !u.bad && row_has_ended(s->state);
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

bool
schema1_host_read(struct row_host *h, struct str bytes, struct shelf *room)
{
    struct unpack u = {bytes, false};
    unsigned flags = (unsigned)unpack_fixed(&u, 1);

    *h = (struct row_host){.shelves = {room, 1, SHELVES_MAX}};
    room[0] = (struct shelf){.kind = SHELF_REST};
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
    (void)unpack_number(&u);   /* rows in its queue, */
    (void)unpack_fixed(&u, 2); /* the best one's priority */
    (void)unpack_number(&u);   /* and sequence: counted anew */
    h->fetched = unpack_number(&u);
    h->fetched_bytes = unpack_number(&u);
    h->kept_bytes = unpack_number(&u);
    for (size_t i = 0; i < CAUSES; i++)
        h->causes.n[i] = room[0].causes.n[i] = unpack_u32(&u);
    if (flags & HOST_LEASED)
        lease_read(&h->lease, &u);
    return !u.bad;
}
