/* growth.c -- hosts that make URLs without end: generated mazes ("tarpits").
 *
 * A maze answers every URL with text and with links to URLs that nobody has
 * seen.  Its text may be kept (babble of a Markov chain passes for text), so
 * the links tell: pages of real sites lead back to pages that are known, a
 * maze's never do.  A page counts that links at least LINKS_MIN times to its
 * own host, four times of five to new URLs; or every other time, if its text is
 * a copy of one that is there.  A page that leads back halves the count.
 *
 * A calendar leads back to all that stands in its menu and to one month more,
 * for ever: a page whose URL looks like a trap counts if it leads to anything
 * new without being kept, and is no sign against it if not.
 *
 * From traps.growth_pages on the host is asked once in traps.growth_delay_ms:
 * never forgotten, since a listing that goes on for long looks the same, and a
 * page that leads back will tell.  The count is in the host's row. */
#include "base/log.h"
#include "schedule_inside.h"

#define LINKS_MIN 3u

bool
schedule_grows(const struct schedule *sched, const struct row_host *h)
{
    return sched->rules.growth_pages > 0 &&
           h->growth >= sched->rules.growth_pages;
}

static bool
is_growth(const struct schedule_found *page,
          const struct row_link_counts *links)
{
    bool copy = page->class == CLASS_EXACT || page->class == CLASS_NEAR;

    return links->own_fresh * 5 >= links->own * 4 ||
           (copy && links->own_fresh * 2 >= links->own);
}

static bool
is_of_trap(const struct schedule_found *page)
{
    return page->trap != TRAP_NONE && page->trap != TRAP_FILE &&
           page->class != CLASS_KEPT;
}

void
schedule_growth(struct schedule *sched, const struct schedule_found *page,
                const struct row_link_counts *links, uint64_t now_ms)
{
    struct host *h = page->host;
    bool before = schedule_grows(sched, &h->row), trap = is_of_trap(page);
    uint64_t next = now_ms + sched->rules.growth_delay_ms;

    if (sched->rules.growth_pages == 0 || links->own < LINKS_MIN)
        return;
    if (is_growth(page, links) || (trap && links->own_fresh > 0))
        h->row.growth = (uint8_t)(h->row.growth + (h->row.growth < UINT8_MAX));
    else if (!trap)
        h->row.growth /= 2;
    if (!schedule_grows(sched, &h->row))
        return;
    if (!before)
        log_info("frontier",
                 "host=%.*s its last %u pages led almost only to new URLs, or "
                 "on and on in a calendar or the like: asked once in %llu s "
                 "(traps.growth_pages)",
                 STRF(h->row.name), (unsigned)h->row.growth,
                 (unsigned long long)sched->rules.growth_delay_ms / 1000);
    if (next > h->row.next_contact_ms)
        h->row.next_contact_ms = next;
}
