/* foresee.c -- what a lease is likely to need is looked up while nobody waits
 * for it (warm.h): rows of the hosts that are next, their best URLs, and what
 * the outcomes of the URLs that were given out will change.
 */
#include "frontier/inside.h"

#define SPARE 4u /* one more host for so many: some have to wait */

struct next {
    uint32_t host;
    uint64_t sequence; /* of its best URL */
};

#define NEXT_PART 16u
#define SEEN_PART 16u
_Static_assert(NEXT_PART * sizeof(struct next) <= WARM_BYTES_MAX, "of a job");
_Static_assert(SEEN_PART * sizeof(struct row_seen_key) <= WARM_BYTES_MAX,
               "of a job");

/* ---- on another thread ---- */

static void
look_at_host(struct warm_look *l, const struct next *next)
{
    struct row_key key = row_host_key(next->host);
    struct shelf room[SHELVES_MAX];
    struct row_host row;
    struct str value;

    if (!warm_get(l, TABLE_HOSTS, row_bytes(&key), &value) ||
        !row_host_read(&row, value, room))
        return;
    for (size_t i = 0; i < row.shelves.n; i++) {
        if (room[i].queued == 0 || room[i].head_sequence != next->sequence)
            continue;
        key = row_queue_key((struct row_place){
            next->host, (uint8_t)i, room[i].head_priority, next->sequence});
        warm_place(l, TABLE_QUEUE, row_bytes(&key));
    }
}

static void
look_at_hosts(struct warm_look *l, const void *items, size_t n)
{
    const struct next *next = items;

    for (size_t i = 0; i < n; i++)
        look_at_host(l, &next[i]);
}

static void
look_at_seen(struct warm_look *l, const void *items, size_t n)
{
    const struct row_seen_key *key = items;

    for (size_t i = 0; i < n; i++) {
        struct str name = str_sub(row_seen_bytes(&key[i]), 0, 8);

        warm_place(l, TABLE_NAMES, name);
        warm_place(l, TABLE_SEEN, row_seen_bytes(&key[i]));
    }
}

/* ---- on the frontier's ---- */

static void
foresee_hosts(struct frontier *f, size_t n)
{
    struct agenda_entry e[AGENDA_FIRST_MAX];
    struct next next[NEXT_PART];
    size_t left = 0;

    n = agenda_first(f->agenda, e, n + n / SPARE + 1);
    for (size_t i = 0; i < n; i++) {
        next[left++] = (struct next){e[i].host, e[i].sequence};
        if (left == NEXT_PART || i + 1 == n) {
            warm_soon(f->warm, look_at_hosts, next, left, sizeof *next);
            left = 0;
        }
    }
}

static void
foresee_reports(struct frontier *f, const struct frontier_lease *leases,
                size_t n)
{
    struct row_seen_key key[SEEN_PART];
    size_t left = 0;

    for (size_t i = 0; i < n; i++) {
        key[left++] = row_seen_key(leases[i].authority, leases[i].url);
        if (left == SEEN_PART || i + 1 == n) {
            warm_soon(f->warm, look_at_seen, key, left, sizeof *key);
            left = 0;
        }
    }
}

void
frontier_foresee(struct frontier *f, const struct frontier_lease *leases,
                 size_t n)
{
    if (!warm_wanted(f->warm))
        return;
    foresee_hosts(f, n);
    foresee_reports(f, leases, n);
}
