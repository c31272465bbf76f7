/* Any bytes as a question to a shard and as its answer: what is read lies
 * inside of them, and can be written and read again. */
#include "../../shingle/shards/shard_message.h"

#include "fuzz.h"

static void
read_request(struct str message, struct arena *a)
{
    struct shard_request r, again;
    struct buf out = {0};
    uint32_t place;
    bool added;

    if (shard_message_read_request(message, a, &r) != ST_OK)
        return;
    for (size_t i = 0; i < r.changes.n / SHARD_CHANGE_BYTES; i++) {
        (void)shard_change(r.changes, i, &place, &added);
        MUST(place > 0);
    }
    for (size_t i = 0; i < r.find.n / SHARD_KEY_BYTES; i++)
        (void)shard_key(r.find, i);
    shard_message_ask(&r, &out);
    MUST(shard_message_read_request(buf_view(&out), a, &again) == ST_OK);
    MUST(again.from.at == r.from.at && again.to.check == r.to.check &&
         str_eq(again.changes, r.changes) && str_eq(again.find, r.find));
    buf_free(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str message = str_n((const char *)data, n), found;
    uint32_t place[SHARD_MOST];
    struct arena *a = arena_new();
    struct shard_reply r;

    read_request(message, a);
    if (shard_message_read_reply(message, a, &r) == ST_OK) {
        found = r.found;
        while (shard_take_found(&found, place) <= SHARD_MOST)
            MUST(found.n < r.found.n);
    }
    arena_free(a);
    return 0;
}
