/* row_keys.h -- the rule of keys (row.h) that a store keeps to, in `meta`. */
#ifndef FRONTIER_ROW_KEYS_H
#define FRONTIER_ROW_KEYS_H

#include "row.h"
#include "tables.h"

#define ROW_KEYS_META S("keys")

/* Inside a transaction.  A store that nobody has begun gets the rule of new
 * ones. */
enum status row_keys_read(enum row_keys *out, struct tables *t);
enum status row_keys_write(struct tables *t, enum row_keys keys);

#endif
