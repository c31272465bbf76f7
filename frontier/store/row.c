/* row.c -- see row.h.  Values are written into a buf and read through one
 * bounds-checked cursor (the host row and the counters: rowhost.c). */
#include "row.h"
#include "frontier/features/url_language.h"

#include <math.h>

#include "base/big_endian.h"
#include "base/hash.h"
#include "frontier/features/trap.h"
#include "pack.h"

const char *
row_state_name(enum row_state s)
{
    switch (s) {
    case ROW_QUEUED: return "queued";
    case ROW_LATER: return "waiting";
    case ROW_DONE: return "done";
    case ROW_FAILED: return "failed";
    case ROW_REFUSED: return "refused";
    case ROW_HELD: return "held";
    case ROW_UNREPORTED: return "unreported";
    }
    return "unknown";
}

bool
row_url_split(struct row_url *out, struct str url)
{
    size_t from, end;

    if (str_starts(url, S("http://")))
        from = 7;
    else if (str_starts(url, S("https://")))
        from = 8;
    else
        return false;
    out->https = from == 8;
    for (end = from; end < url.n; end++)
        if (url.p[end] == '/' || url.p[end] == '?' || url.p[end] == '#')
            break;
        else if (url.p[end] == '@')
            return false;
    out->authority = str_sub(url, from, end);
    out->rest = str_sub(url, end, url.n);
    return out->authority.n > 0 && out->authority.n <= ROW_AUTHORITY_MAX;
}

/* ---- keys ---- */

struct row_seen_key
row_seen_key(enum row_keys keys, struct str authority, struct str url)
{
    struct row_seen_key k = {{0}};
    struct buf plain = {0};

    if (trap_without_session(&plain, url, keys >= ROW_KEYS_FORMS))
        url = buf_view(&plain);
    be_put(k.bytes, hash64(authority), 8);
    be_put(k.bytes + 8, hash64(url), 8);
    buf_free(&plain);
    return k;
}

#define QUEUE_KEY_SIZE 12u

static void
position_bytes(unsigned char *p, struct row_position position)
{
    be_put(p, position.host, 4);
    p[4] = position.url_class;
    be_put(p + 5, 65535u - position.priority, 2);
    be_put(p + 7, position.sequence, 5);
}

struct row_key
row_queue_key(struct row_position position)
{
    struct row_key k = {.n = QUEUE_KEY_SIZE};

    position_bytes(k.bytes, position);
    return k;
}

struct row_key
row_queue_url_class(uint32_t host, size_t url_class)
{
    struct row_key k = row_host_key(host);

    k.bytes[k.n++] = (unsigned char)url_class;
    return k;
}

struct row_key
row_later_key(uint64_t due_ms, struct row_position position)
{
    struct row_key k = {.n = 8 + QUEUE_KEY_SIZE};

    be_put(k.bytes, due_ms, 8);
    position_bytes(k.bytes + 8, position);
    return k;
}

struct row_key
row_host_key(uint32_t host)
{
    struct row_key k = {.n = 4};

    be_put(k.bytes, host, 4);
    return k;
}

bool
row_is_host_key(struct str key)
{
    return key.n == 4;
}

struct row_key
row_unreported_key(struct row_position position)
{
    struct row_key k = {.n = 9};

    be_put(k.bytes, position.host, 4);
    be_put(k.bytes + 4, position.sequence, 5);
    return k;
}

struct row_key
row_name_key(struct str authority)
{
    struct row_key k = {.n = 8};

    be_put(k.bytes, hash64(authority), 8);
    return k;
}

struct row_key
row_address_key(uint64_t address)
{
    struct row_key k = {.n = 8};

    be64_put(k.bytes, address);
    return k;
}

struct row_key
row_due_key(uint64_t due_ms, struct row_seen_key page)
{
    struct row_key k = {.n = 8 + sizeof page.bytes};

    be64_put(k.bytes, due_ms);
    memcpy(k.bytes + 8, page.bytes, sizeof page.bytes);
    return k;
}

bool
row_due_page(uint64_t *due_ms, struct row_seen_key *page, struct str key)
{
    if (key.n != 8 + sizeof page->bytes)
        return false;
    *due_ms = be64_get(key.p);
    memcpy(page->bytes, key.p + 8, sizeof page->bytes);
    return true;
}

uint32_t
row_be32(struct str bytes)
{
    return bytes.n < 4 ? 0 : (uint32_t)be_get(bytes.p, 4);
}

bool
row_queue_position(struct row_position *out, struct str key)
{
    if (key.n != QUEUE_KEY_SIZE)
        return false;
    out->host = (uint32_t)be_get(key.p, 4);
    out->url_class = (uint8_t)key.p[4];
    out->priority = (uint16_t)(65535u - be_get(key.p + 5, 2));
    out->sequence = be_get(key.p + 7, 5);
    return out->url_class < URL_CLASSES_MAX;
}

bool
row_later_position(struct row_position *out, uint64_t *due_ms, struct str key)
{
    if (key.n != 8 + QUEUE_KEY_SIZE)
        return false;
    *due_ms = be_get(key.p, 8);
    return row_queue_position(out, str_sub(key, 8, key.n));
}

/* ---- facts, queued, seen ---- */

enum {
    FLAG_BADNESS = 1,
    FLAG_SEED = 2,
    FLAG_HTTPS = 4,
    FLAG_LASTMOD = 8, /* in a sitemap, but a link is why it is queued */
    FLAG_ROBOTS = 16,
    FLAG_FEATURES = 32,
    FLAG_LISTED = 64, /* in a sitemap */
    FLAG_HINT = 128,
    FLAG_SITEMAP = 1 << 14,
    FLAG_EXPLORED = 1 << 15,
    PARENT_SHIFT = 8,
    FLAG_FORM = 1 << 11, /* always set: a row without it is no such row */
    RELATION_SHIFT = 12,
    CRASHES_SHIFT = 24 /* with the attempts */
};
_Static_assert(ROW_ATTEMPTS_MAX == (1u << CRASHES_SHIFT) - 1,
               "beside each other");
enum {
    FEATURES_FORM = 8, /* beside the words of the anchor; as FLAG_FORM */
    LANGUAGE_SHIFT = 5
};

static uint16_t
fixed(float v, float scale)
{
    float x = v * scale;

    if (!(x > 0)) /* NaN as well */
        return 0;
    return x > 65535 ? 65535 : (uint16_t)lrintf(x);
}

_Static_assert(URL_LANGUAGE_LAST == 7, "three bits of a byte");

static void
facts_write(struct buf *out, const struct row_facts *f, unsigned flags)
{
    flags |= f->has_badness ? FLAG_BADNESS : 0u;
    flags |= f->seed ? FLAG_SEED : 0u;
    flags |= f->explored ? FLAG_EXPLORED : 0u;
    flags |= f->sitemap ? FLAG_LISTED : 0u;
    flags |= f->has_hint ? FLAG_HINT : 0u;
    flags |= !f->sitemap && f->lastmod_ms > 0 ? FLAG_LASTMOD : 0u;
    flags |= (unsigned)f->parent << PARENT_SHIFT;
    flags |= (f->relation & 3u) << RELATION_SHIFT;
    pack_fixed(out, flags | FLAG_FORM, 2);
    pack_number(out, (uint64_t)f->depth << 1 | (f->redirects + f->nesting > 0));
    if (f->redirects + f->nesting > 0) {
        pack_number(out, f->redirects);
        pack_number(out, f->nesting);
    }
    if (f->has_badness)
        pack_fixed(out, fixed(f->badness, 100), 2);
    pack_fixed(out, fixed(f->boilerplate, 10000), 2);
    pack_number(out, f->parent_host);
    if (f->parent_host != 0)
        pack_fixed(out, f->parent_hash, ROW_PARENT_BYTES);
    if (flags & FLAG_FEATURES) {
        pack_fixed(out,
                   f->features.tenth * 16u + (f->features.level & 3u) * 4 +
                       (f->features.crowd & 3u),
                   1);
        pack_fixed(
            out, f->features.words * 16u + FEATURES_FORM + f->features.anchor_n,
            1);
        pack_fixed(out,
                   f->features.url_class | (f->features.language & 7u)
                                               << LANGUAGE_SHIFT,
                   1);
        pack_fixed(out, f->features.within, 1);
        pack_fixed(out, f->features.path, 2);
        for (size_t i = 0; i < f->features.anchor_n; i++)
            pack_fixed(out, f->features.anchor[i], 2);
    }
    if (flags & (FLAG_LISTED | FLAG_LASTMOD))
        pack_number(out, f->lastmod_ms / 1000);
    if (f->has_hint)
        pack_fixed(out, fixed(f->hint, 100), 1);
}

static void
link_features_read(struct link_features *p, struct unpack *u)
{
    unsigned where = (unsigned)unpack_fixed(u, 1);
    unsigned anchor = (unsigned)unpack_fixed(u, 1);
    unsigned of_page = (unsigned)unpack_fixed(u, 1);

    p->tenth = (uint8_t)(where >> 4);
    p->level = where >> 2 & 3;
    p->crowd = where & 3;
    p->words = (uint8_t)(anchor >> 4);
    p->anchor_n = anchor & 7;
    p->url_class = of_page & (URL_CLASSES_MAX - 1);
    p->language = (uint8_t)(of_page >> LANGUAGE_SHIFT);
    p->within = (uint8_t)unpack_fixed(u, 1);
    p->path = (uint16_t)unpack_fixed(u, 2);
    if (!(anchor & FEATURES_FORM) || p->anchor_n > LINK_ANCHOR_MAX ||
        p->tenth > 9) {
        u->bad = true;
        p->anchor_n = 0;
    }
    for (size_t i = 0; i < p->anchor_n; i++)
        p->anchor[i] = (uint16_t)unpack_fixed(u, 2);
}

/* Twice the depth, and one if redirects and nesting follow. */
static void
depth_read(struct row_facts *f, struct unpack *u)
{
    uint64_t depth = unpack_number(u);

    f->depth = (uint32_t)(depth >> 1);
    u->bad = u->bad || depth >> 1 > UINT32_MAX;
    if (depth & 1) {
        f->redirects = unpack_u32(u);
        f->nesting = unpack_u32(u);
    }
}

static unsigned
facts_read(struct row_facts *f, struct unpack *u)
{
    unsigned flags = (unsigned)unpack_fixed(u, 2);

    *f = (struct row_facts){.has_badness = flags & FLAG_BADNESS,
                            .seed = flags & FLAG_SEED,
                            .explored = flags & FLAG_EXPLORED,
                            .sitemap = flags & FLAG_LISTED,
                            .has_hint = flags & FLAG_HINT,
                            .relation = flags >> RELATION_SHIFT & 3u};
    f->parent = (enum link_parent)(flags >> PARENT_SHIFT & 7u);
    if (!(flags & FLAG_FORM) || f->parent > PARENT_LANGUAGE)
        u->bad = true;
    depth_read(f, u);
    if (f->has_badness)
        f->badness = (float)unpack_fixed(u, 2) / 100;
    f->boilerplate = (float)unpack_fixed(u, 2) / 10000;
    f->parent_host = unpack_u32(u);
    if (f->parent_host != 0)
        f->parent_hash = unpack_fixed(u, ROW_PARENT_BYTES);
    if (flags & FLAG_FEATURES)
        link_features_read(&f->features, u);
    if (flags & (FLAG_LISTED | FLAG_LASTMOD))
        f->lastmod_ms = unpack_number(u) * 1000;
    if (f->has_hint)
        f->hint = (float)unpack_fixed(u, 1) / 100;
    return flags;
}

void
row_queued_write(struct buf *out, const struct row_queued *q)
{
    unsigned flags =
        (q->https ? FLAG_HTTPS : 0u) |
        (q->facts.seed && q->facts.features.language == 0 ? 0u
                                                          : FLAG_FEATURES) |
        (frontier_is_rules(q->kind) ? FLAG_ROBOTS : 0u) |
        (q->kind == FRONTIER_SITEMAP || q->kind == FRONTIER_TDMREP
             ? FLAG_SITEMAP
             : 0u);

    buf_clear(out);
    facts_write(out, &q->facts, flags);
    pack_number(out, q->attempts | q->crashes << CRASHES_SHIFT);
    if (q->kind != FRONTIER_PAGE)
        pack_number(out, q->owner);
    buf_str(out, q->rest);
}

bool
row_queued_read(struct row_queued *q, struct str bytes)
{
    struct unpack u = {bytes, false};
    unsigned flags;

    *q = (struct row_queued){0};
    flags = facts_read(&q->facts, &u);
    q->https = flags & FLAG_HTTPS;
    q->kind = flags & FLAG_ROBOTS
                  ? flags & FLAG_SITEMAP ? FRONTIER_TDMREP : FRONTIER_ROBOTS
              : flags & FLAG_SITEMAP ? FRONTIER_SITEMAP
                                     : FRONTIER_PAGE;
    q->attempts = unpack_u32(&u);
    q->crashes = q->attempts >> CRASHES_SHIFT;
    q->attempts &= ROW_ATTEMPTS_MAX;
    if (q->kind != FRONTIER_PAGE)
        q->owner = unpack_u32(&u);
    q->rest = u.left;
    return !u.bad;
}

void
row_seen_write(struct buf *out, const struct row_seen *s)
{
    buf_clear(out);
    pack_fixed(out, s->state, 1);
    pack_fixed(out, s->position.priority, 2);
    if (!row_has_ended(s->state)) {
        pack_fixed(out, s->position.host, 4);
        pack_fixed(out, s->position.url_class, 1);
        pack_fixed(out, s->position.sequence, 5);
        if (s->state == ROW_LATER)
            pack_number(out, s->due_ms);
        return;
    }
    facts_write(out, &s->facts, 0);
    pack_number(out, s->outcome);
    pack_number(out, s->ended_ms);
    pack_fixed(out, s->has_badness, 1);
    if (s->has_badness)
        pack_fixed(out, fixed(s->badness, 100), 2);
    pack_number(out, s->verdict);
}

bool
row_verdict_read(struct unpack *u, enum verdict *out)
{
    uint64_t number = unpack_number(u);

    *out = verdict_is(number) ? (enum verdict)number : VERDICT_NONE;
    return verdict_is(number);
}

bool
row_seen_read(struct row_seen *s, struct str bytes)
{
    struct unpack u = {bytes, false};

    *s = (struct row_seen){0};
    s->state = (enum row_state)unpack_fixed(&u, 1);
    s->position.priority = (uint16_t)unpack_fixed(&u, 2);
    if (s->state == ROW_QUEUED || s->state == ROW_LATER ||
        s->state == ROW_HELD || s->state == ROW_UNREPORTED) {
        s->position.host = (uint32_t)unpack_fixed(&u, 4);
        s->position.url_class = (uint8_t)unpack_fixed(&u, 1);
        s->position.sequence = unpack_fixed(&u, 5);
        if (s->state == ROW_LATER)
            s->due_ms = unpack_number(&u);
        return !u.bad;
    }
    facts_read(&s->facts, &u);
    s->outcome = (enum frontier_outcome)unpack_number(&u);
    s->ended_ms = unpack_number(&u);
    s->has_badness = unpack_fixed(&u, 1) != 0;
    if (s->has_badness)
        s->badness = (float)unpack_fixed(&u, 2) / 100;
    u.bad |= !row_verdict_read(&u, &s->verdict);
    return !u.bad && row_has_ended(s->state);
}

size_t
row_priority_class(uint16_t priority)
{
    size_t c = (size_t)priority * FRONTIER_CLASSES / (ROW_PRIORITY_MAX + 1);

    return FRONTIER_CLASSES - 1 -
           (c < FRONTIER_CLASSES ? c : FRONTIER_CLASSES - 1);
}

struct str
row_queued_url(const struct row_queued *q, struct str authority,
               struct arena *a)
{
    struct str scheme = q->https ? S("https://") : S("http://");
    char *p;

    p = arena_raw(a, scheme.n + authority.n + q->rest.n + 1);
    memcpy(p, scheme.p, scheme.n);
    memcpy(p + scheme.n, authority.p, authority.n);
    memcpy(p + scheme.n + authority.n, q->rest.p, q->rest.n);
    p[scheme.n + authority.n + q->rest.n] = '\0';
    return str_n(p, scheme.n + authority.n + q->rest.n);
}
