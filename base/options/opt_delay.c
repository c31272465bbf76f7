/* opt_delay.c -- items of politeness.delays, HOST=TIME, and what they come to.
 */
#include "opt.h"
#include "opt_number.h"

#include "base/arena.h"
#include "base/url/url.h"

bool
opt_delay(struct str item, struct arena *a, struct str *host, uint64_t *ms)
{
    size_t equals = str_find(item, '=', 0);

    if (equals == item.n ||
        url_host_written(host, a, str_sub(item, 0, equals)) != ST_OK ||
        !opt_number_ms(str_sub(item, equals + 1, item.n), ms))
        return false;
    if (item.p[0] == '.')
        *host = arena_printf(a, ".%.*s", STRF(*host));
    return true;
}

struct opt_delay_range
opt_delay_range(const struct opts *o)
{
    struct opt_delay_range r = {o->politeness_delay_ms, o->politeness_delay_ms};
    struct arena *a = arena_new();
    struct str host;
    uint64_t ms;

    for (size_t i = 0; i < o->politeness_delays.n; i++) {
        if (!opt_delay(o->politeness_delays.item[i], a, &host, &ms))
            continue;
        r.least_ms = ms < r.least_ms ? ms : r.least_ms;
        r.most_ms = ms > r.most_ms ? ms : r.most_ms;
    }
    arena_free(a);
    return r;
}
