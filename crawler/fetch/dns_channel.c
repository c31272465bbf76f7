/* dns_channel.c -- see dns_channel.h. */
#include "dns_channel.h"

#include "base/buf.h"
#include "base/log.h"
#include "dns.h"

#define EDNS_BYTES 1232 /* fits every path, see DNS flag day 2020 */

static void
on_state(void *arg, ares_socket_t fd, int readable, int writable)
{
    struct dns_socket *s = arg;

    s->watch(s->self, fd, readable != 0, writable != 0);
}

static enum status
set_servers(ares_channel channel, const struct opt_list *servers)
{
    struct buf csv = {0};
    int rc;

    if (servers->n == 0)
        return ST_OK;
    for (size_t i = 0; i < servers->n; i++) {
        if (i > 0)
            buf_char(&csv, ',');
        buf_str(&csv, servers->item[i]);
    }
    buf_char(&csv, '\0');
    rc = ares_set_servers_ports_csv(channel, csv.p);
    if (rc != ARES_SUCCESS)
        log_error("dns", "fetch.dns_servers=%s error=\"%s\"", csv.p,
                  ares_strerror(rc));
    buf_free(&csv);
    return rc == ARES_SUCCESS ? ST_OK : ST_USAGE;
}

/* c-ares from 1.26 on has a cache of its own, which would answer of a host that
 * has moved; options.qcache_max_ttl is 0. */
#ifdef ARES_OPT_QUERY_CACHE
#define OPT_NO_CACHE ARES_OPT_QUERY_CACHE
#else
#define OPT_NO_CACHE 0
#endif

enum status
dns_channel_open(ares_channel *out, struct dns_socket *s, int flags,
                 const struct opts *o)
{
    char lookups[] = "b";
    struct ares_options options = {
        .flags = ARES_FLAG_NOSEARCH | flags,
        .timeout = (int)o->fetch_dns_timeout_ms,
        .tries = DNS_TRIES,
        .lookups = lookups,
        .ednspsz = EDNS_BYTES,
        .sock_state_cb = on_state,
        .sock_state_cb_data = s,
    };
    /* ARES_OPT_DOMAINS: none, since ares_getaddrinfo() minds no NOSEARCH. */
    int rc = ares_init_options(out, &options,
                               ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS |
                                   ARES_OPT_TRIES | ARES_OPT_LOOKUPS |
                                   ARES_OPT_EDNSPSZ | ARES_OPT_DOMAINS |
                                   ARES_OPT_SOCK_STATE_CB | OPT_NO_CACHE);

    if (rc != ARES_SUCCESS) {
        *out = NULL;
        log_error("dns", "doing=init error=\"%s\"", ares_strerror(rc));
        return rc == ARES_ENOMEM ? ST_NOMEM : ST_IO;
    }
    dns_socket_use(*out, s);
    return set_servers(*out, &o->fetch_dns_servers);
}
