/* salvage.c -- see salvage.h. */
#include "salvage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "verify.h"

void
pages_say_fault(struct buf *out, uint64_t *faults, const struct pages_fault *f)
{
    struct str table = f->table.n > 0 ? f->table : S("stray");

    if (++*faults <= PAGES_FAULTS_SAID)
        buf_printf(out, "page %" PRIu64 " (%.*s): %s\n", f->page, STRF(table),
                   f->what);
}

static void
remove_files(const char *dir, const char *const *names)
{
    for (; names != NULL && *names != NULL; names++)
        unlink(path_printf("%s/%s", dir, *names).z);
}

void
pages_remove_store(const char *dir, const char *const *own)
{
    static const char *const always[] = {"data.mdb", "data.mdb.part",
                                         "lock.mdb", PAGES_CLOSED_FILE, NULL};

    remove_files(dir, always);
    remove_files(dir, own);
    rmdir(dir);
}

enum status
pages_take_place(const char *dir, const char *fresh, const char *topic,
                 struct buf *out)
{
    const struct path old = path_printf("%s/data.mdb", dir),
                      kept = path_printf("%s.damaged", old.z),
                      new = path_printf("%s/data.mdb", fresh);

    unlink(kept.z);
    if (link(old.z, kept.z) != 0 || rename(new.z, old.z) != 0 ||
        file_sync_name(old.z) != ST_OK) {
        log_error(topic, "cannot put %s in the place of %s: %s", new.z, old.z,
                  strerror(errno));
        return ST_IO;
    }
    buf_printf(out, "the damaged store is kept as %s\n", kept.z);
    return ST_OK;
}
