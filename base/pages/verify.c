/* verify.c -- see verify.h.  A page costs about a microsecond, once it is in
 * memory; so the file is asked for as a whole before it is walked. */
#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/machine.h"
#include "base/path.h"
#include "salvage.h"

#define NOTE_MAX 128

struct fault_report {
    struct buf text; /* of the first faults */
    uint64_t faults;
};

static void
take_fault(void *self, const struct pages_fault *f)
{
    struct fault_report *r = self;

    pages_say_fault(&r->text, &r->faults, f);
}

/* ---- the note ---- */

/* What the file looks like: its last commit, size and date. */
static bool
describe(const char *dir, uint64_t txn, char note[NOTE_MAX])
{
    struct stat st;

    if (stat(path_printf("%s/data.mdb", dir).z, &st) != 0)
        return false;
    snprintf(note, NOTE_MAX, "%" PRIu64 " %lld %lld.%09ld\n", txn,
             (long long)st.st_size, (long long)st.st_mtim.tv_sec,
             st.st_mtim.tv_nsec);
    return true;
}

static bool
is_as_closed(const char *dir, uint64_t txn)
{
    const struct path path = path_printf("%s/" PAGES_CLOSED_FILE, dir);
    char now[NOTE_MAX], was[NOTE_MAX] = "";
    int fd;
    ssize_t n = -1;

    if ((fd = open(path.z, O_RDONLY | O_CLOEXEC)) >= 0) {
        n = read(fd, was, sizeof was - 1);
        close(fd);
    }
    return n > 0 && describe(dir, txn, now) && strcmp(was, now) == 0;
}

void
pages_closed(const char *dir)
{
    const struct path closed = path_printf("%s/" PAGES_CLOSED_FILE, dir);
    char note[NOTE_MAX];
    struct pages *p;
    bool good;
    int fd;

    if (pages_open(&p, path_printf("%s/data.mdb", dir).z) != ST_OK)
        return;
    good = describe(dir, pages_txn(p), note);
    pages_close(p);
    fd = good ? open(closed.z, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
              : -1;
    if (fd < 0)
        return; /* the next opening looks for itself */
    if (write(fd, note, strlen(note)) != (ssize_t)strlen(note))
        unlink(closed.z);
    close(fd);
}

/* ---- looking ---- */

static void
ask_for(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd >= 0) {
        (void)posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
        close(fd);
    }
}

static enum status
verify(struct pages *p, const char *path, const char *topic,
       const char *command)
{
    struct fault_report r = {0};
    const struct pages_visitor v = {.self = &r, .fault = take_fault};
    const struct pages_walk how = {.leaves =
                                       pages_bytes(p) <= machine_memory() / 2};

    if (how.leaves)
        ask_for(path);
    (void)pages_walk(p, how, &v);
    if (r.faults > 0)
        log_error(topic,
                  "%s is damaged: %.*s; %" PRIu64 " faults; bring back a copy, "
                  "or `%s` writes what can be read into a new store",
                  path, (int)str_find(buf_view(&r.text), '\n', 0), r.text.p,
                  r.faults, command);
    buf_free(&r.text);
    return r.faults > 0 ? ST_STORE : ST_OK;
}

enum status
pages_verify(const char *dir, const char *topic, const char *command)
{
    const struct path path = path_printf("%s/data.mdb", dir);
    struct pages *p;
    enum status st;

    if (pages_open(&p, path.z) != ST_OK)
        return ST_OK;
    st = is_as_closed(dir, pages_txn(p)) ? ST_OK
                                         : verify(p, path.z, topic, command);
    pages_close(p);
    return st;
}

enum status
pages_check(const char *dir, uint64_t txn, struct buf *out, uint64_t *faults)
{
    struct fault_report r = {0};
    const struct pages_visitor v = {.self = &r, .fault = take_fault};
    struct pages *p;
    enum status st;

    *faults = 0;
    if ((st = pages_open(&p, path_printf("%s/data.mdb", dir).z)) != ST_OK)
        return st;
    if (txn != 0 && !pages_choose(p, txn))
        st = ST_BUSY;
    else
        st = pages_walk(p, (struct pages_walk){.leaves = true}, &v);
    pages_close(p);
    buf_str(out, buf_view(&r.text));
    buf_free(&r.text);
    *faults = r.faults;
    return st;
}

void
pages_on_assert(struct MDB_env *env, const char *text)
{
    const char *path = "?";

    (void)mdb_env_get_path(env, &path);
    log_error("store",
              "%s/data.mdb is damaged (%s); stop what uses it and let `--check "
              "--repair` of winnow frontier or winnow dedup write what can be "
              "read into a new store",
              path, text);
    _exit(1);
}
