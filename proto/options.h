/* options.h -- the options of services and their askers, out of a job's. */
#ifndef PROTO_OPTIONS_H
#define PROTO_OPTIONS_H

#include "base/options/opt.h"
#include "endpoint.h"

static inline struct endpoint_options
endpoint_options_of(const struct opts *o)
{
    return (struct endpoint_options){
        .authority = o->tls_authority,
        .own = o->tls_key,
        .unprotected_tcp = o->services_unprotected_tcp,
        .connections = (size_t)o->services_connections,
        .connections_address = (size_t)o->services_connections_address,
        .memory = (size_t)o->services_memory_mib << 20};
}

#endif
