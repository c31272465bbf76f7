/* prefetch_hosts.c -- what a lease is likely to need is looked up while nobody
 * waits for it (prefetch_pool.h): rows of the hosts that are next, their best
 * URLs, and what the outcomes of the URLs that were given out will change.
 */
#include "schedule_inside.h"

#define SPARE 4u /* one more host for so many: some have to wait */

struct next {
    uint32_t host;
    uint64_t sequence; /* of its best URL */
};

#define NEXT_PART 16u
#define SEEN_PART 16u
_Static_assert(NEXT_PART * sizeof(struct next) <= PREFETCH_BYTES_MAX,
               "of a job");
_Static_assert(SEEN_PART * sizeof(struct row_seen_key) <= PREFETCH_BYTES_MAX,
               "of a job");

/* ---- on another thread ---- */

static void
look_at_host(struct prefetch_view *l, const struct next *next)
{
    struct row_key key = row_host_key(next->host);
    struct url_class room[URL_CLASSES_MAX];
    struct row_host row;
    struct str value;
    size_t best = URL_CLASSES_MAX;

    if (!prefetch_get(l, TABLE_HOSTS, row_bytes(&key), &value) ||
        !row_host_read(&row, value, room))
        return;
    for (size_t i = 0; i < row.url_classes.n; i++)
        if (room[i].head_sequence == next->sequence)
            best = i;
    for (size_t i = 0; i < row.url_classes.n; i++) {
        if (room[i].queued == 0 || (best < row.url_classes.n && i != best))
            continue; /* else it counts for less than its row says */
        key = row_queue_key((struct row_position){next->host, (uint8_t)i,
                                                  room[i].head_priority,
                                                  room[i].head_sequence});
        prefetch_page(l, TABLE_QUEUE, row_bytes(&key));
    }
}

static void
look_at_hosts(struct prefetch_view *l, const void *items, size_t n)
{
    const struct next *next = items;

    for (size_t i = 0; i < n; i++)
        look_at_host(l, &next[i]);
}

static void
look_at_seen(struct prefetch_view *l, const void *items, size_t n)
{
    const struct row_seen_key *key = items;

    for (size_t i = 0; i < n; i++) {
        struct str name = str_sub(row_seen_bytes(&key[i]), 0, 8);

        prefetch_page(l, TABLE_NAMES, name);
        prefetch_page(l, TABLE_SEEN, row_seen_bytes(&key[i]));
    }
}

/* ---- on the frontier's ---- */

static void
prefetch_hosts(struct schedule *sched, size_t n)
{
    struct scheduler_entry e[SCHEDULER_FIRST_MAX];
    struct next next[NEXT_PART];
    size_t left = 0;

    n = scheduler_first(sched->scheduler, e, n + n / SPARE + 1);
    for (size_t i = 0; i < n; i++) {
        next[left++] = (struct next){e[i].host, e[i].sequence};
        if (left == NEXT_PART || i + 1 == n) {
            prefetch_pool_soon(sched->db->prefetch_pool, look_at_hosts, next,
                               left, sizeof *next);
            left = 0;
        }
    }
}

static void
prefetch_reports(struct schedule *sched, const struct frontier_lease *leases,
                 size_t n)
{
    struct row_seen_key key[SEEN_PART];
    size_t left = 0;

    for (size_t i = 0; i < n; i++) {
        key[left++] =
            row_seen_key(sched->db->keys, leases[i].authority, leases[i].url);
        if (left == SEEN_PART || i + 1 == n) {
            prefetch_pool_soon(sched->db->prefetch_pool, look_at_seen, key,
                               left, sizeof *key);
            left = 0;
        }
    }
}

void
schedule_prefetch_hosts(struct schedule *sched,
                        const struct frontier_lease *leases, size_t n)
{
    if (!prefetch_pool_wanted(sched->db->prefetch_pool))
        return;
    prefetch_hosts(sched, n);
    prefetch_reports(sched, leases, n);
}
