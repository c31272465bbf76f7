/* hosts_named.h -- which hosts a pattern can match, found without looking at
 * all of them. */
#ifndef FRONTIER_SCHEDULE_HOSTS_NAMED_H
#define FRONTIER_SCHEDULE_HOSTS_NAMED_H

#include "frontier/store/url_store.h"

/* Of all hosts that are stored, from the first call on; empty at first. */
struct hosts_index {
    struct hashed_host *item;
    size_t n, room;
};

struct hosts_named {
    bool all;     /* it may be any: look at each */
    uint32_t *id; /* ascending, in the transaction's arena */
    size_t n;
};

/* Hosts that the pattern matches, those of this transaction, too; all of them
 * are met then.  `all`: there are stars in it, or many. */
enum status hosts_named_find(struct hosts_index *names, struct url_store *db,
                             struct str pattern, struct hosts_named *out);
void hosts_named_free(struct hosts_index *names);

#endif
