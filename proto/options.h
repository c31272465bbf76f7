/* options.h -- the options of services and their askers, out of a job's: of
 * those at frontier.url, dedup.url, dedup.shards and dedup.pub. */
#ifndef PROTO_OPTIONS_H
#define PROTO_OPTIONS_H

#include "base/options/opt.h"
#include "endpoint.h"

static inline struct endpoint_options
endpoint_options_of(const struct opts *o, const char *service, const char *key)
{
    return (struct endpoint_options){
        .authority = o->tls_authority,
        .own = o->tls_key,
        .unprotected_tcp = o->services_unprotected_tcp,
        .connections = (size_t)o->services_connections,
        .connections_address = (size_t)o->services_connections_address,
        .memory = (size_t)o->services_memory_mib << 20,
        .service = service,
        .key = key};
}

static inline struct endpoint_options
endpoint_options_frontier(const struct opts *o)
{
    return endpoint_options_of(o, "frontier service", "frontier.url");
}

static inline struct endpoint_options
endpoint_options_dedup(const struct opts *o)
{
    return endpoint_options_of(o, "dedup service", "dedup.url");
}

static inline struct endpoint_options
endpoint_options_shard(const struct opts *o)
{
    return endpoint_options_of(o, "shard of a dedup service", "dedup.shards");
}

static inline struct endpoint_options
endpoint_options_publisher(const struct opts *o)
{
    return endpoint_options_of(o, NULL, "dedup.pub");
}

#endif
