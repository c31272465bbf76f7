/* pack.h -- protobuf messages as bytes, and bytes of strangers as messages. */
#ifndef PROTO_PACK_H
#define PROTO_PACK_H

#include <protobuf-c/protobuf-c.h>

#include "base/arena.h"
#include "base/buf.h"

/* Append the message. */
void pack_message(struct buf *out, const ProtobufCMessage *m);

/* The message in the arena, which must outlive it, as `bytes` must.  A few
 * bytes can announce many empty submessages, each a struct: it may take no more
 * than `factor` times the bytes, and 1 MiB.  NULL: malformed, or over that. */
ProtobufCMessage *unpack_message(const ProtobufCMessageDescriptor *type,
                                 struct arena *a, struct str bytes,
                                 size_t factor);

/* Bytes of a message, seen and made. */
static inline struct str
pack_text(const ProtobufCBinaryData *b)
{
    return str_n((const char *)b->data, b->len);
}

static inline ProtobufCBinaryData
pack_binary(struct str s)
{
    return (ProtobufCBinaryData){s.n, (uint8_t *)(uintptr_t)s.p};
}

#endif
