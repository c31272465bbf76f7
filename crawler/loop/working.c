/* working.c -- see working.h.  The file is written in full before it is mapped,
 * so that a full disk is no SIGBUS later.  A row is one aligned word: it is
 * there or not. */
#include "working.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE (WORKING_MAX * sizeof(uint64_t))

struct working {
    _Atomic uint64_t *row;
};

/* The whole file is there: mapped.  NULL: errno. */
static void *
map_file(const char *path)
{
    static const char zero[SIZE];
    struct stat st;
    void *p = NULL;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && (st.st_size == (off_t)SIZE ||
                                pwrite(fd, zero, SIZE, 0) == (ssize_t)SIZE))
        p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return p == MAP_FAILED ? NULL : p;
}

enum status
working_open(struct working **out, const char *dir)
{
    struct working *w = calloc(1, sizeof *w);
    const struct path path = path_printf("%s/working", dir);

    *out = NULL;
    if (w == NULL)
        return ST_NOMEM;
    if ((w->row = map_file(path.z)) == NULL) {
        log_warn("crawl",
                 "%s: %s: a page that ends the crawl will not be known by it",
                 path.z, strerror(errno));
        w->row = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (w->row == MAP_FAILED) {
        free(w);
        return ST_NOMEM;
    }
    *out = w;
    return ST_OK;
}

void
working_close(struct working *w)
{
    if (w == NULL)
        return;
    munmap((void *)(uintptr_t)w->row, SIZE);
    free(w);
}

size_t
working_left(const struct working *w, uint64_t out[WORKING_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < WORKING_MAX; i++)
        if (w->row[i] != 0)
            out[n++] = w->row[i];
    return n;
}

void
working_told(struct working *w)
{
    for (size_t i = 0; i < WORKING_MAX; i++)
        w->row[i] = 0;
}

void
working_on(struct working *w, size_t i, struct str url)
{
    if (w != NULL && i < WORKING_MAX)
        w->row[i] = hash64(url);
}

void
working_off(struct working *w, size_t i)
{
    if (w != NULL && i < WORKING_MAX)
        w->row[i] = 0;
}
