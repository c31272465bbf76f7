/* salvage.c -- see salvage.h. */
#include "salvage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
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
    char path[4400];

    for (; names != NULL && *names != NULL; names++) {
        snprintf(path, sizeof path, "%s/%s", dir, *names);
        unlink(path);
    }
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
    char old[4300], kept[4400], new[4300];

    snprintf(old, sizeof old, "%s/data.mdb", dir);
    snprintf(kept, sizeof kept, "%s.damaged", old);
    snprintf(new, sizeof new, "%s/data.mdb", fresh);
    unlink(kept);
    if (link(old, kept) != 0 || rename(new, old) != 0 ||
        file_sync_name(old) != ST_OK) {
        log_error(topic, "cannot put %s in the place of %s: %s", new, old,
                  strerror(errno));
        return ST_IO;
    }
    buf_printf(out, "the damaged store is kept as %s\n", kept);
    return ST_OK;
}
