/* fuzz_leaselog.c -- any bytes as the log of leases: raw, and as the body of a
 * record whose length and checksum are right, so that what is behind the
 * checksum is reached. */
#include <stdlib.h>

#include "frontier/store/leaselog.h"
#include "fuzz.h"
#include "winnow/hash.h"

#define BASE 9u

static void
take(void *self, const struct leaselog_entry *e)
{
    if (e->lease.position.host != e->host)
        abort();
    ++*(size_t *)self;
}

static void
put_fixed(struct buf *b, uint64_t v, int bytes)
{
    while (bytes-- > 0)
        buf_char(b, (char)(unsigned char)(v >> 8 * bytes));
}

static void
parse(struct str bytes)
{
    struct row_counters counters;
    size_t taken = 0,
           end = leaselog_parse(bytes, BASE, take, &taken, &counters);

    if (end > bytes.n || taken > bytes.n)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str body = str_n((const char *)data, n);
    struct buf framed = {0};

    parse(body);
    put_fixed(&framed, n, 4);
    put_fixed(&framed, hash64_seed(body, hash_mix(BASE)), 8);
    buf_str(&framed, body);
    parse(buf_view(&framed));
    buf_free(&framed);
    return 0;
}
