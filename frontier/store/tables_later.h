/* tables_later.h -- commits that LMDB hears of later (tables_save_later()).
 *
 * For tables.c and tables_open.c only. */
#ifndef FRONTIER_TABLES_LATER_H
#define FRONTIER_TABLES_LATER_H

#include "tables.h"

struct tables_later; /* opaque; see frontier/store/tables_later.c */

/* Of a store that is open and has no transaction. */
enum status tables_later_new(struct tables_later **out, struct tables *t,
                             uint64_t lag_ms);
/* All that was committed is in LMDB then, on the disk if the store's sync asks
 * for that, and the log is gone; else it is left to the next opening.  NULL is
 * allowed. */
void tables_later_free(struct tables_later *w);

enum status tables_later_begin(struct tables_later *w);
enum status tables_later_peek(struct tables_later *w);
enum status tables_later_commit(struct tables_later *w);
void tables_later_abort(struct tables_later *w);
enum status tables_later_save(struct tables_later *w);
void tables_later_end(struct tables_later *w); /* see tables_save_now() */
void tables_later_save_soon(struct tables_later *w);

/* A row is going to be changed; gone: `value` is not looked at.  Nothing came
 * of the last one. */
void tables_later_note(struct tables_later *w, enum table table, struct str key,
                       struct str value, bool gone);
void tables_later_unnote(struct tables_later *w);
size_t tables_later_changes(const struct tables_later *w);
uint64_t tables_later_due(const struct tables_later *w); /* in ms */

/* What a killed process has left in its log goes into LMDB. */
enum status tables_recover(struct tables *t);

#endif
