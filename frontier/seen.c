/* seen.c -- what is known of each URL: the table `seen`, with a cache of it in
 * memory (known.h) and, in a large store, a filter that knows what is not in it
 * (filter.h).
 *
 * Every row that is read or written goes into the cache, so the cache never
 * says anything that the table does not; an abort forgets it all.  The filter
 * is made when the store has grown to frontier.merge_from URLs, and anew when
 * its file cannot be believed. */
#include <stdio.h>
#include <unistd.h>

#include "filter.h"
#include "inside.h"
#include "known.h"
#include "winnow/clock.h"
#include "winnow/hash.h"
#include "winnow/log.h"

static void
note(struct frontier *f, const struct row_seen_key *key,
     const struct row_seen *row)
{
    known_set(f->known, key,
              row->state == ROW_QUEUED ? row->place.priority : KNOWN_ENDED);
}

enum status
frontier_seen_get(struct frontier *f, struct row_seen_key key,
                  struct row_seen *out)
{
    struct str value;
    enum status st =
        tables_get(f->tables, TABLE_SEEN, row_seen_bytes(&key), &value);

    if (st == ST_OK && !row_seen_read(out, value))
        return frontier_corrupt("seen");
    if (st == ST_OK)
        note(f, &key, out);
    return st;
}

enum status
frontier_seen_put(struct frontier *f, struct row_seen_key key,
                  const struct row_seen *row)
{
    row_seen_write(&f->row, row);
    note(f, &key, row);
    return tables_put(f->tables, TABLE_SEEN, row_seen_bytes(&key),
                      buf_view(&f->row));
}

enum status
frontier_seen_add(struct frontier *f, struct row_seen_key key,
                  const struct row_seen *row)
{
    enum status st;

    if (f->filter != NULL)
        filter_add(f->filter, &key);
    row_seen_write(&f->row, row);
    note(f, &key, row);
    st = tables_add(f->tables, TABLE_SEEN, row_seen_bytes(&key),
                    buf_view(&f->row));
    if (st != ST_INVALID)
        return st;
    log_warn("frontier",
             "dir=%s the filter of seen URLs lacks some: it is "
             "made anew",
             f->dir);
    filter_close(f->filter, true);
    f->filter = NULL;
    f->filter_wrong = true;
    return ST_STORE;
}

/* ---- the filter ---- */

#define META_ROW S("filter")

static enum status
fill(struct frontier *f)
{
    struct row_seen_key k;
    struct str key, value;
    enum status st = tables_seek(f->tables, TABLE_SEEN, S(""), &key, &value);

    for (; st == ST_OK; st = tables_next(f->tables, TABLE_SEEN, &key, &value)) {
        if (key.n != sizeof k.bytes)
            return frontier_corrupt("seen");
        memcpy(k.bytes, key.p, sizeof k.bytes);
        filter_add(f->filter, &k);
    }
    return st == ST_NONE ? ST_OK : st;
}

static enum status
make(struct frontier *f, const char *path)
{
    uint64_t id = hash_mix(clock_wall_ms() ^ (uint64_t)getpid() << 44);
    uint64_t start = clock_steady_ms();
    enum status st = filter_new(&f->filter, path, id);

    if (st != ST_OK) { /* it was said why; without one all is just slower */
        f->filter_failed = true;
        return ST_OK;
    }
    if ((st = fill(f)) == ST_OK)
        st = tables_put(f->tables, TABLE_META, META_ROW,
                        str_n((const char *)&id, sizeof id));
    if (st == ST_OK)
        log_info("frontier", "dir=%s filter of %llu seen URLs made in %llu ms",
                 f->dir, (unsigned long long)filter_keys(f->filter),
                 (unsigned long long)(clock_steady_ms() - start));
    return st;
}

enum status
frontier_filter_begin(struct frontier *f)
{
    char path[4200];
    struct str value;
    uint64_t id = 0;
    enum status st;

    if (f->filter != NULL || f->filter_failed ||
        f->counters.totals.seen < f->rules.merge_from)
        return ST_OK;
    snprintf(path, sizeof path, "%s/seen.filter", f->dir);
    st = tables_get(f->tables, TABLE_META, META_ROW, &value);
    if (st == ST_OK && value.n == sizeof id && !f->filter_wrong) {
        memcpy(&id, value.p, sizeof id);
        st = filter_open(&f->filter, path, id, f->reader);
    }
    if (f->reader || (st == ST_OK && f->filter != NULL))
        return st == ST_NONE ? ST_OK : st;
    f->filter_wrong = false;
    return st == ST_OK || st == ST_NONE ? make(f, path) : st;
}
