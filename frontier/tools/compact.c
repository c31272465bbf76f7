/* compact.c -- the store written anew, row by row in the order of the keys.
 *
 * LMDB gives no space back and pages of random inserts are two thirds full;
 * rows that come in order fill their pages. */
#include <stdio.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/options/opt.h"
#include "base/path.h"
#include "base/progress.h"
#include "frontier/parts.h"
#include "frontier/store/rewrite.h"
#include "frontier_tools.h"

static uint64_t
size_of(const char *dir)
{
    struct stat st;

    return stat(path_printf("%s/data.mdb", dir).z, &st) == 0
               ? (uint64_t)st.st_size
               : 0;
}

static enum status
copy_all(void *self, struct tables *from, struct tables *to)
{
    struct progress *p =
        progress_begin("compact", "rows", tables_rows(from, 0, TABLE_N));
    uint64_t rows = 0;
    enum status st = ST_OK;

    (void)self;
    for (int i = 0; i < TABLE_N && st == ST_OK; i++)
        st = rewrite_copy(from, to, (enum table)i, &rows, p);
    progress_end(p);
    return st;
}

/* What operators have deleted goes for good. */
static enum status
purge(struct frontier *f)
{
    struct control_change c = {.action = CONTROL_PURGE};
    const struct control_rule *rule;
    size_t n = frontier_control_rules(f, &rule);
    enum status st = ST_OK;

    while (n > 0 && rule->action != CONTROL_DELETE) {
        n--;
        rule++;
    }
    if (n == 0)
        return ST_OK;
    do {
        if ((st = frontier_begin(f)) != ST_OK)
            return st;
        st = frontier_control(f, &c, frontier_now(f));
        if (st == ST_OK)
            st = frontier_commit(f);
        else
            frontier_abort(f);
    } while (st == ST_OK && c.next_n > 0);
    return st;
}

/* A store of today, without what operators have deleted. */
static enum status
settle(const char *dir, const struct opts *o)
{
    struct frontier *f;
    enum status st = frontier_open_loading(&f, dir, o);

    if (st != ST_OK)
        return st;
    st = purge(f);
    frontier_close(f);
    return st;
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
    enum status st;

    if ((*before = size_of(dir)) == 0) {
        log_error("frontier", "there is no frontier in %s", dir);
        return ST_USAGE;
    }
    if ((st = settle(dir, o)) != ST_OK)
        return st;
    st = rewrite_store(dir, "compact", &config, copy_all, NULL);
    *after = size_of(dir);
    return st;
}
