/* sorted.c -- see sorted.h. */
#include "sorted.h"

#include <stdlib.h>

#include "base/big_endian.h"
#include "base/buf.h"
#include "base/memory.h"
#include "large.h"
#include "radix.h"

#define KEY_BYTES 8
#define PART_BITS 6 /* a bucket that is too large becomes so many, as bits */
#define PART_PIECE ((size_t)64 << 10)

void
sorted_room_free(struct sorted_room *r)
{
    free(r->bytes);
    free(r->room);
    r->bytes = r->room = NULL;
    r->bytes_n = 0;
}

/* Once for all buckets that will come: memory that is had again and again is
 * made empty by the system each time. */
static void
make_room(const struct spill *s, struct sorted_room *r)
{
    uint64_t most = 0;

    for (unsigned b = 0; b < spill_buckets(s); b++) {
        uint64_t bytes = spill_n(s, b) * spill_record_size(s);

        if (bytes <= r->bytes_max && bytes > most)
            most = bytes;
    }
    sorted_room_free(r);
    r->bytes_n = (size_t)most;
    r->bytes = large_need(r->bytes_n);
    r->room = large_need(r->bytes_n);
}

static enum status
in_memory(const struct spill *s, unsigned bucket, struct sorted_room *r,
          spill_take *take, void *self)
{
    size_t n = (size_t)spill_n(s, bucket), size = spill_record_size(s);
    enum status st;

    if (n == 0)
        return ST_OK;
    if (n * size > r->bytes_n)
        make_room(s, r);
    st = spill_load(s, bucket, r->bytes);
    if (st != ST_OK)
        return st;
    return take(self, radix_sort(r->bytes, r->room, n, size, KEY_BYTES), n);
}

struct parting {
    struct spill_writer *to;
    size_t size;
    uint64_t low;
    unsigned shift;
};

static enum status
part(void *self, const void *records, size_t n)
{
    const struct parting *p = self;
    const unsigned char *r = records;

    for (size_t i = 0; i < n; i++, r += p->size)
        spill_put(p->to, (unsigned)((be64_get(r) - p->low) >> p->shift), r);
    return ST_OK;
}

static enum status
in_parts(const struct spill *s, unsigned bucket, uint64_t low, unsigned bits,
         struct sorted_room *r, const char *scratch, spill_take *take,
         void *self)
{
    unsigned part_bits = bits < PART_BITS ? bits : PART_BITS;
    struct parting p = {NULL, spill_record_size(s), low, bits - part_bits};
    struct spill *parts;
    struct buf path = {0};
    enum status st;

    buf_printf(&path, "%s.%u", scratch, bits);
    st = spill_make(&parts, path.p, 1u << part_bits, p.size, PART_PIECE);
    if (st == ST_OK) {
        if (spill_drops_behind(s))
            spill_drop_behind(parts);
        p.to = spill_writer_new(parts);
        st = spill_each(s, bucket, part, &p);
        spill_writer_end(p.to);
        if (st == ST_OK)
            st = spill_check(parts);
    }
    for (unsigned i = 0; st == ST_OK && i < 1u << part_bits; i++)
        st = sorted_each(parts, i, low + ((uint64_t)i << p.shift), p.shift, r,
                         path.p, take, self);
    spill_close(parts);
    spill_remove(path.p);
    buf_free(&path);
    return st;
}

enum status
sorted_each(const struct spill *s, unsigned bucket, uint64_t low, unsigned bits,
            struct sorted_room *r, const char *scratch, spill_take *take,
            void *self)
{
    if (spill_n(s, bucket) * spill_record_size(s) <= r->bytes_max)
        return in_memory(s, bucket, r, take, self);
    if (bits == 0) /* all have one key */
        return spill_each(s, bucket, take, self);
    return in_parts(s, bucket, low, bits, r, scratch, take, self);
}
