/* rewrite.c -- see rewrite.h.  LMDB gives no space back and cannot change the
 * keys of a table in order; a copy beside the store does both, and a killed
 * process has only wasted its time.  A transaction stays below 131,071 dirty
 * pages (tables.c says why), also when each row goes to a page of its own. */
#include "rewrite.h"

#include <stdio.h>
#include <unistd.h>

#include "base/pages/salvage.h"
#include "base/path.h"
#include "base/progress.h"

#define ROWS_COMMIT 100000u

static void
remove_copy(const char *copy)
{
    static const char *const own[] = {"frontier.lock", NULL};

    pages_remove_store(copy, own);
}

enum status
rewrite_step(struct tables *to, uint64_t *rows)
{
    enum status st;

    if (++*rows % ROWS_COMMIT != 0)
        return ST_OK;
    st = tables_commit(to);
    return st == ST_OK ? tables_begin(to) : st;
}

enum status
rewrite_copy(struct tables *from, struct tables *to, enum table table,
             uint64_t *rows, struct progress *p)
{
    struct str key, value;
    enum status st = tables_seek(from, table, S(""), &key, &value);

    while (st == ST_OK) {
        if ((st = tables_put(to, table, key, value)) == ST_OK &&
            (st = rewrite_step(to, rows)) == ST_OK)
            st = tables_next(from, table, &key, &value);
        progress_add(p, 1);
    }
    return st == ST_NONE ? ST_OK : st;
}

static enum status
fill_all(struct tables *from, struct tables *to, rewrite_fill *fill, void *self)
{
    enum status st;

    if ((st = tables_peek(from)) != ST_OK || (st = tables_begin(to)) != ST_OK)
        return st;
    st = fill(self, from, to);
    tables_abort(from);
    return st == ST_OK ? tables_commit(to) : st;
}

enum status
rewrite_store(const char *dir, const char *name,
              const struct tables_config *config, rewrite_fill *fill,
              void *self)
{
    const struct path copy = path_printf("%s/%s", dir, name),
                      data = path_printf("%s/data.mdb", copy.z);
    struct tables *from = NULL, *to = NULL;
    enum status st;

    if ((st = tables_open(&from, dir, config)) != ST_OK)
        return st;
    remove_copy(copy.z); /* of a process that was killed */
    if ((st = tables_open(&to, copy.z, config)) == ST_OK)
        st = fill_all(from, to, fill, self);
    tables_close(to); /* writes it down */
    if (st == ST_OK)
        st = tables_replace(from, data.z);
    else
        tables_close(from);
    remove_copy(copy.z);
    return st;
}
