/* status_line.c -- see status_line.h: when to draw.  Where on the terminal is
 * base/live.c's, the texts are in status_text.c.
 *
 * Rates come from a ring of snapshots a second apart, so they are those of the
 * last RATE_SPAN seconds. */
#include "status_line.h"

#include <stdlib.h>

#include "base/live.h"
#include "base/log.h"

#define DRAW_EVERY_MS 250
#define SAMPLE_EVERY_MS 1000
#define RATE_SPAN 16 /* samples */

struct rate_sample {
    uint64_t at_ms, fetched, bytes;
};

struct status_line {
    struct status_line_setup setup;
    struct live *live; /* NULL: plain lines */
    struct buf next;   /* work space of update */
    struct rate_sample samples[RATE_SPAN];
    uint32_t samples_n, sample_next;
    uint64_t started_ms, drawn_ms, plain_ms;
};

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

struct status_line *
status_line_open(const struct status_line_setup *setup, uint64_t now_ms)
{
    struct status_line *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    s->setup = *setup;
    s->started_ms = s->plain_ms = now_ms;
    if (setup->live)
        s->live = live_open(setup->fd);
    return s;
}

static void
sample(struct status_line *s, const struct crawl_stats *stats, uint64_t now_ms)
{
    uint32_t last = (s->sample_next + RATE_SPAN - 1) % RATE_SPAN;

    if (s->samples_n > 0 && now_ms - s->samples[last].at_ms < SAMPLE_EVERY_MS)
        return;
    s->samples[s->sample_next] =
        (struct rate_sample){now_ms, stats->fetched, stats->fetched_bytes};
    s->sample_next = (s->sample_next + 1) % RATE_SPAN;
    if (s->samples_n < RATE_SPAN)
        s->samples_n++;
}

static struct status_rates
rates(const struct status_line *s, const struct crawl_stats *stats,
      uint64_t now_ms)
{
    const struct rate_sample *oldest =
        &s->samples[s->samples_n < RATE_SPAN ? 0 : s->sample_next];
    double seconds = (double)(now_ms - oldest->at_ms) / 1000;
    struct status_rates r = {.elapsed_ms = now_ms - s->started_ms};

    if (seconds > 0) {
        r.pages = (double)(stats->fetched - oldest->fetched) / seconds;
        r.bytes = (double)(stats->fetched_bytes - oldest->bytes) / seconds;
    }
    return r;
}

static void
draw(struct status_line *s, const struct crawl_stats *stats,
     const struct frontier_totals *totals, const struct status_rates *r)
{
    uint32_t columns =
        s->setup.columns > 0 ? s->setup.columns : live_columns(s->setup.fd);

    buf_clear(&s->next);
    status_line_live(stats, totals, r, columns, &s->next);
    live_show(s->live, buf_view(&s->next));
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
    live_close(s->live);
    buf_free(&s->next);
    free(s);
}
