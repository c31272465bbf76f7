/* make.c -- see make.h.
 *
 * LMDB writes the two meta pages of a new file and syncs nothing: what a power
 * loss makes of that is a file without a store in it, which no later process
 * can tell from a damaged one, and who only reads would meet a store without
 * tables.  So a new store is made under another name, filled, synced, and
 * renamed. */
#include "make.h"

#include <errno.h>
#include <lmdb.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk_full.h"
#include "base/file.h"
#include "base/path.h"

static enum status
make(const char *part, const struct pages_content *c, int *fault)
{
    enum status st = ST_OK;
    MDB_env *env;
    int rc = mdb_env_create(&env);

    if (rc != 0) {
        *fault = rc;
        return ST_IO;
    }
    unlink(part); /* of a process that was killed */
    if (c != NULL)
        rc = mdb_env_set_maxdbs(env, (MDB_dbi)c->tables_n);
    if (rc == 0)
        rc = mdb_env_open(env, part, MDB_NOSUBDIR | MDB_NOLOCK, 0666);
    if (disk_full(rc)) /* or the two first pages were cut short */
        rc = disk_full_of(2 * (uint64_t)sysconf(_SC_PAGESIZE), rc);
    if (rc == 0 && c != NULL)
        st = c->fill(c->self, env);
    if (rc == 0 && st == ST_OK)
        rc = mdb_env_sync(env, 1);
    mdb_env_close(env);
    *fault = rc;
    return rc == 0 ? st : ST_IO;
}

enum status
pages_make(const char *dir, const struct pages_content *c, int *fault)
{
    const struct path path = path_printf("%s/data.mdb", dir),
                      part = path_printf("%s.part", path.z);
    struct stat sb;
    enum status st;

    *fault = 0;
    if (stat(path.z, &sb) == 0 && sb.st_size > 0)
        return ST_OK;
    st = make(part.z, c, fault);
    if (st == ST_OK &&
        (rename(part.z, path.z) != 0 || file_sync_name(path.z) != ST_OK)) {
        *fault = errno;
        st = ST_IO;
    }
    if (st != ST_OK)
        unlink(part.z);
    return *fault != 0 && disk_full(*fault) ? ST_FULL : st;
}
