/* quota.c -- see quota.h.
 *
 * A host's row says how many it has queued, so while there is room a host's
 * links cost one comparison.  In a full one the new links are sorted by what
 * they would compete with, and the best of them are compared with the last rows
 * of the host's URL classes, until one is no better.
 *
 * What is queued of a domain is the sum over its hosts, counted in memory (16
 * bytes a place of a hash table, whose places follow the domains with something
 * queued).  In a full domain a link can only take the place of another of its
 * own host, and no host is made: names without end below one domain leave
 * nothing in the store.
 *
 * Never dropped: seeds, targets of redirects, what is leased, sitemaps and
 * robots.txt, pages that are queued to be fetched again. */
#include "quota.h"
#include "frontier/store/lowered.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/hashmap.h"
#include "base/log.h"
#include "base/memory.h"
#include "intake_inside.h"
#include "known.h"

#define LOOKS 16u /* at rows that must stay, before one gives up */
#define DOMAINS_FIRST 512u

/* ---- domains ---- */

struct domain {
    uint64_t hash, queued; /* 0: free slot; nothing is queued */
};

struct domains {
    struct hashmap domain;
};

static bool
domain_used(const void *slot)
{
    return ((const struct domain *)slot)->hash != 0;
}

static bool
domain_is(const void *domains, const void *slot, const void *hash)
{
    (void)domains;
    return ((const struct domain *)slot)->hash == *(const uint64_t *)hash;
}

static uint64_t
domain_hash(const void *domains, const void *slot)
{
    (void)domains;
    return ((const struct domain *)slot)->hash;
}

static bool
has_queued(const void *domains, const void *slot)
{
    (void)domains;
    return ((const struct domain *)slot)->queued > 0;
}

static const struct hashmap_kind domains_kind = {
    sizeof(struct domain), domain_used, domain_is, domain_hash, has_queued};

struct domains *
domains_new(void)
{
    struct domains *d = memory_need(calloc(1, sizeof *d));

    hashmap_init(&d->domain, &domains_kind, NULL, DOMAINS_FIRST);
    return d;
}

void
domains_free(struct domains *d)
{
    if (d == NULL)
        return;
    hashmap_free(&d->domain);
    free(d);
}

static uint64_t
hash_of(struct str domain)
{
    uint64_t hash = hash64(domain);

    return hash != 0 ? hash : 1;
}

static void
domains_add(struct domains *d, struct str domain, int64_t by)
{
    uint64_t hash = hash_of(domain);
    struct domain *at = hashmap_put(&d->domain, &domains_kind, d, hash, &hash);

    at->hash = hash;
    at->queued += (uint64_t)by;
}

uint64_t
domains_n(const struct domains *d, struct str domain)
{
    uint64_t hash = hash_of(domain);
    const struct domain *at =
        hashmap_find(&d->domain, &domains_kind, d, hash, &hash);

    return at->queued;
}

/* ---- the best of a page ---- */

static int
by_priority(const void *x, const void *y)
{
    const struct candidate *a = *(struct candidate *const *)x,
                           *b = *(struct candidate *const *)y;

    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

static int
by_sequence(const void *x, const void *y)
{
    const struct candidate *a = *(struct candidate *const *)x,
                           *b = *(struct candidate *const *)y;

    return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

size_t
quota_best(struct candidate *c, size_t n, size_t max, size_t *dropped)
{
    struct candidate **all, *kept;
    size_t left;

    *dropped = 0;
    if (max == 0 || n <= max)
        return n;
    all = memory_need(malloc(n * sizeof *all));
    for (size_t i = 0; i < n; i++)
        all[i] = &c[i];
    candidate_sort(all, n);
    left = candidate_join(all, n);
    qsort(all, left, sizeof *all, by_priority);
    *dropped = left > max ? left - max : 0;
    left -= *dropped;
    qsort(all, left, sizeof *all, by_sequence);
    kept = memory_need(malloc(left * sizeof *kept));
    for (size_t i = 0; i < left; i++)
        kept[i] = *all[i];
    memcpy(c, kept, left * sizeof *kept);
    free(kept);
    free(all);
    return left;
}

/* ---- the worst that is queued ---- */

struct rank { /* more is better; what came first is, of equals */
    uint16_t effective, priority;
};

static bool
is_better(struct rank a, struct rank b)
{
    return a.effective != b.effective ? a.effective > b.effective
                                      : a.priority > b.priority;
}

struct tail { /* the last row of a URL class that may be dropped */
    struct row_position position;
    struct rank rank;
    bool looked, none;
};

static bool
is_worse(const struct tail *a, const struct tail *b)
{
    if (is_better(a->rank, b->rank) || is_better(b->rank, a->rank))
        return is_better(b->rank, a->rank);
    return a->position.sequence > b->position.sequence;
}

static bool
is_changing(struct row_position position, struct candidate *const *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (c[i]->found == RAISED && c[i]->was.sequence == position.sequence)
            return true;
    return false;
}

/* Must this row stay? */
static enum status
may_go(struct intake *in, const struct host *h, struct row_position position,
       struct str row, bool *yes)
{
    struct row_revisit v;
    struct row_queued q;
    struct row_seen_key key;
    enum status st;

    if (!row_queued_read(&q, row))
        return url_store_corrupt("queue");
    *yes = q.kind == FRONTIER_PAGE && !q.facts.seed &&
           !row_is_out(&h->row, position);
    if (!*yes || in->rules.revisit_ms == 0)
        return ST_OK;
    key = row_seen_key(in->db->keys, h->row.name,
                       row_queued_url(&q, h->row.name, in->db->arena));
    st = url_store_revisit_get(in->db, key, &v);
    *yes = st == ST_NONE;
    return st == ST_NONE ? ST_OK : st;
}

static struct rank
rank_of_row(const struct intake *in, const struct host *h,
            struct row_position position)
{
    uint16_t counts = lowered_priority(in->db, position);

    return (struct rank){
        scoring_effective(in->sc, &h->row, position.url_class, counts), counts};
}

static enum status
look(struct intake *in, const struct host *h, uint8_t url_class, struct tail *t,
     struct candidate *const *c, size_t n)
{
    struct row_key before = row_queue_url_class(h->id, url_class + 1u);
    struct str key, row;
    bool yes = false;
    enum status st = ST_OK;

    *t = (struct tail){.looked = true, .none = true};
    for (size_t i = 0; i < LOOKS && st == ST_OK; i++) {
        st = tables_before(in->db->tables, TABLE_QUEUE, row_bytes(&before),
                           &key, &row);
        if (st != ST_OK || !row_queue_position(&t->position, key) ||
            t->position.host != h->id || t->position.url_class != url_class)
            return st == ST_NONE ? ST_OK : st;
        st = may_go(in, h, t->position, row, &yes);
        if (yes && !is_changing(t->position, c, n)) {
            t->none = false;
            t->rank = rank_of_row(in, h, t->position);
            return st;
        }
        before = row_queue_key(t->position);
    }
    return st;
}

/* Of its URL classes' last rows the worst; NULL: none may go. */
static enum status
find_worst(struct intake *in, const struct host *h, struct tail *tails,
           struct candidate *const *c, size_t n, struct tail **worst)
{
    enum status st = ST_OK;

    *worst = NULL;
    for (size_t i = 0; i < h->row.url_classes.n && st == ST_OK; i++) {
        struct tail *t = &tails[i];

        if (!t->looked)
            st = look(in, h, (uint8_t)i, t, c, n);
        if (!t->none && (*worst == NULL || is_worse(t, *worst)))
            *worst = t;
    }
    return st;
}

static enum status
drop(struct intake *in, struct host *h, struct row_position position)
{
    struct row_queued q;
    struct row_seen_key key;
    enum status st = url_store_queue_read(in->db, position, &q);

    if (st != ST_OK)
        return st;
    key = row_seen_key(in->db->keys, h->row.name,
                       row_queued_url(&q, h->row.name, in->db->arena));
    if ((st = url_store_queue_remove(in->db, h, position)) != ST_OK)
        return st;
    url_store_count_queued(in->db, position.priority, -1);
    in->db->counters.totals.seen--;
    known_forget(in->known, &key);
    st = tables_delete(in->db->tables, TABLE_SEEN, row_seen_bytes(&key));
    return st == ST_NONE ? url_store_corrupt("seen") : st;
}

/* ---- admission ---- */

/* Said at the first link and at every power of ten. */
static void
count_dropped(struct intake *in, const struct host *h,
              const struct candidate *c, size_t *dropped)
{
    uint64_t n = ++in->db->counters.totals.links_dropped;

    ++*dropped;
    while (n % 10 == 0)
        n /= 10;
    if (n == 1)
        log_info("frontier",
                 "links=%llu host=%.*s queued=%llu dropped: found, but its "
                 "queue is full of better ones (frontier.host_queue_max, "
                 "frontier.domain_queue_max)",
                 (unsigned long long)in->db->counters.totals.links_dropped,
                 STRF(c->authority),
                 (unsigned long long)(h != NULL ? h->row.queued : 0));
}

static void
refuse(struct intake *in, const struct host *h, struct candidate *c,
       size_t *dropped)
{
    c->found = REPEATED;
    known_forget(in->known, &c->key); /* the log had it */
    count_dropped(in, h, c, dropped);
}

static struct rank
rank_of(struct intake *in, struct host *h, const struct candidate *c)
{
    size_t url_class =
        url_class_find(&h->row.url_classes, &c->kinds, in->db->arena);

    return (struct rank){
        scoring_effective(in->sc, &h->row, url_class, c->priority),
        c->priority};
}

struct host_choice {
    struct candidate *c;
    struct rank rank;
};

static int
best_first(const void *x, const void *y)
{
    const struct host_choice *a = x, *b = y;

    if (is_better(a->rank, b->rank) || is_better(b->rank, a->rank))
        return is_better(a->rank, b->rank) ? -1 : 1;
    return (a->c->sequence > b->c->sequence) -
           (a->c->sequence < b->c->sequence);
}

static bool
has_quota(const struct candidate *c)
{
    return c->found == FRESH && !c->held && !c->firm;
}

/* There is not room for all: the best. */
static enum status
choose(struct intake *in, struct host *h, struct candidate **c, size_t n,
       uint64_t room, size_t *dropped)
{
    struct tail tails[URL_CLASSES_MAX] = {{.looked = false}}, *worst;
    struct host_choice *all = memory_need(calloc(n, sizeof *all));
    size_t all_n = 0, i;
    enum status st = ST_OK;

    for (i = 0; i < n; i++)
        if (has_quota(c[i]))
            all[all_n++] = (struct host_choice){c[i], rank_of(in, h, c[i])};
    qsort(all, all_n, sizeof *all, best_first);
    for (i = room < all_n ? (size_t)room : all_n; i < all_n; i++) {
        st = find_worst(in, h, tails, c, n, &worst);
        if (st != ST_OK || worst == NULL ||
            !is_better(all[i].rank, worst->rank))
            break;
        if ((st = drop(in, h, worst->position)) != ST_OK)
            break;
        count_dropped(in, h, all[i].c, dropped);
        worst->looked = false;
    }
    for (; i < all_n && st == ST_OK; i++)
        refuse(in, h, all[i].c, dropped);
    free(all);
    return st;
}

static uint64_t
less(uint64_t max, uint64_t n)
{
    return max == 0 ? UINT64_MAX : n < max ? max - n : 0;
}

/* URLs of the domain that may still come in. */
static uint64_t
domain_room(const struct intake *in, struct str domain)
{
    return in->domains == NULL
               ? UINT64_MAX
               : less(in->rules.domain_queue, domains_n(in->domains, domain));
}

/* The domain is full and the host not known: only what must come in. */
static void
refuse_all(struct intake *in, struct candidate **c, size_t n, size_t *dropped)
{
    for (size_t i = 0; i < n; i++)
        if (has_quota(c[i]))
            refuse(in, NULL, c[i], dropped);
}

enum status
quota_admit(struct intake *in, struct candidate **c, size_t n, size_t *dropped)
{
    size_t fresh = 0, firm = 0;
    struct str domain = c[0]->domain.n > 0 ? c[0]->domain : c[0]->authority;
    struct host *h = NULL;
    uint64_t room, host_room;
    enum status st;

    for (size_t i = 0; i < n; i++) {
        fresh += has_quota(c[i]);
        firm += c[i]->found == FRESH && !has_quota(c[i]);
    }
    if (fresh + firm == 0)
        return ST_OK;
    st = url_store_host_named(in->db, c[0]->authority, c[0]->domain,
                              firm > 0 || domain_room(in, domain) > 0, &h);
    if (st != ST_OK) {
        if (st == ST_NONE)
            refuse_all(in, c, n, dropped);
        return st == ST_NONE ? ST_OK : st;
    }
    room = domain_room(in, row_host_domain(&h->row));
    host_room = less(in->rules.host_queue, h->row.queued + h->coming);
    room = host_room < room ? host_room : room;
    if (fresh > room && (st = choose(in, h, c, n, room, dropped)) != ST_OK)
        return st;
    fresh = 0;
    for (size_t i = 0; i < n; i++)
        if (c[i]->found == FRESH) {
            c[i]->host = h;
            fresh++;
        }
    url_store_coming(in->db, h, (int)fresh);
    return ST_OK;
}

void
intake_queued(void *self, const struct row_host *h, int64_t by)
{
    struct intake *in = self;

    if (in->domains != NULL)
        domains_add(in->domains, row_host_domain(h), by);
}
