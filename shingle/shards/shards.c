/* shards.c -- see shards.h.
 *
 * A round sends every shard that is not done one message and waits for all
 * answers: first what its table lacks of the log, CHANGES_BYTES at a time, and
 * when it has all of it, the keys.  With nothing to make up for, which is the
 * rule, both go in the same message, so a batch costs one round.
 *
 * Where a shard stands is known by its answers alone.  One that answers another
 * mark than it was brought to was started anew, or is of another service, or
 * has taken a message whose answer was lost: if its mark is one of this log it
 * goes on from there, else from the beginning. */
#include "shards.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "base/log.h"
#include "base/reminder.h"
#include "shard_message.h"
#include "shingle/store/near.h"

enum {
    ANSWER_MS = 3000,       /* a shard that was there */
    AWAY_MS = 200,          /* one that was away */
    ROUNDS_MS = 1000,       /* then others are to be heard, too */
    CHANGES_BYTES = 2 << 20 /* of a message */
};

/* A key that is wanted, and the places that a shard named. */
struct wanted_key {
    uint64_t key;
    uint32_t at, n;       /* of the places */
    uint32_t first, last; /* of the changes, from 1; 0: none */
    bool used;
};

struct band_change {
    uint32_t place, next;
    bool added;
};

struct one {
    const struct record_log *log; /* of the walk that is under way */
    struct shards *all;
    size_t i;
    struct endpoint *endpoint;
    char *url;
    struct shard_mark at, to; /* to: what it is being brought to */
    uint32_t asked, asking;   /* keys: answered; in the message */
    bool away;
    struct reminder trouble;
    struct buf keys, changes, request, reply;
    struct endpoint_call *call;
};

struct shards {
    size_t n;
    struct one *one;
    struct hashmap wanted;
    bool fresh; /* what is wanted is of the next batch */
    struct buf places, change;
    struct arena *arena;
};

static bool
wanted_used(const void *slot)
{
    return ((const struct wanted_key *)slot)->used;
}

static bool
wanted_equal(const void *of, const void *slot, const void *key)
{
    (void)of;
    return ((const struct wanted_key *)slot)->key == *(const uint64_t *)key;
}

static uint64_t
wanted_hash(const void *of, const void *slot)
{
    (void)of;
    return ((const struct wanted_key *)slot)->key;
}

static const struct hashmap_kind wanted_kind = {.size =
                                                    sizeof(struct wanted_key),
                                                .used = wanted_used,
                                                .equal = wanted_equal,
                                                .hash = wanted_hash};

/* NULL: nobody asked for it. */
static struct wanted_key *
wanted_of(const struct shards *s, uint64_t key)
{
    struct wanted_key *w =
        hashmap_find(&s->wanted, &wanted_kind, NULL, key, &key);

    return w->used ? w : NULL;
}

/* ---- what a shard lacks ---- */

/* Of a place in the log, as this shard of so many has it. */
static struct shard_mark
mark(const struct one *o, uint64_t at)
{
    uint64_t which = (uint64_t)o->i << 32 | o->all->n;

    return (struct shard_mark){
        at, at <= RECORD_UNIT
                ? 0
                : hash_mix(record_log_hash(o->log, at) ^ hash_mix(which))};
}

static void
add_changes(struct one *o, const struct record *r, uint32_t place, bool added)
{
    for (uint32_t i = (uint32_t)o->i; i < r->bands_n; i += (uint32_t)o->all->n)
        shard_add_change(&o->changes, near_key(r->rows, i, r->band), place,
                         added);
}

static enum status
add_record(void *self, uint32_t place, const struct record *r)
{
    struct one *o = self;

    if (o->changes.n >= CHANGES_BYTES) {
        o->to.at = (uint64_t)place * RECORD_UNIT;
        return ST_LIMIT;
    }
    if (r->verdict != VERDICT_KEPT)
        return ST_OK;
    add_changes(o, r, place, true);
    for (uint32_t i = 0; i < r->replaced_n; i++) {
        struct record old;
        enum status st = record_log_read(o->log, r->replaced[i], &old);

        if (st != ST_OK)
            return st;
        add_changes(o, &old, r->replaced[i], false);
    }
    return ST_OK;
}

/* The next message to it. */
static enum status
make_request(struct one *o)
{
    uint64_t end = record_log_end(o->log);
    struct shard_request r = {.from = o->at, .most = SHARD_MOST / 4};
    enum status st = ST_OK;

    buf_clear(&o->changes);
    buf_clear(&o->request);
    o->to.at = end;
    if (o->at.at != UINT64_MAX && o->at.at < end)
        st = record_log_walk(o->log, o->at.at, add_record, o);
    if (st != ST_OK && st != ST_LIMIT)
        return st;
    o->to = mark(o, o->to.at);
    o->asking = 0;
    if (o->at.at != UINT64_MAX && o->to.at == end) {
        size_t left = o->keys.n / SHARD_KEY_BYTES - o->asked;

        o->asking = (uint32_t)(left < SHARD_KEYS_MAX ? left : SHARD_KEYS_MAX);
        r.find = str_sub(buf_view(&o->keys), (size_t)o->asked * SHARD_KEY_BYTES,
                         (size_t)(o->asked + o->asking) * SHARD_KEY_BYTES);
    }
    r.to = o->to;
    r.changes = buf_view(&o->changes);
    shard_message_ask(&r, &o->request);
    return ST_OK;
}

/* ---- answers ---- */

/* Places of the keys in the message. */
static bool
take_places(struct one *o, struct str found)
{
    struct shards *s = o->all;
    uint32_t place[SHARD_MOST];

    for (uint32_t i = 0; i < o->asking; i++) {
        size_t n = shard_take_found(&found, place);
        struct wanted_key *w =
            wanted_of(s, shard_key(buf_view(&o->keys), (size_t)o->asked + i));

        if (n == SIZE_MAX || w == NULL)
            return false;
        w->at = (uint32_t)(s->places.n / sizeof *place);
        w->n = (uint32_t)n;
        buf_add(&s->places, (const char *)place, n * sizeof *place);
    }
    o->asked += o->asking;
    return found.n == 0;
}

/* Where is it, if not where it was to be? */
static void
take_mark(struct one *o, struct shard_mark at)
{
    struct shard_mark ours;

    if (at.at >= RECORD_UNIT && at.at <= record_log_end(o->log) &&
        at.at % RECORD_UNIT == 0) {
        ours = mark(o, at.at);
        if (ours.check == at.check) {
            o->at = at;
            return;
        }
    }
    o->at = (struct shard_mark){0, 0};
}

static void
say_trouble(struct one *o, const char *what, struct str detail)
{
    if (reminder_due(&o->trouble, what))
        log_warn("dedup", "shard=%s %s%s%.*s; until it is there documents wait",
                 o->url, what, detail.n > 0 ? ": " : "", STRF(detail));
}

/* ST_BUSY: it is away, or does not want to. */
static enum status
take_answer(struct one *o)
{
    struct shard_reply r;
    enum status st = endpoint_receive(o->call, &o->reply);

    o->call = NULL;
    o->away = st != ST_OK;
    if (st != ST_OK) {
        say_trouble(o,
                    st == ST_USAGE ? "is another service" : "does not answer",
                    S(""));
        return ST_BUSY;
    }
    if (shard_message_read_reply(buf_view(&o->reply), o->all->arena, &r) !=
            ST_OK ||
        r.code != MESSAGE_OK) {
        say_trouble(o, "refuses", r.text);
        return ST_BUSY;
    }
    if (reminder_over(&o->trouble))
        log_info("dedup", "shard=%s is there", o->url);
    if (r.at.at != o->to.at || r.at.check != o->to.check) {
        take_mark(o, r.at);
        return ST_OK;
    }
    o->at = r.at;
    if (r.found.n == 0) /* of a message that came twice, or without keys */
        return ST_OK;
    if (take_places(o, r.found))
        return ST_OK;
    say_trouble(o, "answers something else", S(""));
    o->at = (struct shard_mark){UINT64_MAX, 0};
    return ST_BUSY;
}

/* ---- rounds ---- */

static bool
is_done(const struct one *o)
{
    return o->at.at == record_log_end(o->log) &&
           o->asked == o->keys.n / SHARD_KEY_BYTES;
}

static enum status
send(struct one *o)
{
    enum status st = make_request(o);

    if (st != ST_OK)
        return st;
    o->call = endpoint_send(o->endpoint, buf_view(&o->request),
                            o->away ? AWAY_MS : ANSWER_MS, NULL);
    return o->call == NULL ? ST_NOMEM : ST_OK;
}

/* One message to each that is not done; *more: and another one. */
static enum status
go_round(struct shards *s, bool *more)
{
    enum status worst = ST_OK;

    *more = false;
    arena_reset(s->arena);
    for (size_t i = 0; i < s->n && worst == ST_OK; i++)
        if (!is_done(&s->one[i]))
            worst = send(&s->one[i]);
    for (size_t i = 0; i < s->n; i++) {
        enum status st =
            s->one[i].call != NULL ? take_answer(&s->one[i]) : ST_OK;

        if (worst == ST_OK)
            worst = st;
        *more = *more || !is_done(&s->one[i]);
    }
    return worst;
}

enum status
shards_ask(struct shards *s, const struct record_log *log)
{
    uint64_t until = clock_steady_ms() + ROUNDS_MS;
    bool more = s->fresh; /* else nothing is wanted */
    enum status st = ST_OK;

    buf_clear(&s->places);
    shards_undo(s);
    s->fresh = false;
    for (size_t i = 0; i < s->n; i++) {
        s->one[i].log = log;
        s->one[i].asked = 0;
    }
    while (more && st == ST_OK) {
        st = go_round(s, &more);
        if (st == ST_OK && more && clock_steady_ms() >= until)
            st = ST_BUSY;
    }
    return st;
}

/* ---- the batch ---- */

void
shards_want(struct shards *s, uint64_t key, uint32_t i)
{
    struct wanted_key *w;

    if (!s->fresh) {
        hashmap_clear(&s->wanted, &wanted_kind);
        for (size_t k = 0; k < s->n; k++)
            buf_clear(&s->one[k].keys);
        s->fresh = true;
    }
    w = hashmap_put(&s->wanted, &wanted_kind, NULL, key, &key);
    if (w->used)
        return;
    *w = (struct wanted_key){.key = key, .used = true};
    shard_add_key(&s->one[i % s->n].keys, key);
}

void
shards_change(struct shards *s, uint64_t key, uint32_t place, bool added)
{
    struct band_change c = {.place = place, .added = added}, *all;
    struct wanted_key *w = wanted_of(s, key);
    uint32_t number = (uint32_t)(s->change.n / sizeof c) + 1;

    if (w == NULL)
        return;
    buf_add(&s->change, (const char *)&c, sizeof c);
    all = (struct band_change *)(void *)s->change.p;
    if (w->last > 0)
        all[w->last - 1].next = number;
    else
        w->first = number;
    w->last = number;
}

void
shards_undo(struct shards *s)
{
    struct wanted_key *w = NULL;

    if (s->change.n == 0)
        return;
    while ((w = hashmap_next(&s->wanted, &wanted_kind, w)) != NULL)
        w->first = w->last = 0;
    buf_clear(&s->change);
}

/* Without `place`. */
static size_t
without(uint32_t *out, size_t n, uint32_t place)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (out[i] != place)
            out[kept++] = out[i];
    return kept;
}

size_t
shards_find(const struct shards *s, uint64_t key, uint32_t *out, size_t max)
{
    const uint32_t *places = (const void *)s->places.p;
    const struct band_change *change = (const void *)s->change.p;
    const struct wanted_key *w = wanted_of(s, key);
    uint32_t all[2 * SHARD_MOST];
    size_t n = 0;

    if (w == NULL)
        return 0;
    for (uint32_t i = 0; i < w->n; i++)
        all[n++] = places[w->at + i];
    for (uint32_t i = w->first; i > 0; i = change[i - 1].next) {
        if (!change[i - 1].added)
            n = without(all, n, change[i - 1].place);
        else if (n < sizeof all / sizeof *all)
            all[n++] = change[i - 1].place;
    }
    if (n > max)
        n = max;
    memcpy(out, all, n * sizeof *out);
    return n;
}

/* ---- opening ---- */

static enum status
dial(struct one *o, struct str url, const struct endpoint_options *options)
{
    o->at = (struct shard_mark){UINT64_MAX, 0}; /* not known yet */
    o->trouble = (struct reminder)REMINDER_INITIALIZER;
    if ((o->url = strndup(url.p, url.n)) == NULL)
        return ST_NOMEM;
    return endpoint_dial(&o->endpoint, o->url, options);
}

enum status
shards_check(const struct opt_list *urls, const struct endpoint_options *o)
{
    struct arena *a = arena_new();
    enum status st = ST_OK;

    for (size_t i = 0; i < urls->n && st == ST_OK; i++) {
        st = endpoint_check(arena_cstr(a, urls->item[i]), o);
        for (size_t k = 0; k < i && st == ST_OK; k++)
            if (str_eq(urls->item[k], urls->item[i])) {
                log_error("dedup", "dedup.shards: %.*s stands there twice",
                          STRF(urls->item[i]));
                st = ST_USAGE;
            }
    }
    arena_free(a);
    return st;
}

enum status
shards_open(struct shards **out, const struct opt_list *urls,
            const struct endpoint_options *o)
{
    struct shards *s;
    enum status st = ST_OK;

    *out = NULL;
    if (urls->n == 0)
        return ST_OK;
    if ((st = shards_check(urls, o)) != ST_OK)
        return st;
    if ((s = calloc(1, sizeof *s)) == NULL ||
        (s->one = calloc(urls->n, sizeof *s->one)) == NULL) {
        free(s);
        return ST_NOMEM;
    }
    s->n = urls->n;
    s->arena = arena_new();
    hashmap_init(&s->wanted, &wanted_kind, NULL, 1024);
    for (size_t i = 0; i < s->n; i++) {
        s->one[i].all = s;
        s->one[i].i = i;
    }
    for (size_t i = 0; i < s->n && st == ST_OK; i++)
        st = dial(&s->one[i], urls->item[i], o);
    if (st == ST_OK)
        *out = s;
    else
        shards_close(s);
    return st;
}

void
shards_close(struct shards *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->n; i++) {
        struct one *o = &s->one[i];

        endpoint_close(o->endpoint);
        buf_free(&o->keys);
        buf_free(&o->changes);
        buf_free(&o->request);
        buf_free(&o->reply);
        free(o->url);
    }
    hashmap_free(&s->wanted);
    buf_free(&s->places);
    buf_free(&s->change);
    arena_free(s->arena);
    free(s->one);
    free(s);
}
