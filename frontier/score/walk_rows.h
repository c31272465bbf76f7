/* walk_rows.h -- what scorer `walk` keeps in the table `meta`:
 *
 *   walk:            what struct walk has of it
 *   walk:s be64 n    step n: page, when, numbers of the links not tried yet
 *   walk:p hash      a page that has ended: its number, URL, id, links; or a
 *                    redirect
 *   walk:d be64 n    seed n;  walk:h hash  its number
 *   walk:u be64 n    number n of the seeds not used yet, where it is not n
 *
 * All inside a transaction; what is read lives as long as that. */
#ifndef FRONTIER_WALK_ROWS_H
#define FRONTIER_WALK_ROWS_H

#include "frontier/store/pack.h"
#include "frontier/store/url_store.h"

enum status walk_row_get(struct url_store *db, char kind, uint64_t n,
                         struct str *out);
enum status walk_row_put(struct url_store *db, char kind, uint64_t n,
                         struct str value);
/* ST_OK also when there is none. */
enum status walk_row_drop(struct url_store *db, char kind, uint64_t n);

struct walk_page {
    bool redirect;
    uint64_t number; /* how many documents had been fetched before */
    struct str url, id;
    uint64_t links_n;
    struct unpack links; /* a text each */
};

/* By hash64() of its URL. */
enum status walk_page_get(struct url_store *db, uint64_t hash,
                          struct walk_page *p);
/* As it has ended; `number` of a document. */
enum status walk_page_put(struct url_store *db, struct buf *row, bool redirect,
                          uint64_t number, const struct frontier_done *d);
/* It was fetched again and has not changed. */
enum status walk_page_touch(struct url_store *db, struct buf *row,
                            uint64_t hash, uint64_t number);
/* "": it has no such link. */
struct str walk_page_link(const struct walk_page *p, uint64_t n);

struct walk_step {
    uint64_t page, epoch; /* hash of its URL; seconds */
    uint64_t left_n;
    uint32_t *left; /* numbers of links */
};

enum status walk_step_get(struct url_store *db, uint64_t n,
                          struct walk_step *s);
enum status walk_step_put(struct url_store *db, struct buf *row, uint64_t n,
                          const struct walk_step *s);

#endif
