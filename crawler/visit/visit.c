/* visit.c -- making and ending a visit.  At most fetch.parallel and a few are
 * alive, so they are not pooled. */
#include "visit.h"
#include "base/memory.h"

#include <arpa/inet.h>
#include <stdlib.h>

struct visit *
visit_new(const struct frontier_lease *lease)
{
    struct visit *v = memory_need(calloc(1, sizeof *v));

    v->arena = arena_new();
    v->lease = *lease;
    v->lease.url = arena_str(v->arena, lease->url);
    v->lease.authority = arena_str(v->arena, lease->authority);
    v->lease.owner = arena_str(v->arena, lease->owner);
    v->lease.etag = arena_str(v->arena, lease->etag);
    v->lease.last_modified = arena_str(v->arena, lease->last_modified);
    if (url_parse_plain(&v->url, v->arena, v->lease.url, NULL) != ST_OK)
        v->fault = VERDICT_BAD_URL;
    return v;
}

void
visit_free(struct visit *v)
{
    if (v == NULL)
        return;
    fetch_reply_free(&v->reply);
    fetch_reply_free(&v->race.reply);
    buf_free(&v->html);
    arena_free(v->arena);
    free(v);
}

struct transfer *
visit_transfer(const struct visit *v)
{
    return v->transfer == NULL || v->sender == VISIT_SECOND ? v->race.transfer
                                                            : v->transfer;
}

void
visit_address(const struct visit *v, char out[64])
{
    const struct sockaddr_storage *a = &v->address[v->address_i];

    out[0] = '\0';
    if (v->addresses_n == 0)
        return;
    if (a->ss_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)a)->sin_addr, out, 64);
    else
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)a)->sin6_addr, out,
                  64);
}
