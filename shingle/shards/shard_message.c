/* shard_message.c -- see shard_message.h.
 *
 * Changes, keys and places travel as bytes, little-endian, and not as fields: a
 * batch has some ten thousand of them. */
#include "shard_message.h"

#include "dedup.pb-c.h"
#include "proto/pack.h"
#include "shingle/message/reply_head.h"
#include "shingle/store/store.h"

enum { MEMORY_FACTOR = 4, PLACE_BYTES = 4, COUNT_BYTES = 2 };

static void
add_number(struct buf *out, uint64_t v, size_t size)
{
    char bytes[8];

    for (size_t i = 0; i < size; i++, v >>= 8)
        bytes[i] = (char)(v & 0xff);
    buf_add(out, bytes, size);
}

static uint64_t
number_at(const char *p, size_t size)
{
    uint64_t v = 0;

    for (size_t i = size; i-- > 0;)
        v = v << 8 | (unsigned char)p[i];
    return v;
}

void
shard_add_change(struct buf *out, uint64_t key, uint32_t place, bool added)
{
    add_number(out, key, SHARD_KEY_BYTES);
    add_number(out, place, PLACE_BYTES);
    add_number(out, added, 1);
}

void
shard_add_key(struct buf *out, uint64_t key)
{
    add_number(out, key, SHARD_KEY_BYTES);
}

uint64_t
shard_change(struct str changes, size_t i, uint32_t *place, bool *added)
{
    const char *p = changes.p + i * SHARD_CHANGE_BYTES;

    *place = (uint32_t)number_at(p + SHARD_KEY_BYTES, PLACE_BYTES);
    *added = p[SHARD_KEY_BYTES + PLACE_BYTES] != 0;
    return number_at(p, SHARD_KEY_BYTES);
}

uint64_t
shard_key(struct str keys, size_t i)
{
    return number_at(keys.p + i * SHARD_KEY_BYTES, SHARD_KEY_BYTES);
}

void
shard_add_found(struct buf *out, const uint32_t *place, size_t n)
{
    add_number(out, n, COUNT_BYTES);
    for (size_t i = 0; i < n; i++)
        add_number(out, place[i], PLACE_BYTES);
}

size_t
shard_take_found(struct str *found, uint32_t *out)
{
    size_t n =
        found->n < COUNT_BYTES ? SIZE_MAX : number_at(found->p, COUNT_BYTES);

    if (n > SHARD_MOST || found->n < COUNT_BYTES + n * PLACE_BYTES)
        return SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        out[i] = (uint32_t)number_at(found->p + COUNT_BYTES + i * PLACE_BYTES,
                                     PLACE_BYTES);
    *found = str_sub(*found, COUNT_BYTES + n * PLACE_BYTES, found->n);
    return n;
}

void
shard_message_ask(const struct shard_request *r, struct buf *out)
{
    Winnow__Dedup__Request request = WINNOW__DEDUP__REQUEST__INIT;
    Winnow__Dedup__BandsRequest m = WINNOW__DEDUP__BANDS_REQUEST__INIT;

    m.from = r->from.at;
    m.from_check = r->from.check;
    m.to = r->to.at;
    m.to_check = r->to.check;
    m.changes = pack_binary(r->changes);
    m.find = pack_binary(r->find);
    m.most = r->most;
    request.call_case = WINNOW__DEDUP__REQUEST__CALL_BANDS;
    request.bands = &m;
    pack_message(out, &request.base);
}

void
shard_message_reply(const struct shard_reply *r, struct buf *out)
{
    Winnow__Dedup__Reply reply = WINNOW__DEDUP__REPLY__INIT;
    Winnow__Dedup__BandsReply m = WINNOW__DEDUP__BANDS_REPLY__INIT;
    struct arena *a = arena_new();

    reply.code = (Winnow__Dedup__Code)r->code;
    reply.message = arena_cstr(a, r->text);
    m.at = r->at.at;
    m.check = r->at.check;
    m.found = pack_binary(r->found);
    reply.result_case = WINNOW__DEDUP__REPLY__RESULT_BANDS;
    reply.bands = &m;
    pack_message(out, &reply.base);
    arena_free(a);
}

/* Every change has a place. */
static bool
are_changes(struct str changes)
{
    uint32_t place = 1;
    bool added;

    if (changes.n % SHARD_CHANGE_BYTES != 0)
        return false;
    for (size_t i = 0; i < changes.n / SHARD_CHANGE_BYTES && place > 0; i++)
        (void)shard_change(changes, i, &place, &added);
    return place > 0;
}

enum status
shard_message_read_request(struct str message, struct arena *a,
                           struct shard_request *out)
{
    const ProtobufCMessage *m = unpack_message(
        &winnow__dedup__request__descriptor, a, message, MEMORY_FACTOR);
    const Winnow__Dedup__Request *r = (const void *)m;
    const Winnow__Dedup__BandsRequest *b;

    if (r == NULL || r->call_case != WINNOW__DEDUP__REQUEST__CALL_BANDS)
        return ST_INVALID;
    b = r->bands;
    *out = (struct shard_request){.from = {b->from, b->from_check},
                                  .to = {b->to, b->to_check},
                                  .changes = pack_text(&b->changes),
                                  .find = pack_text(&b->find),
                                  .most = b->most};
    return are_changes(out->changes) && out->find.n % SHARD_KEY_BYTES == 0 &&
                   out->find.n / SHARD_KEY_BYTES <= SHARD_KEYS_MAX &&
                   out->most <= SHARD_MOST
               ? ST_OK
               : ST_INVALID;
}

enum status
shard_message_read_reply(struct str message, struct arena *a,
                         struct shard_reply *out)
{
    const Winnow__Dedup__Reply *r;

    *out = (struct shard_reply){0};
    r = reply_head_read(message, a, MEMORY_FACTOR, &out->code, &out->text);
    if (r == NULL)
        return ST_INVALID;
    if (r->result_case != WINNOW__DEDUP__REPLY__RESULT_BANDS)
        return r->code == WINNOW__DEDUP__CODE__OK ? ST_INVALID : ST_OK;
    out->at = (struct shard_mark){r->bands->at, r->bands->check};
    out->found = pack_text(&r->bands->found);
    return ST_OK;
}
