/* pack.c -- see pack.h. */
#include "pack.h"

#include "spare.h"

enum { MEMORY_LEAST = 1 << 20 };

struct bounded {
    struct arena *arena;
    size_t left;
};

static void *
take(void *self, size_t n)
{
    struct bounded *b = self;

    if (n > b->left)
        return NULL;
    b->left -= n;
    return arena_raw(b->arena, n);
}

static void
leave(void *self, void *p)
{
    (void)self;
    (void)p; /* goes with the arena */
}

ProtobufCMessage *
unpack_message(const ProtobufCMessageDescriptor *type, struct arena *a,
               struct str bytes, size_t factor)
{
    struct bounded memory = {a, bytes.n * factor + MEMORY_LEAST};
    ProtobufCAllocator allocator = {take, leave, &memory};

    return protobuf_c_message_unpack(type, &allocator, bytes.n,
                                     (const uint8_t *)bytes.p);
}

void
pack_message(struct buf *out, const ProtobufCMessage *m)
{
    size_t n = protobuf_c_message_get_packed_size(m);

    if (n == 0) /* it has its presets only */
        return;
    spare_take(out, n);
    out->n += protobuf_c_message_pack(m, (uint8_t *)out->p + out->n);
}
