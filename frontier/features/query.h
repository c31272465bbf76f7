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
query_next_by(struct str query, char separator, size_t *at,
              struct query_parameter *out)
{
    size_t end, eq;

    if (*at >= query.n)
        return false;
    end = str_find(query, separator, *at);
    eq = str_find(str_sub(query, 0, end), '=', *at);
    out->name = str_sub(query, *at, eq);
    out->value = eq < end ? str_sub(query, eq + 1, end) : S("");
    *at = end + 1;
    return true;
}

static inline bool
query_next(struct str query, size_t *at, struct query_parameter *out)
{
    return query_next_by(query, '&', at, out);
}

/* gitweb's and other Perl's ?a=1;b=2: each part has a name.  What parts a query
 * says what it looks like; which page it is does not depend on that. */
static inline char
query_separator(struct str query)
{
    bool named = str_find(query, '&', 0) == query.n;

    for (size_t from = 0, end; named && from < query.n; from = end + 1) {
        end = str_find(query, ';', from);
        named = str_find(str_sub(query, 0, end), '=', from) < end;
    }
    return named ? ';' : '&';
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
