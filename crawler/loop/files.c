/* files.c -- see files.h.
 *
 * Every transfer is a file, and so is every idle connection.  Some are left
 * alone for what is opened while the crawl goes on: corpus and WARC files,
 * links that wait to be merged, resolvers, clients of the services. */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"

#define RESERVED 16
#define SPARE_MOST 256
#define IDLE_LEAST 64 /* connections, before there are fewer slots for them */

/* Fewer slots leave the outcome of the last page to decide on the next. */
#define SLOTS_WITH_SLOW 8

void
files_raise(void)
{
    struct rlimit r;

    if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur >= r.rlim_max)
        return;
    r.rlim_cur = r.rlim_max;
    setrlimit(RLIMIT_NOFILE, &r);
}

/* Files that can be opened; a guess where the system does not tell. */
static size_t
files_left(void)
{
    size_t open = 0;
    struct rlimit r;
    DIR *folder;

    if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    if ((folder = opendir("/proc/self/fd")) == NULL)
        return (size_t)r.rlim_cur / 2;
    while (readdir(folder) != NULL)
        open++;
    closedir(folder);
    open -= 3; /* ".", ".." and the folder itself */
    return open < r.rlim_cur ? (size_t)r.rlim_cur - open : 0;
}

enum status
files_share(struct crawl *c)
{
    const struct opts *o = c->opts;
    size_t left = files_left(), room = left > RESERVED ? left - RESERVED : 0;
    size_t want = (size_t)o->fetch_parallel,
           spare = room / 16 < SPARE_MOST ? room / 16 : SPARE_MOST;

    if (room == 0) {
        log_error("crawl",
                  "only %zu more files may be open: at least %d are needed "
                  "(ulimit -n)",
                  left, RESERVED + 1);
        return ST_USAGE;
    }
    c->parallel = want;
    c->slow_max = want < SLOTS_WITH_SLOW
                      ? 0
                      : (size_t)((double)want * o->fetch_slow_share);
    c->connections_idle_max = FETCH_IDLE_CONNECTIONS;
    if (room < want + c->slow_max + c->connections_idle_max + spare &&
        room >= want + c->slow_max + IDLE_LEAST + spare)
        c->connections_idle_max = room - want - c->slow_max - spare;
    if (room < want + c->slow_max + c->connections_idle_max) {
        c->parallel = want < (room + 1) / 2 ? want : (room + 1) / 2;
        if (c->slow_max > (room - c->parallel) / 2)
            c->slow_max = (room - c->parallel) / 2;
        c->connections_idle_max = room - c->parallel - c->slow_max;
        log_warn("crawl",
                 "only %zu more files may be open (ulimit -n): %zu of "
                 "fetch.parallel=%zu transfers at once, %zu slow ones beside "
                 "them",
                 left, c->parallel, want, c->slow_max);
    }
    c->parallel_max = c->parallel;
    return ST_OK;
}

bool
files_have_run_out(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return errno == EMFILE || errno == ENFILE;
    close(fd);
    return false;
}
