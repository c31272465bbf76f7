/* fetch_pace.c -- transfers that are too slow, by what really comes in.
 *
 * Connecting has a limit of its own (libcurl's).  Once the request is sent, a
 * line of an answer is due within first_byte_ms; after it, every
 * low_speed_seconds must bring low_speed_bytes for each of its seconds. */
#include "fetch_inside.h"

#define LOOK_MS 250

void
fetch_pace_begins(struct transfer *t)
{
    t->answered = false;
    t->pace_ms = 0;
    t->pace_bytes = 0;
}

static bool
request_is_sent(const struct transfer *t)
{
    curl_off_t us = 0;

    curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &us);
    return us > 0;
}

/* A new look, from now. */
static void
look_again(struct transfer *t)
{
    t->pace_ms = t->fetch->now_ms;
    t->pace_bytes = t->traffic.received;
}

void
fetch_pace_looks_again(struct transfer *t)
{
    if (t->pace_ms != 0)
        look_again(t);
}

static enum verdict
pace_of(struct transfer *t)
{
    const struct opts *o = t->fetch->opts;
    uint64_t ms;

    if (t->pace_ms == 0) { /* not yet connected, when last seen */
        if (request_is_sent(t))
            look_again(t);
        return VERDICT_NONE;
    }
    ms = t->fetch->now_ms - t->pace_ms;
    if (!t->answered)
        return ms >= o->fetch_first_byte_ms ? VERDICT_FIRST_BYTE : VERDICT_NONE;
    if (ms < o->fetch_low_speed_seconds * 1000)
        return VERDICT_NONE;
    if ((t->traffic.received - t->pace_bytes) * 1000 <
        o->fetch_low_speed_bytes * ms)
        return VERDICT_TOO_SLOW;
    look_again(t);
    return VERDICT_NONE;
}

void
fetch_pace_tick(struct fetch *f)
{
    struct transfer *t = f->running, *next;

    if (f->now_ms < f->pace_due_ms)
        return;
    f->pace_due_ms = f->now_ms + LOOK_MS;
    for (; t != NULL; t = next) {
        enum verdict why = pace_of(t);

        next = t->next;
        if (why != VERDICT_NONE) {
            fetch_finish(t, why); /* done() may start some and end others */
            next = f->running;
        }
    }
}
