/* seen_filter.c -- what memory knows of the table `seen`: a cache of it
 * (known.h) and, in a large store, a filter that knows what is not in it
 * (filter.h).
 *
 * Every row that is read or written goes into the cache, so the cache never
 * says anything that the table does not; an abort takes back what its
 * transaction said.  The filter is filled when the store has grown to half of
 * frontier.merge_from URLs (so that it is there when links are merged in bulk)
 * and after each start, a slice with each transaction, so that nobody waits for
 * it. */
#include "base/log.h"
#include "filter.h"
#include "frontier/store/lowered.h"
#include "intake_inside.h"
#include "known.h"

#define FILL_SLICE 20000u /* keys: about two milliseconds */
#define FILL_COLD 500u    /* ... when their pages come from the disk */

static void
filter_add(struct intake *in, const struct row_seen_key *key)
{
    struct bloom *b = in->filter != NULL ? in->filter : in->filling;

    if (b == NULL)
        return;
    bloom_put(b, filter_key(key));
    if (bloom_stat(b).excess_n == 1)
        log_warn("frontier", "no memory to enlarge the filter of seen URLs: it "
                             "will err more often");
}

void
intake_seen(void *self, const struct row_seen_key *key,
            const struct row_seen *row, bool fresh)
{
    struct intake *in = self;

    if (fresh)
        filter_add(in, key);
    known_set(in->known, key,
              row->state == ROW_QUEUED ? lowered_priority(in->db, row->position)
                                       : KNOWN_ENDED);
}

/* ---- the filter ---- */

/* New keys go in as they come; those of before, slice by slice.  The filter is
 * asked when it has them all. */
static enum status
fill(struct intake *in)
{
    struct str key, value, from = S("");
    size_t slice =
        prefetch_pool_wanted(in->db->prefetch_pool) ? FILL_COLD : FILL_SLICE;
    enum status st;

    if (in->filter_begun)
        from = row_seen_bytes(&in->filter_last);
    st = tables_seek(in->db->tables, TABLE_SEEN, from, &key, &value);
    for (size_t i = 0; i < slice && st == ST_OK; i++) {
        if (key.n != sizeof in->filter_last.bytes)
            return url_store_corrupt("seen");
        memcpy(in->filter_last.bytes, key.p, key.n);
        bloom_put(in->filling, filter_key(&in->filter_last));
        st = tables_next(in->db->tables, TABLE_SEEN, &key, &value);
    }
    in->filter_begun = true;
    if (st != ST_NONE)
        return st;
    in->filter = in->filling;
    in->filling = NULL;
    return ST_OK;
}

enum status
intake_filter_begin(struct intake *in)
{
    if (in->db->reader || in->filter != NULL ||
        in->db->counters.totals.seen < in->rules.merge_from / 2)
        return ST_OK;
    if (in->filling == NULL) {
        in->filling = filter_new();
        in->filter_begun = false;
    }
    return in->filling != NULL ? fill(in) : ST_OK; /* without one: slower */
}
