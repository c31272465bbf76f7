/* ended.c -- see ended.h. */
#include "ended.h"

#include "crawler/fetch/fetch_reply.h"

void
ended_add(struct crawl *c, struct visit *v)
{
    if (!c->tells_ended || v->lease.kind != FRONTIER_PAGE ||
        v->fault != VERDICT_NONE || !fetch_reply_has_page(v->reply.status))
        return;
    v->ended_next = c->ended;
    v->ended_back = &c->ended;
    if (c->ended != NULL)
        c->ended->ended_back = &v->ended_next;
    c->ended = v;
    c->ended_n++;
}

void
ended_remove(struct crawl *c, struct visit *v)
{
    if (v->ended_back == NULL)
        return;
    *v->ended_back = v->ended_next;
    if (v->ended_next != NULL)
        v->ended_next->ended_back = v->ended_back;
    v->ended_back = NULL;
    c->ended_n--;
}

size_t
ended_take(struct crawl *c, struct arena *a, struct frontier_done **out)
{
    size_t n = 0;

    *out = ARENA_ARRAY(a, struct frontier_done, c->ended_n);
    while (c->ended != NULL) {
        const struct visit *v = c->ended;

        (*out)[n++] = (struct frontier_done){.url = arena_str(a, v->lease.url),
                                             .call = v->lease.call,
                                             .finished_ms = v->ended_ms,
                                             .took_ms = v->reply.ms};
        ended_remove(c, c->ended);
    }
    return n;
}
