/* schema1.h -- rows as schema 1 had them, as those of today (row.h).  Its queue
 * had no shelves, a host's lease stood in the host's row, and facts were
 * shorter; places come without a shelf (0). */
#ifndef FRONTIER_SCHEMA1_H
#define FRONTIER_SCHEMA1_H

#include "row.h"

/* False: short or garbled.  Texts are borrowed. */
bool schema1_queue_place(struct row_place *out, struct str key);
bool schema1_later_place(struct row_place *out, uint64_t *due_ms,
                         struct str key);
bool schema1_queued_read(struct row_queued *q, struct str bytes);
/* Of a URL that has ended; of any other only its state. */
bool schema1_seen_read(struct row_seen *s, struct str bytes);
/* What its pages came to goes to one shelf, SHELF_REST in room[SHELVES_MAX]. */
bool schema1_host_read(struct row_host *h, struct str bytes,
                       struct shelf *room);

#endif
