/* reply_head.h -- what every reply of a dedup service or shard begins with. */
#ifndef SHINGLE_REPLY_HEAD_H
#define SHINGLE_REPLY_HEAD_H

#include "dedup.pb-c.h"
#include "shingle/message/dedup_message.h"

/* Unpack `message` into `a`, taking `factor` times its size at most
 * (proto/pack.h).  NULL: that is no reply; *code is MESSAGE_FAILED then. */
const Winnow__Dedup__Reply *reply_head_read(struct str message, struct arena *a,
                                            size_t factor,
                                            enum message_code *code,
                                            struct str *text);

#endif
