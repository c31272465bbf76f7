/* url_store.h -- the frontier's store: its tables, one transaction at a time,
 * and what is in memory while it lasts.
 *
 * A host that is looked at is read once per transaction and written once, at
 * its commit; whoever changes it calls url_store_host_changed().  Pointers to
 * hosts live until the transaction ends.
 *
 * Nothing here knows what rows are for.  Who has to hear of a row that is read
 * or written is told through the hooks. */
#ifndef FRONTIER_URL_STORE_H
#define FRONTIER_URL_STORE_H

#include "base/arena.h"
#include "base/hashmap.h"
#include "prefetch_pool.h"
#include "row.h"
#include "tables.h"

struct host {
    struct row_host row;
    struct row_lease leased; /* as the table or the log has it */
    uint32_t id;
    uint64_t coming;   /* URLs that are admitted and not queued yet */
    bool dirty, stale; /* to be written; not in the scheduler as it is now */
    bool made;         /* by this transaction, and nobody has taken note */
    struct host *stale_next;
};

struct url_store_hooks {
    void *scheduler, *intake; /* handed through */
    /* A host was read: dates that cannot be true are cut.  Were some? */
    bool (*cut_dates)(void *scheduler, struct row_host *h);
    /* A row of `seen` was read or written; `fresh`: it is a new one. */
    void (*seen)(void *intake, const struct row_seen_key *key,
                 const struct row_seen *row, bool fresh);
    /* So many more URLs of the host are queued, or admitted. */
    void (*queued)(void *intake, const struct row_host *h, int64_t by);
};

struct url_store {
    struct tables *tables;
    struct prefetch_pool *prefetch_pool; /* NULL: no prefetching */
    long faults;                         /* when the transaction began */
    struct row_counters counters, committed, stored; /* stored: in `meta` */
    struct arena *arena;    /* of the transaction: hosts */
    struct arena *scratch;  /* of one call */
    struct hashmap hosts;   /* of the transaction: pointers, by id */
    struct hashmap lowered; /* see lowered.h */
    struct host *stale;     /* hosts the scheduler has to hear of */
    struct buf row;         /* the value being written */
    uint64_t now_ms;        /* of the latest call */
    struct url_store_hooks hooks;
    enum row_keys keys;
    bool reader, loading;
    char *dir;
};

/* As tables_open().  `loading`: load.c is still filling it. */
enum status url_store_open(struct url_store **out, const char *dir,
                           const struct tables_config *config, bool loading);
void url_store_close(struct url_store *db); /* NULL is allowed */

/* A row is not as it was written. */
enum status url_store_corrupt(const char *table);

/* ---- transactions ---- */
enum status url_store_begin(struct url_store *db);
/* The tables are; what memory has of it is as stored then. */
enum status url_store_commit(struct url_store *db);
/* Counters and the rule of keys, as the store has them; inside a transaction.
 */
enum status url_store_read(struct url_store *db);
enum status url_store_write_counters(struct url_store *db);
/* False: the store or the disk is nearly full; new links have to wait. */
bool url_store_has_room(const struct url_store *db);

/* ---- hosts.c ---- */
enum status url_store_host(struct url_store *db, uint32_t id,
                           struct host **out);
/* By name; created when `create`, else ST_NONE. */
enum status url_store_host_named(struct url_store *db, struct str authority,
                                 struct str domain, bool create,
                                 struct host **out);
void url_store_host_changed(struct url_store *db, struct host *h);
/* As that, when nothing but its lease has changed. */
void url_store_host_leased(struct url_store *db, struct host *h);
/* Its row and its lease, as stored. */
enum status url_store_host_load(struct url_store *db, uint32_t id,
                                struct row_host *row, struct url_class *room);
enum status url_store_hosts_flush(struct url_store *db);
void url_store_hosts_forget(struct url_store *db);
/* The hosts that the transaction has met: one of them (NULL: it is not); all.
 */
struct host *url_store_host_met(const struct url_store *db, uint32_t id);
typedef void url_store_host_each(void *self, struct host *h);
void url_store_hosts_met(const struct url_store *db, url_store_host_each *each,
                         void *self);
/* Told each host that the transaction has changed, as the store has it; NULL:
 * it has none. */
typedef void url_store_host_back(void *self, uint32_t id,
                                 const struct row_host *row);
enum status url_store_hosts_rollback(struct url_store *db,
                                     url_store_host_back *back, void *self);
/* The class for what follows the authority; NULL: robots.txt of others. */
uint8_t url_store_url_class(struct url_store *db, struct host *h,
                            const struct str *rest);

/* ---- queue.c ---- */
/* So many URLs more (or less) of the host are going to be queued. */
void url_store_coming(struct url_store *db, struct host *h, int by);
enum status url_store_queue_add(struct url_store *db, struct host *h,
                                struct row_position position,
                                const struct row_queued *q);
enum status url_store_queue_add_row(struct url_store *db, struct host *h,
                                    struct row_position position,
                                    struct str row);
/* A row of this table, whose rows are as in queue; it is there. */
enum status url_store_read_as_queued(struct url_store *db, enum table table,
                                     const struct row_key *key,
                                     struct row_queued *q);
enum status url_store_queue_read(struct url_store *db,
                                 struct row_position position,
                                 struct row_queued *q);
/* Of a URL that has not ended, as `seen` says, in whichever table that is. */
enum status url_store_waiting_read(struct url_store *db,
                                   const struct row_seen *s,
                                   struct row_queued *q);
enum status url_store_queue_remove(struct url_store *db, struct host *h,
                                   struct row_position position);
/* A page or sitemap (q->kind, q->owner) that has ended, `key` and *s in `seen`,
 * in its host's queue once more, with the score it had. */
enum status url_store_queue_again(struct url_store *db, struct row_seen_key key,
                                  struct str url, struct row_queued *q,
                                  struct row_seen *s);
/* What had ended so has not. */
void url_store_ended_once_less(struct url_store *db, enum row_state state);
/* A page out of the queue for good. */
enum status url_store_refuse(struct url_store *db, struct host *h,
                             struct row_position position,
                             const struct row_queued *q, enum verdict verdict,
                             uint64_t now_ms);
void url_store_count_queued(struct url_store *db, uint16_t priority, int by);
enum status url_store_held_add(struct url_store *db, struct host *h,
                               struct row_position position, struct str row);
enum status url_store_held_remove(struct url_store *db,
                                  struct row_position position);

/* ---- unreported.c ---- */
/* A leased URL out of its host's queue: *l is its lease.  `seen` is the
 * caller's to write, here and below. */
enum status url_store_unreported_add(struct url_store *db, struct host *h,
                                     struct row_position position,
                                     const struct row_queued *q,
                                     const struct row_lease *l);
enum status url_store_unreported_read(struct url_store *db,
                                      struct row_position position,
                                      struct row_queued *q);
/* Its lease; all of it is 0 when that is not known. */
enum status url_store_unreported_lease(struct url_store *db,
                                       struct row_position position,
                                       struct row_lease *l);
enum status url_store_unreported_remove(struct url_store *db,
                                        struct row_position position);
/* The first row at `from` or behind.  ST_NONE: there is none. */
enum status url_store_unreported_next(struct url_store *db, struct row_key from,
                                      struct row_position *position);

/* ---- seen.c ---- */
enum status url_store_seen_get(struct url_store *db, struct row_seen_key key,
                               struct row_seen *out);
enum status url_store_seen_put(struct url_store *db, struct row_seen_key key,
                               const struct row_seen *row);
enum status url_store_seen_add(struct url_store *db, struct row_seen_key key,
                               const struct row_seen *row); /* a new one */

/* ---- row_revisit.c ---- */
enum status url_store_revisit_get(struct url_store *db, struct row_seen_key key,
                                  struct row_revisit *out);
/* Valid until the next row is written. */
struct str url_store_revisit_bytes(struct url_store *db,
                                   const struct row_revisit *v);

#endif
