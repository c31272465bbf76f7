/* converting.c -- the threads that have documents converted: between the loop
 * and the workers, so that a worker cleans pages while a conversion takes its
 * time.
 *
 *   worker: is it a document? -> to_convert -> here -> to_workers -> worker
 *
 * Each has a process of its own beside it (clean/convert/converter.h).  Visits
 * that wait here are bounded with all that are not read yet (crawl_state.h). */
#include "converting.h"

#include "base/thread.h"
#include "crawl_state.h"

/* What the visit has brought, of the kinds that are wanted; NONE: a page, or
 * nothing of them. */
static enum convert_kind
visit_kind(const struct visit *v, unsigned wanted)
{
    if (wanted == 0 || v->fault != VERDICT_NONE ||
        !fetch_reply_has_page(v->reply.status) ||
        v->lease.kind != FRONTIER_PAGE)
        return CONVERT_NONE;
    return convert_kind_of(wanted, buf_view(&v->reply.content_type),
                           v->url.target, buf_view(&v->reply.body));
}

bool
crawl_converts(struct crawl *c, struct visit *v)
{
    if (c->converter == NULL || v->kind != CONVERT_NONE)
        return false;
    v->kind = visit_kind(v, c->documents);
    if (v->kind == CONVERT_NONE)
        return false;
    workq_push(c->to_convert, v); /* has room: see crawl_state.h */
    return true;
}

static void
convert(struct convert_process *p, struct visit *v)
{
    convert_document(p, v->kind, buf_view(&v->reply.body), v->reply.truncated,
                     &v->html, &v->converted);
    if (v->converted.reject == VERDICT_RETURNED)
        v->fault = VERDICT_RETURNED;
    v->converted.why = arena_str(v->arena, v->converted.why);
}

/* When the crawl is to end now, what waits and what is being converted goes
 * back into the queue: each may take convert.seconds. */
void *
crawl_convert_thread(void *crawl)
{
    struct crawl *c = crawl;
    struct convert_process *p = convert_process_open(c->converter, &c->hard);
    void *item;

    thread_name("convert");
    while (workq_pop(c->to_convert, &item, UINT64_MAX) == ST_OK) {
        struct visit *v = item;

        if (c->hard)
            v->fault = VERDICT_RETURNED;
        else
            convert(p, v);
        workq_push(c->to_workers, v);
    }
    convert_process_close(p);
    return NULL;
}
