/* shard.c -- see shard.h.
 *
 * The table follows one log of records.  How far it goes is a mark, which the
 * service gives with every change and the shard only keeps and compares: a
 * request for another mark changes nothing and is told the mark, so a message
 * that comes twice, a service that was killed and one that is a stranger are
 * all told from the one that goes on.
 *
 *     from == mark             enter the changes, mark = to, find
 *     from == 0                empty the table first, unless another service
 *                              used it a moment ago (BUSY)
 *     else                     say the mark */
#include "shard.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "proto/options.h"
#include "proto/server.h"
#include "shard_message.h"
#include "shingle/store/tags.h"

enum { OTHERS_MS = 5000 /* without a call, and another service may take it */ };

struct band_shard {
    char *url;
    struct server *server;
    struct tags *tags;
    struct shard_mark mark;
    uint64_t used_ms;
    struct arena *arena;
    struct buf found;
};

static enum status
empty(struct band_shard *s)
{
    tags_close(s->tags);
    s->mark = (struct shard_mark){0, 0};
    return tags_open(&s->tags, 0);
}

/* ST_NOMEM: the table is empty again. */
static enum status
enter(struct band_shard *s, const struct shard_request *r)
{
    size_t n = r->changes.n / SHARD_CHANGE_BYTES;
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++) {
        uint32_t place;
        bool added;
        uint64_t key = shard_change(r->changes, i, &place, &added);

        if (added)
            st = tags_add(s->tags, key, place);
        else
            tags_remove(s->tags, key, place);
    }
    if (st != ST_OK && empty(s) != ST_OK)
        s->tags = NULL;
    else if (st == ST_OK)
        s->mark = r->to;
    return st;
}

static void
find(struct band_shard *s, const struct shard_request *r)
{
    enum { AHEAD = 8 };
    uint32_t place[SHARD_MOST];
    size_t n = r->find.n / SHARD_KEY_BYTES;

    buf_clear(&s->found);
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            tags_prefetch(s->tags, shard_key(r->find, i + AHEAD));
        shard_add_found(
            &s->found, place,
            tags_find(s->tags, shard_key(r->find, i), place, r->most));
    }
}

static bool
goes_on(const struct band_shard *s, const struct shard_request *r)
{
    return r->from.at == s->mark.at && r->from.check == s->mark.check;
}

static void
answer(struct band_shard *s, const struct shard_request *r,
       struct shard_reply *out)
{
    uint64_t now = clock_steady_ms();
    bool ours = goes_on(s, r);

    if (!ours && r->from.at == 0 && now < s->used_ms + OTHERS_MS) {
        out->code = MESSAGE_BUSY;
        out->text = S("it serves another dedup service: give each service "
                      "shards of its own");
        return;
    }
    if (s->tags == NULL || (!ours && r->from.at == 0)) {
        if (empty(s) != ST_OK) {
            s->tags = NULL;
            out->code = MESSAGE_FAILED;
            return;
        }
        ours = goes_on(s, r);
    }
    if (ours && enter(s, r) != ST_OK) {
        out->code = MESSAGE_FAILED;
        out->text = S("no memory for the table of bands");
        log_error("dedup", "url=%s no memory for the table of bands", s->url);
        return;
    }
    if (ours) {
        s->used_ms = now;
        find(s, r);
        out->found = buf_view(&s->found);
    }
    out->at = s->mark;
}

static void
handle(void *self, struct server_call *calls, size_t n)
{
    struct band_shard *s = self;

    for (size_t i = 0; i < n; i++) {
        struct shard_reply reply = {.code = MESSAGE_OK};
        struct shard_request r;

        arena_reset(s->arena);
        if (shard_message_read_request(calls[i].request, s->arena, &r) ==
            ST_OK) {
            answer(s, &r, &reply);
        } else {
            reply.code = MESSAGE_BAD;
            reply.text = S("this is a shard of a dedup service, and that is "
                           "not what it is asked");
            calls[i].bad = true;
        }
        shard_message_reply(&reply, &calls[i].reply);
    }
}

enum status
shard_start(struct band_shard **out, struct str url, const struct opts *o)
{
    const struct endpoint_options options = endpoint_options_shard(o);
    struct band_shard *s = calloc(1, sizeof *s);
    enum status st = ST_NOMEM;

    *out = NULL;
    if (s == NULL)
        return ST_NOMEM;
    s->arena = arena_new();
    if ((s->url = strndup(url.p, url.n)) != NULL &&
        (st = tags_open(&s->tags, 0)) == ST_OK)
        st = server_start(&s->server, s->url, &options, handle, s);
    if (st == ST_OK)
        *out = s;
    else
        shard_stop(s);
    return st;
}

void
shard_stop(struct band_shard *s)
{
    if (s == NULL)
        return;
    server_stop(s->server);
    tags_close(s->tags);
    arena_free(s->arena);
    buf_free(&s->found);
    free(s->url);
    free(s);
}
