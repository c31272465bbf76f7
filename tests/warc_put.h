/* warc_put.h -- one exchange into an archive: what the crawler's threads do
 * together in crawler/visit/archive.c, by one. */
#ifndef TEST_WARC_PUT_H
#define TEST_WARC_PUT_H

#include <stdlib.h>
#include <unistd.h>

#include "clean/archive/warc_write.h"

static inline enum status
warc_put(struct warc_write *w, const struct warc_exchange *x, uint64_t now_ms,
         struct warc_place *place)
{
    static struct warc_composer *c;
    uint64_t seed;

    if (c == NULL && (getentropy(&seed, sizeof seed) != 0 ||
                      (c = warc_composer_new(seed, true)) == NULL))
        abort();
    if (warc_write_may_learn(w))
        warc_write_use(w, warc_write_learn(w));
    warc_compose_begin(c);
    warc_compose_exchange(c, x);
    return warc_write_add(w, c, now_ms, place);
}

#endif
