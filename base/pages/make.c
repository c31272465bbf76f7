/* make.c -- see make.h.
 *
 * LMDB writes the two meta pages of a new file and syncs nothing: what a power
 * loss makes of that is a file without a store in it, which no later process
 * can tell from a damaged one.  So a new store is made under another name,
 * synced, and renamed. */
#include "make.h"

#include <errno.h>
#include <lmdb.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk_full.h"
#include "base/file.h"

static int
make(const char *path, const char *part)
{
    MDB_env *env;
    int rc = mdb_env_create(&env);

    if (rc != 0)
        return rc;
    unlink(part); /* of a process that was killed */
    if ((rc = mdb_env_open(env, part, MDB_NOSUBDIR | MDB_NOLOCK, 0666)) == 0)
        rc = mdb_env_sync(env, 1);
    mdb_env_close(env);
    if (rc == 0 && (rename(part, path) != 0 || file_sync_name(path) != ST_OK))
        rc = errno;
    if (rc != 0)
        unlink(part);
    return rc;
}

enum status
pages_make(const char *dir, int *fault)
{
    char path[4200], part[4300];
    struct stat st;

    snprintf(path, sizeof path, "%s/data.mdb", dir);
    snprintf(part, sizeof part, "%s.part", path);
    *fault = 0;
    if (stat(path, &st) == 0 && st.st_size > 0)
        return ST_OK;
    *fault = make(path, part);
    if (*fault == 0)
        return ST_OK;
    return disk_full(*fault) ? ST_FULL : ST_IO;
}
