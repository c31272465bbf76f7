/* query.h -- the parameters of a URL's query. */
#ifndef FRONTIER_QUERY_H
#define FRONTIER_QUERY_H

#include <stdbool.h>

#include "base/str.h"

struct query_parameter {
    struct str name, value;
};

/* The next `name=value` from *at on; false: none is left. */
static inline bool
query_next(struct str query, size_t *at, struct query_parameter *out)
{
    size_t end, eq;

    if (*at >= query.n)
        return false;
    end = str_find(query, '&', *at);
    eq = str_find(str_sub(query, 0, end), '=', *at);
    out->name = str_sub(query, *at, eq);
    out->value = eq < end ? str_sub(query, eq + 1, end) : S("");
    *at = end + 1;
    return true;
}

/* names: NULL behind the last. */
static inline bool
query_one_of(struct str s, const char *const *names)
{
    for (; *names != NULL; names++)
        if (str_eq_nocase(s, str_c(*names)))
            return true;
    return false;
}

#endif
