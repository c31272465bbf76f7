/* compact.c -- the store written anew, row by row in the order of the keys.
 *
 * LMDB gives no space back and pages of random inserts are two thirds full;
 * rows that come in order fill their pages.  The copy is made beside the store,
 * in DIR/compact, and takes its place by one rename when it is on the disk, so
 * a killed compaction leaves the store as it was. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontier/inside.h"
#include "winnow/log.h"

#define ROWS_COMMIT 200000u

static void
remove_copy(const char *copy)
{
    static const char *const files[] = {"data.mdb", "lock.mdb",
                                        "frontier.lock"};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[4300];

        snprintf(path, sizeof path, "%s/%s", copy, files[i]);
        unlink(path);
    }
    rmdir(copy);
}

static uint64_t
size_of(const char *dir)
{
    struct stat st;
    char path[4300];

    snprintf(path, sizeof path, "%s/data.mdb", dir);
    return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static enum status
copy_table(struct tables *from, struct tables *to, enum table table,
           uint64_t *rows)
{
    struct str key, value;
    enum status st = tables_seek(from, table, S(""), &key, &value);

    while (st == ST_OK) {
        st = tables_put(to, table, key, value);
        if (st == ST_OK && ++*rows % ROWS_COMMIT == 0 &&
            (st = tables_commit(to)) == ST_OK)
            st = tables_begin(to);
        if (st == ST_OK)
            st = tables_next(from, table, &key, &value);
    }
    return st == ST_NONE ? ST_OK : st;
}

static enum status
copy_all(struct tables *from, struct tables *to)
{
    uint64_t rows = 0;
    enum status st;

    if ((st = tables_peek(from)) != ST_OK || (st = tables_begin(to)) != ST_OK)
        return st;
    for (int i = 0; i < TABLE_N && st == ST_OK; i++)
        st = copy_table(from, to, (enum table)i, &rows);
    tables_abort(from);
    return st == ST_OK ? tables_commit(to) : st;
}

enum status
frontier_compact(const char *dir, const struct opts *o, uint64_t *before,
                 uint64_t *after)
{
    const struct tables_config config = {
        .map_size = (size_t)o->frontier_map_gib << 30,
        .sync = o->frontier_sync,
        .disk_free = o->output_disk_free_mib << 20,
    };
    struct tables *from = NULL, *to = NULL;
    char copy[4200], data[4300];
    enum status st;

    if ((*before = size_of(dir)) == 0) {
        log_error("frontier", "there is no frontier in %s", dir);
        return ST_USAGE;
    }
    snprintf(copy, sizeof copy, "%s/compact", dir);
    snprintf(data, sizeof data, "%s/data.mdb", copy);
    if ((st = tables_open(&from, dir, &config)) != ST_OK)
        return st;
    remove_copy(copy); /* of a compaction that was killed */
    if ((st = tables_open(&to, copy, &config)) == ST_OK)
        st = copy_all(from, to);
    tables_close(to); /* writes it down */
    if (st == ST_OK)
        st = tables_replace(from, data);
    else
        tables_close(from);
    remove_copy(copy);
    *after = size_of(dir);
    return st;
}
