/* backup.c -- a copy of a store that somebody may be writing to.
 *
 * What LMDB has committed is a state of its own, which a reader sees as long as
 * it looks; the files of links that wait only grow, and are held open before
 * anything is copied, so that they may be removed meanwhile.  Rows go into a
 * new store in the order of their keys, as with --compact. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/options/opt.h"
#include "base/path.h"
#include "base/progress.h"
#include "frontier/intake/journal.h"
#include "frontier/parts.h"
#include "frontier/store/rewrite.h"
#include "frontier_tools.h"

#define LOOKS_MAX 50 /* at a store whose links are being merged */
#define LOOK_MS 100

struct frontier_copy {
    const char *dir, *to;
    struct tables *from, *copy;
    struct intake_file file[INTAKE_FILES_MAX];
    int fd[INTAKE_FILES_MAX];
    size_t files_n;
    uint64_t rows;
};

static void
let_go(struct frontier_copy *b)
{
    for (size_t i = 0; i < b->files_n; i++)
        if (b->fd[i] >= 0)
            close(b->fd[i]);
    b->files_n = 0;
    tables_abort(b->from);
}

/* ST_NONE: one of its files is gone already. */
static enum status
hold_moment(struct frontier_copy *b)
{
    enum status st = tables_peek(b->from);

    if (st == ST_OK)
        st = intake_files(b->from, b->file, &b->files_n);
    for (size_t i = 0; i < b->files_n; i++)
        b->fd[i] = -1;
    for (size_t i = 0; i < b->files_n && st == ST_OK; i++) {
        const struct path path = journal_path(b->dir, b->file[i].number);

        b->fd[i] = open(path.z, O_RDONLY | O_CLOEXEC);
        if (b->fd[i] >= 0)
            continue;
        st = errno == ENOENT ? ST_NONE : ST_IO;
        if (st == ST_IO)
            log_error("backup", "%s: %s", path.z, strerror(errno));
    }
    if (st != ST_OK)
        let_go(b);
    return st;
}

static enum status
copy_links(const struct frontier_copy *b)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < b->files_n && st == ST_OK; i++) {
        const struct path path = journal_path(b->to, b->file[i].number);

        st = file_copy(b->fd[i], b->file[i].end, path.z);
        if (st != ST_OK)
            st = file_copy_failed("backup", path.z, st);
    }
    return st;
}

/* The copy says itself what it is. */
static enum status
copy_meta(struct frontier_copy *b)
{
    struct str key, value;
    enum status st = tables_seek(b->from, TABLE_META, S(""), &key, &value);

    while (st == ST_OK) {
        if (!str_eq(key, S("magic")) && !str_eq(key, S("schema")))
            st = tables_put(b->copy, TABLE_META, key, value);
        if (st == ST_OK)
            st = tables_next(b->from, TABLE_META, &key, &value);
    }
    return st == ST_NONE ? ST_OK : st;
}

static enum status
copy_rows(struct frontier_copy *b)
{
    struct progress *p = progress_begin(
        "backup", "rows", tables_rows(b->from, TABLE_META + 1, TABLE_N));
    enum status st = tables_begin(b->copy);

    if (st == ST_OK)
        st = copy_meta(b);
    for (int i = TABLE_META + 1; i < TABLE_N && st == ST_OK; i++)
        st = rewrite_copy(b->from, b->copy, (enum table)i, &b->rows, p);
    progress_end(p);
    return st == ST_OK ? tables_commit(b->copy) : st;
}

/* Who goes on with the copy on this machine goes on in its time. */
static enum status
copy_clock(const struct frontier_copy *b)
{
    const struct path from = path_printf("%s/clock", b->dir),
                      to = path_printf("%s/clock", b->to);
    enum status st = file_copy_whole(from.z, to.z);

    return st == ST_OK || st == ST_NONE ? ST_OK
                                        : file_copy_failed("backup", to.z, st);
}

static enum status
copy_moment(struct frontier_copy *b, const struct opts *o)
{
    const struct tables_config config = {
        .map_size = (size_t)o->frontier_map_gib << 30,
        .sync = S("none"), /* closing syncs it */
        .disk_free = o->output_disk_free_mib << 20};
    enum status st = tables_open(&b->copy, b->to, &config);

    if (st == ST_OK && (st = copy_rows(b)) == ST_OK)
        st = copy_links(b);
    tables_close(b->copy);
    return st == ST_OK ? copy_clock(b) : st;
}

enum status
frontier_backup(const char *dir, const char *to, const struct opts *o)
{
    const struct tables_config config = {.read_only = true};
    struct frontier_copy b = {.dir = dir, .to = to};
    enum status st;
    int looks = 0;

    if (access(path_printf("%s/data.mdb", to).z, F_OK) == 0) {
        log_error("backup", "%s holds a frontier already", to);
        return ST_USAGE;
    }
    if ((st = tables_open(&b.from, dir, &config)) != ST_OK)
        return st;
    while ((st = hold_moment(&b)) == ST_NONE && ++looks < LOOKS_MAX)
        clock_sleep_ms(LOOK_MS);
    if (st == ST_NONE)
        log_error("backup",
                  "%s: links that wait are gone before they can be "
                  "looked at: try again",
                  dir);
    if (st == ST_OK) {
        st = copy_moment(&b, o);
        let_go(&b);
    }
    tables_close(b.from);
    return st == ST_NONE ? ST_BUSY : st;
}
