/* poison.c -- see poison.h. */
#include "poison.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd_io.h"
#include "base/log.h"
#include "base/memory.h"

#define LINE_N 33 /* 32 hex digits */

struct poison {
    pthread_mutex_t lock;
    struct hash128 *item; /* one for each failure; there are few */
    size_t n, room;
    int fd; /* -1: none */
};

static void
remember(struct poison *p, struct hash128 h)
{
    if (p->n == p->room) {
        p->room = p->room > 0 ? 2 * p->room : 64;
        p->item = memory_need(realloc(p->item, p->room * sizeof *p->item));
    }
    p->item[p->n++] = h;
}

static bool
parse(struct str line, struct hash128 *h)
{
    *h = (struct hash128){0, 0};
    if (line.n != LINE_N - 1)
        return false;
    for (size_t i = 0; i < line.n; i++) {
        uint64_t *half = i < 16 ? &h->high : &h->low;
        int digit = ascii_hex(line.p[i]);

        if (digit < 0)
            return false;
        *half = *half << 4 | (uint64_t)digit;
    }
    return true;
}

/* A line that was cut off by a crash is none; the next one begins anew. */
static bool
load(struct poison *p)
{
    struct buf all = {0};
    struct str rest, line;
    struct hash128 h;
    ptrdiff_t n;

    do {
        buf_reserve(&all, 1 << 16);
        if ((n = fd_read(p->fd, all.p + all.n, 1 << 16)) > 0)
            all.n += (size_t)n;
    } while (n > 0);
    rest = buf_view(&all);
    while (str_cut(&rest, '\n', &line))
        if (parse(line, &h))
            remember(p, h);
    if (n == 0 && all.n > 0 && all.p[all.n - 1] != '\n')
        n = fd_write(p->fd, "\n", 1) ? 0 : -1;
    buf_free(&all);
    return n == 0;
}

enum status
poison_open(struct poison **out, const char *path)
{
    struct poison *p = memory_need(calloc(1, sizeof *p));

    pthread_mutex_init(&p->lock, NULL);
    p->fd = -1;
    *out = p;
    if (path == NULL)
        return ST_OK;
    p->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (p->fd >= 0 && load(p))
        return ST_OK;
    log_error("convert", "file=%s %s", path, strerror(errno));
    poison_close(p);
    *out = NULL;
    return ST_IO;
}

void
poison_close(struct poison *p)
{
    if (p == NULL)
        return;
    if (p->fd >= 0)
        close(p->fd);
    pthread_mutex_destroy(&p->lock);
    free(p->item);
    free(p);
}

unsigned
poison_failures(struct poison *p, struct hash128 document)
{
    unsigned n = 0;

    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < p->n; i++)
        n += p->item[i].high == document.high && p->item[i].low == document.low;
    pthread_mutex_unlock(&p->lock);
    return n;
}

void
poison_failed(struct poison *p, struct hash128 document)
{
    char line[LINE_N + 1];

    hash128_hex(document, line);
    line[LINE_N - 1] = '\n';
    pthread_mutex_lock(&p->lock);
    remember(p, document);
    if (p->fd >= 0 && (!fd_write(p->fd, line, LINE_N) || fdatasync(p->fd) != 0))
        log_warn("convert", "which document failed could not be written: %s",
                 strerror(errno));
    pthread_mutex_unlock(&p->lock);
}
