/* intake.h -- links into the frontier: brought to one spelling, scored, known
 * ones sorted out, the others into the store or, when that is large, into the
 * discovery log, from which they are merged in bulk.
 *
 * Calls stand inside a transaction of the store but for open and close; who
 * owns the transaction calls intake_begin() and intake_write(), _committed() or
 * _abort(). */
#ifndef FRONTIER_INTAKE_H
#define FRONTIER_INTAKE_H

#include "candidate.h"
#include "frontier/score/scoring.h"

struct intake; /* opaque; see frontier/intake/intake_inside.h */
struct opts;

/* What the intake asks others about new links. */
struct intake_asks {
    void *self; /* handed through */
    /* What operators have said of URLs: anything at all; of this one. */
    bool (*has_url_rules)(const void *self);
    bool (*is_deleted)(const void *self, struct str url);
    bool (*is_held)(const void *self, struct str url);
    /* A sitemap says when a page was changed. */
    enum status (*listed)(void *self, struct row_seen_key key,
                          uint64_t lastmod_ms, uint64_t now_ms);
};

enum status intake_open(struct intake **out, struct url_store *db,
                        struct scoring *sc, const struct intake_asks *ask,
                        const struct opts *o);
void intake_close(struct intake *in); /* NULL is allowed */
/* What waits, as the store says; again for a reader that begins.  ST_BUSY: it
 * was merged meanwhile. */
enum status intake_load(struct intake *in);
bool intake_is_loaded(const struct intake *in);

/* ---- transactions ---- */
enum status intake_begin(struct intake *in);
enum status intake_write(struct intake *in); /* before the tables' commit */
void intake_committed(struct intake *in);    /* after it */
void intake_abort(struct intake *in);

/* ---- links ---- */
/* The links with their URLs as they should be written (`links` itself when they
 * are); an URL that cannot be is empty. */
const struct frontier_link *
intake_spelled(struct intake *in, const struct frontier_link *links, size_t n);
struct str intake_spelled_authority(struct intake *in, struct str authority);

/* Canonical links into the frontier.  ST_FULL: there is no room. */
enum status intake_put(struct intake *in, const struct frontier_link *links,
                       size_t n, const struct row_parent *parent,
                       struct row_link_counts *counts);
/* Sitemaps that the robots.txt of a host names. */
enum status intake_sitemaps_named(struct intake *in, struct host *owner,
                                  const struct frontier_link *links, size_t n);
/* See frontier_sitemap_put(). */
enum status intake_sitemap_put(struct intake *in, struct str sitemap,
                               struct str owner,
                               const struct frontier_link *links, size_t n,
                               uint64_t now_ms, struct row_link_counts *counts,
                               bool *enough);

/* ---- links that wait ---- */

/* The files in which they stand, as the transaction of `t` sees it: the first
 * `end` bytes of journal_path() of the number. */
enum { INTAKE_FILES_MAX = 2 };
struct intake_file {
    uint64_t number, end;
};
enum status intake_files(struct tables *t,
                         struct intake_file file[INTAKE_FILES_MAX], size_t *n);

uint64_t intake_waiting(const struct intake *in);
/* Each of them in the order of discovery; stops when `take` does not return
 * ST_OK. */
enum status intake_each(struct intake *in,
                        enum status (*take)(void *self,
                                            const struct candidate *c),
                        void *self);
/* One of another store: wait. */
enum status intake_wait(struct intake *in, const struct candidate *c);

/* Merge what is to be merged by this transaction. */
enum status intake_merge_due(struct intake *in);
/* Crawlers get less than they ask for, or nothing (`starved`).  True: the next
 * transaction can merge more for them; then intake_feed() does. */
bool intake_wanted(struct intake *in, bool starved);
enum status intake_feed(struct intake *in);
/* A transaction that was made for it: merge a slice.  In how many ms the next
 * one is due; UINT64_MAX: nothing waits. */
enum status intake_maintain(struct intake *in);
uint64_t intake_due(const struct intake *in, uint64_t now_ms);
bool intake_behind(const struct intake *in); /* links come in faster */

/* See frontier_set_slice(). */
void intake_set_slice(struct intake *in, uint64_t ms, size_t rows, bool leases);
bool intake_slice_over(const struct intake *in);

/* ---- for people, and for checks ---- */
struct intake_limits {
    uint64_t url_size_max, host_queue; /* 0: no bound */
};
struct intake_limits intake_limits(const struct intake *in);
/* Is there a filter that knows all of them? */
bool intake_has_filter(const struct intake *in);
/* Does the filter say that this URL, which is seen, never was? */
bool intake_filter_lacks(const struct intake *in,
                         const struct row_seen_key *key);

#endif
