/* status_text.c -- the texts of the status line: see status_line.h.  Pure. */
#include <inttypes.h>
#include <stdio.h>

#include "status_line.h"

static void
size(struct buf *out, double bytes)
{
    static const char *const names[] = {"B", "kB", "MB", "GB", "TB"};
    size_t i = 0;

    for (; bytes >= 1000 && i + 1 < sizeof names / sizeof *names; i++)
        bytes /= 1000;
    buf_printf(out, i == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes,
               names[i]);
}

static void
duration(struct buf *out, uint64_t ms)
{
    uint64_t s = ms / 1000;

    buf_printf(out, "%" PRIu64 ":%02u:%02u", s / 3600, (unsigned)(s / 60 % 60),
               (unsigned)(s % 60));
}

static double
ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* Cut what was added since `from` to one line of `columns`. */
static void
end_line(struct buf *out, size_t *from, uint32_t columns)
{
    if (out->n - *from > columns)
        out->n = *from + columns;
    buf_char(out, '\n');
    *from = out->n;
}

/* The queue by priority class, highest first: ".9: 12  .8: 340". */
static void
classes(const struct frontier_totals *t, struct buf *out)
{
    for (unsigned i = 0; i < FRONTIER_CLASSES; i++) {
        if (t->queued_by_priority[i] == 0)
            continue;
        buf_printf(out, "  .%u: ", FRONTIER_CLASSES - 1 - i);
        buf_grouped(out, t->queued_by_priority[i]);
    }
}

static void
pages_line(const struct crawl_stats *s, const struct status_rates *r,
           struct buf *out)
{
    duration(out, r->elapsed_ms);
    buf_c(out, "  fetched ");
    buf_grouped(out, s->fetched);
    if (s->page_limit > 0) {
        buf_c(out, " of ");
        buf_grouped(out, s->page_limit);
    }
    buf_printf(out, " (%.1f/s, ", r->pages);
    size(out, r->bytes);
    buf_c(out, "/s)  kept ");
    buf_grouped(out, s->kept);
    buf_printf(out, "  yield %.1f %% (last %u: %.1f %%)",
               100 * ratio(s->kept, s->fetched), s->window_pages,
               100 * ratio(s->window_kept, s->window_pages));
}

void
status_line_live(const struct crawl_stats *s, const struct frontier_totals *t,
                 const struct status_rates *r, uint32_t columns,
                 struct buf *out)
{
    size_t from = out->n;

    pages_line(s, r, out);
    end_line(out, &from, columns);
    if (t) {
        buf_c(out, "hosts ");
        buf_grouped(out, t->hosts_ready);
        buf_c(out, " ready, ");
        buf_grouped(out, t->hosts_waiting);
        buf_c(out, " waiting");
        if (t->hosts_full > 0) {
            buf_c(out, ", ");
            buf_grouped(out, t->hosts_full);
            buf_c(out, " full");
        }
        buf_c(out, "  queue ");
        buf_grouped(out, t->queued);
        classes(t, out);
        end_line(out, &from, columns);
    }
    buf_printf(out, "in flight %u", s->in_flight);
    if (t && t->idle_slots > 0)
        buf_printf(out, " (%" PRIu64 " idle: patience)", t->idle_slots);
    buf_printf(out, "  cleaning %u  errors ", s->cleaning);
    buf_grouped(out, s->errors);
    buf_c(out, "  retries ");
    buf_grouped(out, s->retries);
    buf_c(out, "  waits ");
    buf_grouped(out, s->waits);
    if (s->pause)
        buf_printf(out, "  PAUSED: %s", s->pause);
    end_line(out, &from, columns);
    out->n--; /* the cursor stays behind the last line */
}

void
status_line_plain(const struct crawl_stats *s, const struct frontier_totals *t,
                  const struct status_rates *r, struct buf *out)
{
    buf_printf(out,
               "seconds=%" PRIu64 " fetched=%" PRIu64 " kept=%" PRIu64
               " pages_per_s=%.1f bytes_per_s=%.0f yield=%.4f yield_last=%.4f",
               r->elapsed_ms / 1000, s->fetched, s->kept, r->pages, r->bytes,
               ratio(s->kept, s->fetched),
               ratio(s->window_kept, s->window_pages));
    buf_printf(out,
               " in_flight=%u cleaning=%u errors=%" PRIu64 " retries=%" PRIu64
               " redirects=%" PRIu64 " robots=%" PRIu64 " disallowed=%" PRIu64
               " refused=%" PRIu64 " waits=%" PRIu64,
               s->in_flight, s->cleaning, s->errors, s->retries, s->redirects,
               s->robots, s->disallowed, s->refused, s->waits);
    if (t) {
        buf_printf(out,
                   " queued=%" PRIu64 " hosts_ready=%" PRIu64
                   " hosts_waiting=%" PRIu64 " hosts_full=%" PRIu64
                   " queued_by_priority=",
                   t->queued, t->hosts_ready, t->hosts_waiting, t->hosts_full);
        for (unsigned i = 0; i < FRONTIER_CLASSES; i++)
            buf_printf(out, "%s%" PRIu64, i ? "," : "",
                       t->queued_by_priority[i]);
        buf_printf(out, " idle_slots=%" PRIu64 " idle_slot_seconds=%.1f",
                   t->idle_slots, (double)t->idle_ms / 1000);
    }
    if (s->pause)
        buf_printf(out, " paused=\"%s\"", s->pause);
}
