/* reply_head.c -- see reply_head.h. */
#include "reply_head.h"

#include "proto/pack.h"

const Winnow__Dedup__Reply *
reply_head_read(struct str message, struct arena *a, size_t factor,
                enum message_code *code, struct str *text)
{
    const ProtobufCMessage *m =
        unpack_message(&winnow__dedup__reply__descriptor, a, message, factor);
    const Winnow__Dedup__Reply *r = (const void *)m;

    *code = MESSAGE_FAILED;
    *text = S("");
    if (r == NULL || (int)r->code < 0 || (int)r->code > MESSAGE_FAILED)
        return NULL;
    *code = (enum message_code)r->code;
    *text = str_c(r->message);
    return r;
}
