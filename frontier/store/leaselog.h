/* leaselog.h -- what was leased since the store's last commit.
 *
 * A lease changes nothing but who has what; a commit of the store for that
 * alone would write some pages and wait for the disk.  Instead it is one record
 * at the end of DIR/leases.log, and in memory, until the next commit, which has
 * other reasons, takes it into the tables.  kill -9 loses nothing of it; after
 * a power failure the leases of those moments may be forgotten (their URLs are
 * still queued).
 *
 * `base` names the commit that the records belong to: with the next one they
 * are void, and the file is written from its start again. */
#ifndef FRONTIER_LEASELOG_H
#define FRONTIER_LEASELOG_H

#include "row.h"
#include "winnow/status.h"

struct leaselog; /* opaque; see frontier/store/leaselog.c */

#define LEASELOG_MAX 4096u /* leases in it; more need a commit */

struct leaselog_entry {
    struct row_lease lease;
    uint32_t host;
    bool stored; /* the tables have another lease of this host */
};

/* ST_FULL; ST_IO (reported).  A reader has the log of the process that writes,
 * as it is when it loads it. */
enum status leaselog_open(struct leaselog **out, const char *dir,
                          bool read_only);
void leaselog_close(struct leaselog *l); /* NULL is allowed */

/* What was leased since `base`, from the file; the last counters, if any.
 * `stored` is left to the caller. */
enum status leaselog_load(struct leaselog *l, uint64_t base,
                          struct row_counters *counters);

/* Host by host into the next record (false: no room); write it.  Leases are in
 * the log, also in memory, when that returns ST_OK, else none of them is
 * (ST_FULL, ST_IO: reported). */
bool leaselog_add(struct leaselog *l, const struct leaselog_entry *e);
void leaselog_undo(struct leaselog *l); /* those of the next record */
enum status leaselog_write(struct leaselog *l, uint64_t base,
                           const struct row_counters *counters);

/* NULL: nothing of this host.  All of them: 0 .. leaselog_n() - 1. */
struct leaselog_entry *leaselog_find(const struct leaselog *l, uint32_t host);
size_t leaselog_n(const struct leaselog *l);
struct leaselog_entry *leaselog_at(const struct leaselog *l, size_t i);

/* The tables have them. */
void leaselog_clear(struct leaselog *l);

/* For the tests: the records in `bytes`, as leaselog_load() takes them. */
size_t leaselog_parse(struct str bytes, uint64_t base,
                      void (*take)(void *self, const struct leaselog_entry *e),
                      void *self, struct row_counters *counters);

#endif
