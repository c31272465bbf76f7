/* lookup.c -- see lookup.h.
 *
 *   visit       -> its record: a visit that is found gets verdict and id again
 *   digest      -> the kept document with this text
 *   band        -> kept documents that may resemble
 *   dependents  -> near-duplicates of a kept document
 *   successor   -> the document that replaced a kept one
 *
 * Changes are noted in the order in which they are made and undone backwards.
 *
 * What a record changes follows from it and from the records that it names, not
 * from the table: so the parts of the table may be saved one after the other
 * (checkpoint.h), and each goes on from the record that came next. */
#include "lookup.h"

#include <stdlib.h>

#include "base/big_endian.h"
#include "base/hash.h"
#include "base/log.h"
#include "shingle/shards/shards.h"
#include "shingle/store/store.h"

/* A change of the table since the begin. */
struct change {
    uint64_t key;
    uint32_t place;
    bool added;
};

struct lookup {
    const struct record_log *records;
    struct shards *shards; /* NULL: bands are among the tags */
    struct tags *tags;
    struct near_shape seen[CHECKPOINT_SHAPES_MAX];
    size_t seen_n;
    struct change *change;
    size_t changes_n, changes_room;
    bool noting;
    uint32_t entered;          /* the record that is being entered */
    uint32_t from[TAGS_PARTS]; /* where each part goes on from */
};

uint64_t
lookup_key(enum lookup_kind kind, uint64_t place)
{
    return hash_mix(place + (uint64_t)kind * 0x9e3779b97f4a7c15u);
}

uint64_t
lookup_key_of_16(enum lookup_kind kind, const unsigned char *bytes)
{
    return lookup_key(kind, be64_get(bytes) + 3 * be64_get(bytes + 8));
}

size_t
lookup_find(const struct lookup *l, uint64_t key, uint32_t *out, size_t max)
{
    return tags_find(l->tags, key, out, max);
}

size_t
lookup_find_band(const struct lookup *l, uint64_t key, uint32_t *out,
                 size_t max)
{
    return l->shards != NULL ? shards_find(l->shards, key, out, max)
                             : tags_find(l->tags, key, out, max);
}

/* Those that were removed for the sake of the one at `place` itself, behind the
 * n that are there. */
static enum status
add_removed_for(const struct lookup *l, uint32_t place, uint32_t *out,
                size_t *n)
{
    uint32_t some[LOOKUP_DEPENDENTS_MAX + 1];
    size_t some_n = tags_find(l->tags, lookup_key(LOOKUP_DEPENDENT, place),
                              some, LOOKUP_DEPENDENTS_MAX + 1);
    struct record r;
    enum status st = ST_OK;

    for (size_t i = 0; i < some_n && *n <= LOOKUP_DEPENDENTS_MAX; i++) {
        if ((st = record_log_read(l->records, some[i], &r)) != ST_OK)
            return st;
        if (r.verdict == VERDICT_NEAR_DUPLICATE && r.of == place)
            out[(*n)++] = some[i];
    }
    return st;
}

enum status
lookup_dependents(const struct lookup *l, uint32_t place, uint32_t *out,
                  size_t *n)
{
    struct record r;
    enum status st = add_removed_for(l, place, out, n);

    if (st == ST_OK)
        st = record_log_read(l->records, place, &r);
    for (uint32_t i = 0; st == ST_OK && i < r.replaced_n; i++) {
        if (*n > LOOKUP_DEPENDENTS_MAX)
            return ST_OK;
        out[(*n)++] = r.replaced[i];
        st = lookup_dependents(l, r.replaced[i], out, n);
    }
    return st;
}

void
lookup_prefetch(const struct lookup *l, uint64_t key)
{
    tags_prefetch(l->tags, key);
}

const struct near_shape *
lookup_shapes(const struct lookup *l, size_t *n)
{
    *n = l->seen_n;
    return l->seen;
}

uint64_t
lookup_tags(const struct lookup *l)
{
    return tags_entries(l->tags);
}

void
lookup_begin(struct lookup *l)
{
    l->changes_n = 0;
    l->noting = true;
}

void
lookup_end(struct lookup *l)
{
    l->noting = false;
}

/* Changes are noted during a batch, not while the log is read. */
static enum status
note(struct lookup *l, uint64_t key, uint32_t place, bool added)
{
    if (!l->noting)
        return ST_OK;
    if (l->changes_n == l->changes_room) {
        size_t room = 2 * l->changes_room + 64;
        struct change *p = realloc(l->change, room * sizeof *p);

        if (p == NULL)
            return ST_NOMEM;
        l->change = p;
        l->changes_room = room;
    }
    l->change[l->changes_n++] = (struct change){key, place, added};
    return ST_OK;
}

/* Was what the record at l->entered changes saved with the key's part? */
static bool
is_saved(const struct lookup *l, uint64_t key)
{
    return l->entered < l->from[tags_part_of(key)];
}

static enum status
add(struct lookup *l, uint64_t key, uint32_t place)
{
    enum status st = is_saved(l, key) ? ST_NONE : note(l, key, place, true);

    if (st == ST_NONE)
        return ST_OK;
    if (st == ST_OK && (st = tags_add(l->tags, key, place)) != ST_OK &&
        l->noting)
        l->changes_n--;
    return st;
}

static enum status
drop(struct lookup *l, uint64_t key, uint32_t place)
{
    enum status st = is_saved(l, key) ? ST_NONE : note(l, key, place, false);

    if (st == ST_OK)
        tags_remove(l->tags, key, place);
    return st == ST_NONE ? ST_OK : st;
}

/* Shards get what is in the log by themselves; what the batch under way adds
 * is noted with what they said. */
static enum status
add_band(struct lookup *l, uint64_t key, uint32_t place)
{
    if (l->shards == NULL)
        return add(l, key, place);
    if (l->noting)
        shards_change(l->shards, key, place, true);
    return ST_OK;
}

static enum status
drop_band(struct lookup *l, uint64_t key, uint32_t place)
{
    if (l->shards == NULL)
        return drop(l, key, place);
    if (l->noting)
        shards_change(l->shards, key, place, false);
    return ST_OK;
}

void
lookup_undo(struct lookup *l)
{
    while (l->changes_n > 0) {
        const struct change *c = &l->change[--l->changes_n];

        if (c->added)
            tags_remove(l->tags, c->key, c->place);
        else if (tags_add(l->tags, c->key, c->place) != ST_OK)
            log_error("dedup", "no memory to undo a batch: some of its "
                               "near-duplicates will not be found");
    }
    l->noting = false;
}

/* `old` was replaced by `place`: it is no candidate any more.  What depended on
 * it is found by way of it. */
static enum status
supersede(struct lookup *l, uint32_t old, uint32_t place)
{
    struct record r;
    enum status st = record_log_read(l->records, old, &r);

    for (uint32_t i = 0; st == ST_OK && i < r.bands_n; i++)
        st = drop_band(l, near_key(r.rows, i, r.band), old);
    return st == ST_OK ? add(l, lookup_key(LOOKUP_SUCCESSOR, old), place) : st;
}

/* Of bands with as many rows, the more: the first ones are the same. */
static struct near_shape *
seen_shape(struct lookup *l, uint32_t rows)
{
    for (size_t i = 0; i < l->seen_n; i++)
        if (l->seen[i].rows == rows)
            return &l->seen[i];
    return NULL;
}

static void
see_shape(struct lookup *l, const struct record *r)
{
    struct near_shape *s = seen_shape(l, r->rows);

    if (s == NULL && l->seen_n < CHECKPOINT_SHAPES_MAX) {
        s = &l->seen[l->seen_n++];
        *s = (struct near_shape){r->rows, 0};
    }
    if (s != NULL && s->bands < r->bands_n)
        s->bands = r->bands_n;
}

bool
lookup_has_room(struct lookup *l, uint32_t rows)
{
    return l->seen_n < CHECKPOINT_SHAPES_MAX || seen_shape(l, rows) != NULL;
}

enum status
lookup_enter(struct lookup *l, uint32_t place, const struct record *r)
{
    enum status st;

    l->entered = place;
    st = add(l, lookup_key_of_16(LOOKUP_VISIT, r->visit), place);
    if (st == ST_OK && r->verdict == VERDICT_NEAR_DUPLICATE && r->of != 0)
        return add(l, lookup_key(LOOKUP_DEPENDENT, r->of), place);
    if (r->verdict != VERDICT_KEPT)
        return st;
    if (st == ST_OK)
        st = add(l, lookup_key_of_16(LOOKUP_DIGEST, r->digest), place);
    for (uint32_t i = 0; st == ST_OK && i < r->bands_n; i++)
        st = add_band(l, near_key(r->rows, i, r->band), place);
    for (uint32_t i = 0; st == ST_OK && i < r->replaced_n; i++)
        st = supersede(l, r->replaced[i], place);
    if (r->bands_n > 0)
        see_shape(l, r);
    return st;
}

void
lookup_prefetch_record(const struct lookup *l, const struct record *r)
{
    tags_prefetch(l->tags, lookup_key_of_16(LOOKUP_VISIT, r->visit));
    if (r->verdict != VERDICT_KEPT)
        return;
    tags_prefetch(l->tags, lookup_key_of_16(LOOKUP_DIGEST, r->digest));
    for (uint32_t i = 0; i < r->bands_n && l->shards == NULL; i++)
        tags_prefetch(l->tags, near_key(r->rows, i, r->band));
}

/* ---- checkpoints ---- */

const char *
lookup_checkpoint_name(const struct shards *shards)
{
    return shards != NULL ? CHECKPOINT_WITHOUT_BANDS : CHECKPOINT_TAGS;
}

/* Fill the table from the checkpoint in `dir`. */
static enum status
load(struct lookup *l, const char *dir, uint64_t *from)
{
    uint32_t first = UINT32_MAX;
    enum status st =
        checkpoint_load(dir, lookup_checkpoint_name(l->shards), l->records,
                        l->tags, l->from, l->seen, &l->seen_n);

    for (size_t i = 0; st == ST_OK && i < TAGS_PARTS; i++)
        if (l->from[i] < first)
            first = l->from[i];
    *from = (uint64_t)first * RECORD_UNIT;
    return st;
}

size_t
lookup_checkpoint(const struct lookup *l, struct checkpoint *c, size_t bytes)
{
    return checkpoint_step(c, l->records, l->tags, l->seen, l->seen_n, bytes);
}

static enum status
open_table(struct lookup *l, const char *dir, uint64_t tags, uint64_t *from)
{
    enum status st = tags_open(&l->tags, 0);

    if (st == ST_OK && dir != NULL && (st = load(l, dir, from)) == ST_OK)
        return ST_OK;
    tags_close(l->tags);
    memset(l->from, 0, sizeof l->from);
    *from = 0;
    return st == ST_NOMEM ? st : tags_open(&l->tags, tags);
}

enum status
lookup_open(struct lookup **out, const struct record_log *records,
            struct shards *shards, const char *dir, uint64_t tags,
            uint64_t *from)
{
    struct lookup *l = calloc(1, sizeof *l);
    enum status st;

    *out = NULL;
    if (l == NULL)
        return ST_NOMEM;
    l->records = records;
    l->shards = shards;
    if ((st = open_table(l, dir, tags, from)) == ST_OK)
        *out = l;
    else
        lookup_close(l);
    return st;
}

void
lookup_close(struct lookup *l)
{
    if (l == NULL)
        return;
    tags_close(l->tags);
    free(l->change);
    free(l);
}
