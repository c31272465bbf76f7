/* progress.c -- see progress.h.
 *
 * Adding costs an atomic addition and a look at the clock; whoever adds when a
 * drawing is due draws, if nobody else is at it.  The rate is that of the last
 * ten to twenty seconds. */
#include "base/progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "live.h"

#define DRAW_EVERY_MS 250
#define FIRST_MS 500 /* shorter work needs no line */
#define WINDOW_MS 10000

uint64_t progress_every_ms = 10000;

struct progress_mark {
    uint64_t at_ms, done;
};

struct progress {
    const char *what, *unit;
    const char *_Atomic label;
    uint64_t start_ms;
    bool on_terminal;
    _Atomic uint64_t done, total, figure, due_ms;
    pthread_mutex_t lock; /* of what follows */
    struct progress_mark
        mark[2];       /* where the rate is counted from; the next such */
    struct live *live; /* NULL: nothing is drawn yet */
};

struct progress *
progress_begin(const char *what, const char *unit, uint64_t total)
{
    struct progress *p = memory_need(calloc(1, sizeof *p));
    uint64_t now = clock_steady_ms();

    p->what = what;
    p->unit = unit;
    p->total = total;
    p->start_ms = now;
    p->on_terminal = live_can(STDERR_FILENO);
    p->mark[0].at_ms = p->mark[1].at_ms = now;
    p->due_ms = progress_every_ms == PROGRESS_OFF ? UINT64_MAX
                : p->on_terminal                  ? now + FIRST_MS
                                                  : now + progress_every_ms;
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

static double
rate(struct progress *p, uint64_t done, uint64_t now)
{
    uint64_t ms = now - p->mark[0].at_ms;
    double r = ms > 0 && done > p->mark[0].done
                   ? (double)(done - p->mark[0].done) * 1000 / (double)ms
                   : 0;

    if (now - p->mark[1].at_ms >= WINDOW_MS) {
        p->mark[0] = p->mark[1];
        p->mark[1] = (struct progress_mark){now, done};
    }
    return r;
}

static void
show(struct progress *p, uint64_t now)
{
    struct progress_state s = {.what = p->what,
                               .unit = p->unit,
                               .label = p->label,
                               .done = p->done,
                               .total = p->total,
                               .figure = p->figure,
                               .elapsed_ms = now - p->start_ms};
    struct buf text = {0};

    s.rate = rate(p, s.done, now);
    if (p->on_terminal) {
        if (p->live == NULL)
            p->live = live_open(STDERR_FILENO);
        progress_live(&s, live_columns(STDERR_FILENO), &text);
        live_show(p->live, buf_view(&text));
    } else {
        progress_plain(&s, &text);
        log_always(p->what, "%.*s", STRF(buf_view(&text)));
    }
    buf_free(&text);
}

static void
look(struct progress *p)
{
    uint64_t now = clock_steady_ms();

    if (now < p->due_ms || pthread_mutex_trylock(&p->lock) != 0)
        return;
    if (now >= p->due_ms) {
        p->due_ms = now + (p->on_terminal ? DRAW_EVERY_MS : progress_every_ms);
        show(p, now);
    }
    pthread_mutex_unlock(&p->lock);
}

void
progress_add(struct progress *p, uint64_t more)
{
    if (p == NULL)
        return;
    p->done += more;
    look(p);
}

void
progress_to(struct progress *p, uint64_t done)
{
    if (p == NULL)
        return;
    p->done = done;
    look(p);
}

void
progress_total(struct progress *p, uint64_t total)
{
    if (p != NULL)
        p->total = total;
}

void
progress_figure(struct progress *p, const char *label, uint64_t n)
{
    if (p == NULL)
        return;
    p->figure = n;
    p->label = label;
}

void
progress_end(struct progress *p)
{
    if (p == NULL)
        return;
    live_close(p->live);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* ---- the texts ---- */

static void
amount(struct buf *out, const char *unit, double n)
{
    static const char *const sizes[] = {"B", "kB", "MB", "GB", "TB"};
    size_t i = 0;

    if (strcmp(unit, PROGRESS_BYTES) != 0) {
        buf_grouped(out, (uint64_t)n);
        return;
    }
    for (; n >= 1000 && i + 1 < sizeof sizes / sizeof *sizes; i++)
        n /= 1000;
    buf_printf(out, i == 0 || n >= 100 ? "%.0f %s" : "%.1f %s", n, sizes[i]);
}

/* 0: not known. */
static double
seconds_left(const struct progress_state *s)
{
    return s->total > s->done && s->rate > 0
               ? (double)(s->total - s->done) / s->rate
               : 0;
}

void
progress_live(const struct progress_state *s, uint32_t columns, struct buf *out)
{
    size_t from = out->n;
    const bool bytes = strcmp(s->unit, PROGRESS_BYTES) == 0;
    uint64_t left = (uint64_t)(seconds_left(s) + .5);

    buf_printf(out, "%s  ", s->what);
    amount(out, s->unit, (double)s->done);
    if (s->total > 0) {
        buf_c(out, " of ");
        amount(out, s->unit, (double)s->total);
    }
    if (!bytes)
        buf_printf(out, " %s", s->unit);
    if (s->total > 0)
        buf_printf(out, " (%.1f %%)", 100 * (double)s->done / (double)s->total);
    if (s->label != NULL) {
        buf_c(out, "  ");
        buf_grouped(out, s->figure);
        buf_printf(out, " %s", s->label);
    }
    buf_c(out, "  ");
    if (s->rate < 10 && !bytes)
        buf_printf(out, "%.1f", s->rate);
    else
        amount(out, s->unit, s->rate);
    buf_c(out, "/s");
    if (s->total > s->done && s->rate > 0)
        buf_printf(out, "  %" PRIu64 ":%02u:%02u left", left / 3600,
                   (unsigned)(left / 60 % 60), (unsigned)(left % 60));
    if (out->n - from > columns)
        out->n = from + columns;
}

void
progress_plain(const struct progress_state *s, struct buf *out)
{
    buf_printf(out, "seconds=%" PRIu64 " %s=%" PRIu64, s->elapsed_ms / 1000,
               s->unit, s->done);
    if (s->total > 0)
        buf_printf(out, " of=%" PRIu64, s->total);
    if (s->label != NULL)
        buf_printf(out, " %s=%" PRIu64, s->label, s->figure);
    buf_printf(out, " per_second=%.1f", s->rate);
    if (s->total > s->done && s->rate > 0)
        buf_printf(out, " seconds_left=%.0f", seconds_left(s));
}
