/* dedup_message.h -- the messages of proto/dedup.proto as our own structs,
 * checked.
 *
 * All of protobuf-c that dedup uses ends in dedup_message.c.  Decoding: what
 * comes from a peer is data; ST_INVALID says it cannot be used (*why: a static
 * text).  Decoded strings point into the arena or into the message, and live
 * as long as both. */
#ifndef SHINGLE_DEDUP_MESSAGE_H
#define SHINGLE_DEDUP_MESSAGE_H

#include "base/arena.h"
#include "dedup.h"

enum { MESSAGE_DOCUMENTS_MAX = DEDUP_PUT_MAX };

enum message_call { MESSAGE_PUT, MESSAGE_STAT, MESSAGE_JOB, MESSAGE_SENTENCES };

struct dedup_request {
    enum message_call call;
    struct dedup_document *documents; /* MESSAGE_PUT; MESSAGE_SENTENCES: one,
                                         of visit and sentences */
    size_t documents_n;
    struct dedup_job job; /* MESSAGE_JOB */
    uint64_t folder_id;   /* that the caller began with; 0: not said */
};

enum message_code { /* as in the .proto */
                    MESSAGE_OK,
                    MESSAGE_BUSY,
                    MESSAGE_FULL,
                    MESSAGE_BAD,
                    MESSAGE_FAILED
};

struct dedup_reply {
    enum message_code code;
    struct str text;              /* for people */
    struct dedup_answer *answers; /* MESSAGE_PUT, code MESSAGE_OK */
    size_t answers_n;
    bool has_stat; /* MESSAGE_STAT, code MESSAGE_OK */
    struct dedup_stat stat;
    struct str version;
    bool has_job; /* MESSAGE_JOB, code MESSAGE_OK */
    struct str differences;
    uint64_t folder_id;
    struct str decides;
    bool has_known; /* MESSAGE_SENTENCES, code MESSAGE_OK: a byte for each */
    struct str known;
};

/* Append the encoded message to `out`.  A put: MESSAGE_DOCUMENTS_MAX at most.
 */
void dedup_message_put(const struct dedup_document *docs, size_t n,
                       uint64_t folder_id, struct buf *out);
void dedup_message_stat(struct buf *out);
void dedup_message_job(const struct dedup_job *job, struct buf *out);
void dedup_message_sentences(const struct dedup_document *doc,
                             uint64_t folder_id, struct buf *out);
void dedup_message_reply(const struct dedup_reply *r, struct buf *out);

enum status dedup_message_read_request(struct str message, struct arena *a,
                                       struct dedup_request *out,
                                       const char **why);
enum status dedup_message_read_reply(struct str message, struct arena *a,
                                     struct dedup_reply *out);

#endif
