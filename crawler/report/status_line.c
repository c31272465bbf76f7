/* status_line.c -- see status_line.h: when to draw, and where on the terminal.
 * The texts are in status_text.c.
 *
 * Rates come from a ring of snapshots a second apart, so they are those of the
 * last RATE_SPAN seconds.  The lock guards what is on the screen: log lines of
 * other threads take the lines away and draw them again through the hooks of
 * log.h, which holds its own lock meanwhile; hence nothing is logged under
 * ours. */
#include "status_line.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "winnow/log.h"

#define DRAW_EVERY_MS 250
#define SAMPLE_EVERY_MS 1000
#define RATE_SPAN 16 /* samples */
#define COLUMNS_DEFAULT 80

struct sample {
    uint64_t at_ms, fetched, bytes;
};

struct status_line {
    struct status_line_setup setup;
    pthread_mutex_t lock;
    struct buf shown; /* what is on the screen */
    struct buf next;  /* scratch of update */
    struct sample samples[RATE_SPAN];
    uint32_t samples_n, sample_next;
    uint64_t started_ms, drawn_ms, plain_ms;
    bool drawn;
};

static struct status_line *on_screen; /* for the hooks; set while open */

void
crawl_window_add(struct crawl_window *w, bool kept)
{
    if (w->pages == CRAWL_WINDOW)
        w->kept -= w->kept_at[w->next];
    else
        w->pages++;
    w->kept += kept;
    w->kept_at[w->next] = kept;
    w->next = (w->next + 1) % CRAWL_WINDOW;
}

static void
put(const struct status_line *s, struct str text)
{
    while (text.n > 0) {
        ssize_t n = write(s->setup.fd, text.p, text.n);

        if (n <= 0)
            return; /* the terminal is gone or slow: the next drawing counts */
        text = str_sub(text, (size_t)n, text.n);
    }
}

/* Append what takes the drawn lines off the screen. */
static void
erase(const struct status_line *s, struct buf *out)
{
    if (!s->drawn)
        return;
    buf_char(out, '\r');
    for (size_t i = 0; i < s->shown.n; i++)
        if (s->shown.p[i] == '\n')
            buf_c(out, "\033[A");
    buf_c(out, "\033[J");
}

static void
hook_before(void)
{
    struct status_line *s = on_screen;
    struct buf out = {0};

    if (s == NULL)
        return;
    pthread_mutex_lock(&s->lock);
    erase(s, &out);
    s->drawn = false;
    put(s, buf_view(&out));
    buf_free(&out);
}

static void
hook_after(void)
{
    struct status_line *s = on_screen;

    if (s == NULL)
        return;
    put(s, buf_view(&s->shown));
    s->drawn = s->shown.n > 0;
    pthread_mutex_unlock(&s->lock);
}

bool
status_line_can_live(int fd)
{
    const char *term = getenv("TERM");

    return isatty(fd) && term && strcmp(term, "dumb") != 0;
}

struct status_line *
status_line_open(const struct status_line_setup *setup, uint64_t now_ms)
{
    struct status_line *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    s->setup = *setup;
    s->started_ms = s->plain_ms = now_ms;
    pthread_mutex_init(&s->lock, NULL);
    if (setup->live) {
        on_screen = s;
        log_set_hooks(hook_before, hook_after);
    }
    return s;
}

static void
sample(struct status_line *s, const struct crawl_stats *stats, uint64_t now_ms)
{
    uint32_t last = (s->sample_next + RATE_SPAN - 1) % RATE_SPAN;

    if (s->samples_n > 0 && now_ms - s->samples[last].at_ms < SAMPLE_EVERY_MS)
        return;
    s->samples[s->sample_next] =
        (struct sample){now_ms, stats->fetched, stats->fetched_bytes};
    s->sample_next = (s->sample_next + 1) % RATE_SPAN;
    if (s->samples_n < RATE_SPAN)
        s->samples_n++;
}

static struct status_rates
rates(const struct status_line *s, const struct crawl_stats *stats,
      uint64_t now_ms)
{
    const struct sample *oldest =
        &s->samples[s->samples_n < RATE_SPAN ? 0 : s->sample_next];
    double seconds = (double)(now_ms - oldest->at_ms) / 1000;
    struct status_rates r = {.elapsed_ms = now_ms - s->started_ms};

    if (seconds > 0) {
        r.pages = (double)(stats->fetched - oldest->fetched) / seconds;
        r.bytes = (double)(stats->fetched_bytes - oldest->bytes) / seconds;
    }
    return r;
}

static uint32_t
columns(const struct status_line *s)
{
    struct winsize size;

    if (s->setup.columns > 0)
        return s->setup.columns;
    if (ioctl(s->setup.fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return COLUMNS_DEFAULT;
}

static void
draw(struct status_line *s, const struct crawl_stats *stats,
     const struct frontier_totals *totals, const struct status_rates *r)
{
    pthread_mutex_lock(&s->lock);
    buf_clear(&s->next);
    erase(s, &s->next);
    buf_clear(&s->shown);
    status_line_live(stats, totals, r, columns(s), &s->shown);
    buf_str(&s->next, buf_view(&s->shown));
    put(s, buf_view(&s->next));
    s->drawn = true;
    pthread_mutex_unlock(&s->lock);
}

void
status_line_update(struct status_line *s, const struct crawl_stats *stats,
                   const struct frontier_totals *totals, uint64_t now_ms)
{
    struct status_rates r;

    if (s == NULL)
        return;
    sample(s, stats, now_ms);
    if (s->setup.live) {
        if (s->drawn_ms > 0 && now_ms - s->drawn_ms < DRAW_EVERY_MS)
            return;
        s->drawn_ms = now_ms;
        r = rates(s, stats, now_ms);
        draw(s, stats, totals, &r);
    } else if (now_ms - s->plain_ms >= s->setup.every_ms) {
        s->plain_ms = now_ms;
        r = rates(s, stats, now_ms);
        buf_clear(&s->next);
        status_line_plain(stats, totals, &r, &s->next);
        log_info("status", "%.*s", STRF(buf_view(&s->next)));
    }
}

void
status_line_close(struct status_line *s)
{
    if (s == NULL)
        return;
    if (s->setup.live) {
        log_set_hooks(NULL, NULL); /* waits for a line being written */
        on_screen = NULL;
        buf_clear(&s->next);
        erase(s, &s->next);
        put(s, buf_view(&s->next));
    }
    pthread_mutex_destroy(&s->lock);
    buf_free(&s->shown);
    buf_free(&s->next);
    free(s);
}
