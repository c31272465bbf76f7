/* live.c -- see live.h.
 *
 * The lock guards what is on the screen: log lines of other threads take the
 * lines away and draw them again through the hooks of log.h, which holds its
 * own lock meanwhile; hence nothing is logged under ours. */
#include "live.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/memory.h"

#define COLUMNS_DEFAULT 80

struct live {
    int fd;
    pthread_mutex_t lock;
    struct buf shown; /* what is on the screen */
    struct buf next;  /* work space */
    bool drawn;
};

static struct live *on_screen; /* for the hooks; set while open */

static void
put(const struct live *l, struct str text)
{
    while (text.n > 0) {
        ssize_t n = write(l->fd, text.p, text.n);

        if (n <= 0)
            return; /* the terminal is gone or slow: the next drawing counts */
        text = str_sub(text, (size_t)n, text.n);
    }
}

/* Append what takes the drawn lines off the screen. */
static void
erase(const struct live *l, struct buf *out)
{
    if (!l->drawn)
        return;
    buf_char(out, '\r');
    for (size_t i = 0; i < l->shown.n; i++)
        if (l->shown.p[i] == '\n')
            buf_c(out, "\033[A");
    buf_c(out, "\033[J");
}

static void
hook_before(void)
{
    struct live *l = on_screen;
    struct buf out = {0};

    if (l == NULL)
        return;
    pthread_mutex_lock(&l->lock);
    erase(l, &out);
    l->drawn = false;
    put(l, buf_view(&out));
    buf_free(&out);
}

static void
hook_after(void)
{
    struct live *l = on_screen;

    if (l == NULL)
        return;
    put(l, buf_view(&l->shown));
    l->drawn = l->shown.n > 0;
    pthread_mutex_unlock(&l->lock);
}

bool
live_can(int fd)
{
    const char *term = getenv("TERM");

    return isatty(fd) && term && strcmp(term, "dumb") != 0;
}

uint32_t
live_columns(int fd)
{
    struct winsize size;

    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
               ? size.ws_col
               : COLUMNS_DEFAULT;
}

struct live *
live_open(int fd)
{
    struct live *l;

    if (on_screen != NULL)
        return NULL;
    l = memory_need(calloc(1, sizeof *l));
    l->fd = fd;
    pthread_mutex_init(&l->lock, NULL);
    on_screen = l;
    log_set_hooks(hook_before, hook_after);
    return l;
}

void
live_show(struct live *l, struct str lines)
{
    if (l == NULL)
        return;
    pthread_mutex_lock(&l->lock);
    buf_clear(&l->next);
    erase(l, &l->next);
    buf_clear(&l->shown);
    buf_str(&l->shown, lines);
    buf_str(&l->next, lines);
    put(l, buf_view(&l->next));
    l->drawn = lines.n > 0;
    pthread_mutex_unlock(&l->lock);
}

void
live_close(struct live *l)
{
    if (l == NULL)
        return;
    live_show(l, S(""));
    log_set_hooks(NULL, NULL); /* waits for a line being written */
    on_screen = NULL;
    pthread_mutex_destroy(&l->lock);
    buf_free(&l->shown);
    buf_free(&l->next);
    free(l);
}
