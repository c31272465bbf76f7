/* bandwidth.c -- see bandwidth.h. */
#include "bandwidth.h"

#define USUAL_FIRST 20000.0 /* bytes of a page, before any is known */
/* Of the latest visit in what is usual; of one that took more: what grows is to
 * be known before many are under way. */
#define USUAL_SHARE 0.05
#define USUAL_SHARE_MORE 0.5

static void
fill(struct bandwidth *b, uint64_t now_ms)
{
    double rate = (double)b->bytes_a_second / 1000,
           most = rate * BANDWIDTH_SPAN_MS;

    if (b->filled_ms != 0 && now_ms > b->filled_ms)
        b->left += rate * (double)(now_ms - b->filled_ms);
    if (b->left > most)
        b->left = most;
    b->filled_ms = now_ms;
}

void
bandwidth_spend(struct bandwidth *b, uint64_t bytes)
{
    if (b->bytes_a_second == 0)
        return;
    b->left -= (double)bytes;
    if (bytes == 0) /* nobody was asked */
        return;
    if (b->usual == 0)
        b->usual = USUAL_FIRST;
    b->usual += ((double)bytes - b->usual) *
                ((double)bytes > b->usual ? USUAL_SHARE_MORE : USUAL_SHARE);
}

size_t
bandwidth_slots(struct bandwidth *b, size_t running, size_t n, uint64_t now_ms)
{
    double usual = b->usual > 0 ? b->usual : USUAL_FIRST, may;

    if (b->bytes_a_second == 0)
        return n;
    fill(b, now_ms);
    may = b->left / usual - (double)running;
    if (b->left > 0 && running == 0 && may < 1)
        may = 1; /* one is larger than what a span has room for */
    return may < 1 ? 0 : may < (double)n ? (size_t)may : n;
}
