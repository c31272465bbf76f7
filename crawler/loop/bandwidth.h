/* bandwidth.h -- fetch.bytes_per_second: how many visits may begin without more
 * coming in than is wanted, in the mean of BANDWIDTH_SPAN_MS.
 *
 * A bucket that fills by time and that each visit empties by what came in for
 * it.  That is known when it is over, so what is under way is expected to take
 * what others have taken. */
#ifndef CRAWLER_BANDWIDTH_H
#define CRAWLER_BANDWIDTH_H

#include <stddef.h>
#include <stdint.h>

#define BANDWIDTH_SPAN_MS 4000u

struct bandwidth {           /* starts as {0} */
    uint64_t bytes_a_second; /* 0: no limit */
    double left;             /* bytes; less than 0: too much came in */
    double usual;            /* bytes of a visit; 0: none is known */
    uint64_t filled_ms;
};

/* A visit is over, for which so much has come in. */
void bandwidth_spend(struct bandwidth *b, uint64_t bytes);

/* Of `n` visits, how many may begin while `running` are under way. */
size_t bandwidth_slots(struct bandwidth *b, size_t running, size_t n,
                       uint64_t now_ms);

#endif
