/* shard_message.h -- what dedup service and shard say to each other
 * (BandsRequest and BandsReply of proto/dedup.proto), checked.
 *
 * Decoding: what comes from a peer is data; ST_INVALID says it cannot be used.
 * What was decoded points into the arena. */
#ifndef SHINGLE_SHARD_MESSAGE_H
#define SHINGLE_SHARD_MESSAGE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/status.h"
#include "shingle/message/dedup_message.h"

/* How far the table of a shard goes: so many bytes of the log of records, and
 * a check of what stands before them. */
struct shard_mark {
    uint64_t at, check;
};

struct shard_request {
    struct shard_mark from, to;
    struct str changes; /* SHARD_CHANGE_BYTES each */
    struct str find;    /* SHARD_KEY_BYTES each */
    uint32_t most;
};

enum {
    SHARD_CHANGE_BYTES = 13,
    SHARD_KEY_BYTES = 8,
    SHARD_MOST = 1024,     /* places of a key */
    SHARD_KEYS_MAX = 12000 /* of a request: the reply stays below 64 MiB */
};

struct shard_reply {
    enum message_code code;
    struct str text; /* for people */
    struct shard_mark at;
    struct str found;
};

/* A change, appended; and a key. */
void shard_add_change(struct buf *out, uint64_t key, uint32_t place,
                      bool added);
void shard_add_key(struct buf *out, uint64_t key);
/* The i-th; false in *added: removed. */
uint64_t shard_change(struct str changes, size_t i, uint32_t *place,
                      bool *added);
uint64_t shard_key(struct str keys, size_t i);

/* The places of a key, appended to what is found; and taken off it again: how
 * many, in `out`, room for SHARD_MOST.  SIZE_MAX: there is no such thing. */
void shard_add_found(struct buf *out, const uint32_t *place, size_t n);
size_t shard_take_found(struct str *found, uint32_t *out);

/* Messages, appended to `out`, and read. */
void shard_message_ask(const struct shard_request *r, struct buf *out);
void shard_message_reply(const struct shard_reply *r, struct buf *out);
enum status shard_message_read_request(struct str message, struct arena *a,
                                       struct shard_request *out);
enum status shard_message_read_reply(struct str message, struct arena *a,
                                     struct shard_reply *out);

#endif
