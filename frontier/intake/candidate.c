/* candidate.c -- see candidate.h. */
#include "candidate.h"

#include <stdlib.h>

#include "frontier/store/pack.h"

/* ---- records ---- */

enum { RECORD_STEER = 1, TRAP_SHIFT = 1 }; /* of a byte */

void
candidate_record(struct buf *out, struct buf *queued, const struct candidate *c)
{
    row_queued_write(queued, &c->q);
    buf_clear(out);
    buf_add(out, c->key.bytes, sizeof c->key.bytes);
    pack_number(out, c->sequence);
    pack_fixed(out, c->priority, 2);
    pack_fixed(out,
               (c->steer ? RECORD_STEER : 0u) | (unsigned)c->trap << TRAP_SHIFT,
               1);
    pack_text(out, c->authority);
    pack_text(out, c->domain);
    buf_str(out, buf_view(queued));
}

bool
candidate_read(struct candidate *c, struct str record)
{
    struct unpack u = {record, false};
    unsigned flags;

    *c = (struct candidate){.links = 1};
    if (record.n < sizeof c->key.bytes)
        return false;
    memcpy(c->key.bytes, record.p, sizeof c->key.bytes);
    u.left = str_sub(record, sizeof c->key.bytes, record.n);
    c->sequence = unpack_number(&u);
    c->priority = (uint16_t)unpack_fixed(&u, 2);
    flags = (unsigned)unpack_fixed(&u, 1);
    c->steer = flags & RECORD_STEER;
    c->trap = (enum trap)(flags >> TRAP_SHIFT);
    c->authority = unpack_text(&u);
    c->domain = unpack_text(&u);
    c->row = u.left;
    return !u.bad && c->trap < TRAP_N && c->priority > 0 &&
           c->authority.n > 0 && row_queued_read(&c->q, u.left);
}

/* ---- order ---- */

static int
by_key(const void *x, const void *y)
{
    const struct candidate *a = *(struct candidate *const *)x,
                           *b = *(struct candidate *const *)y;
    int c = memcmp(a->key.bytes, b->key.bytes, sizeof a->key.bytes);

    return c != 0 ? c
                  : (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

void
candidate_sort(struct candidate **c, size_t n)
{
    qsort(c, n, sizeof *c, by_key);
}

size_t
candidate_join(struct candidate **c, size_t n)
{
    size_t left = 0;

    for (size_t i = 0, end; i < n; i = end) {
        struct candidate *best = c[i];
        uint64_t sequence = best->sequence;
        uint32_t depth = best->q.facts.depth, links = best->links;

        for (end = i + 1; end < n && candidate_same_url(c[i], c[end]); end++) {
            if (c[end]->priority > best->priority)
                best = c[end];
            if (c[end]->q.facts.depth < depth)
                depth = c[end]->q.facts.depth;
            links += c[end]->links;
        }
        if (best->q.facts.depth != depth)
            best->row = S(""); /* it says another depth */
        best->sequence = sequence;
        best->q.facts.depth = depth;
        best->links = links;
        c[left++] = best;
    }
    return left;
}

/* ---- what the URL says ---- */

static struct row_seen_key
twin_key(const struct candidate *c, enum row_keys keys, struct buf *room)
{
    buf_clear(room);
    buf_c(room, c->q.https ? "http" : "https");
    buf_c(room, "://");
    buf_str(room, c->authority);
    buf_str(room, c->q.rest);
    return row_seen_key(keys, c->authority, buf_view(room));
}

void
candidate_prepare(struct candidate *c, enum row_keys keys, struct buf *room)
{
    if (c->steer)
        c->twin = twin_key(c, keys, room);
    c->kinds = url_class_kinds(c->q.rest);
}
