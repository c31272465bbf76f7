/* awake_deadline.h -- a time that a conversion may take.  It does not run on
 * while the processes are stopped (^Z, a paused container): who looks at it
 * every AWAKE_LOOK_MS, and finds that much more has passed, was not there. */
#ifndef CONVERT_AWAKE_DEADLINE_H
#define CONVERT_AWAKE_DEADLINE_H

#include <stdint.h>

enum {
    AWAKE_LOOK_MS = 100,   /* the longest wait between two looks */
    AWAKE_ABSENT_MS = 2000 /* no machine is as busy as that for long */
};

struct awake_deadline {
    uint64_t until_ms, looked_ms;
};

/* So long from now on. */
static inline struct awake_deadline
awake_deadline_of(uint64_t ms, uint64_t now_ms)
{
    return (struct awake_deadline){now_ms + ms, now_ms};
}

/* What is left of it; 0: it is over. */
static inline uint64_t
awake_deadline_left(struct awake_deadline *p, uint64_t now_ms)
{
    uint64_t passed = now_ms - p->looked_ms;

    if (passed > AWAKE_ABSENT_MS)
        p->until_ms += passed;
    p->looked_ms = now_ms;
    return now_ms < p->until_ms ? p->until_ms - now_ms : 0;
}

/* For poll(2): until it is over, or for one look. */
static inline int
awake_deadline_wait(struct awake_deadline *p, uint64_t now_ms)
{
    uint64_t left = awake_deadline_left(p, now_ms);

    return left < AWAKE_LOOK_MS ? (int)left : AWAKE_LOOK_MS;
}

#endif
