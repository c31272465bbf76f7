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
#include "filter.h"
#include "frontier/inside.h"
#include "known.h"
#include "winnow/log.h"

#define FILL_SLICE 20000u /* keys: about two milliseconds */
#define FILL_COLD 500u    /* ... when their pages come from the disk */

static void
filter_add(struct frontier *f, const struct row_seen_key *key)
{
    struct bloom *b = f->filter != NULL ? f->filter : f->filling;

    if (b == NULL)
        return;
    bloom_put(b, filter_key(key));
    if (bloom_stat(b).excess_n == 1)
        log_warn("frontier", "no memory to enlarge the filter of seen URLs: it "
                             "will err more often");
}

void
frontier_seen(void *self, const struct row_seen_key *key,
              const struct row_seen *row, bool fresh)
{
    struct frontier *f = self;

    if (fresh)
        filter_add(f, key);
    known_set(f->known, key,
              row->state == ROW_QUEUED ? row->position.priority : KNOWN_ENDED);
}

/* ---- the filter ---- */

/* New keys go in as they come; those of before, slice by slice.  The filter is
 * asked when it has them all. */
static enum status
fill(struct frontier *f)
{
    struct str key, value, from = S("");
    size_t slice =
        prefetch_pool_wanted(f->db->prefetch_pool) ? FILL_COLD : FILL_SLICE;
    enum status st;

    if (f->filter_begun)
        from = row_seen_bytes(&f->filter_last);
    st = tables_seek(f->db->tables, TABLE_SEEN, from, &key, &value);
    for (size_t i = 0; i < slice && st == ST_OK; i++) {
        if (key.n != sizeof f->filter_last.bytes)
            return url_store_corrupt("seen");
        memcpy(f->filter_last.bytes, key.p, key.n);
        bloom_put(f->filling, filter_key(&f->filter_last));
        st = tables_next(f->db->tables, TABLE_SEEN, &key, &value);
    }
    f->filter_begun = true;
    if (st != ST_NONE)
        return st;
    f->filter = f->filling;
    f->filling = NULL;
    return ST_OK;
}

enum status
frontier_filter_begin(struct frontier *f)
{
    if (f->db->reader || f->filter != NULL ||
        f->db->counters.totals.seen < f->rules.merge_from / 2)
        return ST_OK;
    if (f->filling == NULL) {
        f->filling = filter_new();
        f->filter_begun = false;
    }
    return f->filling != NULL ? fill(f) : ST_OK; /* without one: slower */
}
