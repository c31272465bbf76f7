/* verdict.c -- see verdict.h: the rows as data, and the names of the statuses
 * of HTTP.  A row that leaves a column out does not compile: each column is
 * pasted to the name of its enum, and none of those has an empty name. */
#include "base/verdict.h"

#include <assert.h>

#define HOST_HOLDS true
#define HOST_GOES_ON false

static const struct row {
    const char *name, *text;
    enum verdict_kind kind;
    enum outcome_class teaches;
    bool holds_host;
} table[VERDICT_N] = {
#define VERDICT(id, number, name, kind, teaches, host, text)                   \
    [number] = {name, text, VERDICT_KIND_##kind, CLASS_##teaches, HOST_##host},
#include "base/verdict.tbl.h"
};

/* Each column is there, and is more than a prefix. */
#define VERDICT(id, number, name, kind, teaches, host, text)                   \
    static_assert(number < VERDICT_HTTP && sizeof name > 1 &&                  \
                      sizeof text > 1 &&                                       \
                      VERDICT_KIND_##kind != VERDICT_KIND_NONE &&              \
                      CLASS_##teaches <= CLASS_NONE,                           \
                  "a row of verdict.tbl.h");
#include "base/verdict.tbl.h"

/* "http_100" .. "http_999" */
#define ONE(h, t, o) "http_" #h #t #o,
#define TEN(h, t)                                                              \
    ONE(h, t, 0)                                                               \
    ONE(h, t, 1)                                                               \
    ONE(h, t, 2)                                                               \
    ONE(h, t, 3)                                                               \
    ONE(h, t, 4)                                                               \
    ONE(h, t, 5)                                                               \
    ONE(h, t, 6)                                                               \
    ONE(h, t, 7)                                                               \
    ONE(h, t, 8)                                                               \
    ONE(h, t, 9)
#define HUNDRED(h)                                                             \
    TEN(h, 0)                                                                  \
    TEN(h, 1)                                                                  \
    TEN(h, 2)                                                                  \
    TEN(h, 3)                                                                  \
    TEN(h, 4)                                                                  \
    TEN(h, 5)                                                                  \
    TEN(h, 6)                                                                  \
    TEN(h, 7)                                                                  \
    TEN(h, 8)                                                                  \
    TEN(h, 9)
static const char http_name[][sizeof "http_404"] = {
    HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4) HUNDRED(5) HUNDRED(6) HUNDRED(7)
        HUNDRED(8) HUNDRED(9)};

enum { STATUS_MIN = 100, STATUS_MAX = 999 };

static unsigned
status_of(enum verdict v) /* 0: it is no status */
{
    return v >= VERDICT_HTTP + STATUS_MIN && v < VERDICT_END
               ? (unsigned)v - VERDICT_HTTP
               : 0;
}

static const struct row *
row_of(enum verdict v) /* NULL: none */
{
    return v < VERDICT_N && table[v].name != NULL ? &table[v] : NULL;
}

enum verdict
verdict_http(unsigned status)
{
    return status >= STATUS_MIN && status <= STATUS_MAX
               ? (enum verdict)(VERDICT_HTTP + status)
               : VERDICT_GARBAGE;
}

bool
verdict_is(uint64_t number)
{
    return number < VERDICT_END && (row_of((enum verdict)number) != NULL ||
                                    status_of((enum verdict)number) != 0);
}

const char *
verdict_name(enum verdict v)
{
    const struct row *row = row_of(v);
    unsigned status = status_of(v);

    return row != NULL   ? row->name
           : status != 0 ? http_name[status - STATUS_MIN]
                         : "unknown";
}

const char *
verdict_text(enum verdict v)
{
    const struct row *row = row_of(v);

    return row != NULL         ? row->text
           : status_of(v) != 0 ? "the server answered with this status"
                               : "unknown";
}

bool
verdict_find(struct str name, enum verdict *out)
{
    unsigned status = 0;

    if (name.n == sizeof "http_404" - 1 && str_starts(name, S("http_"))) {
        for (size_t i = 5; i < name.n; i++)
            status = name.p[i] >= '0' && name.p[i] <= '9'
                         ? status * 10 + (unsigned)(name.p[i] - '0')
                         : STATUS_MAX + 1;
        *out = verdict_http(status);
        return status >= STATUS_MIN && status <= STATUS_MAX;
    }
    for (int i = 0; i < VERDICT_N; i++)
        if (table[i].name != NULL && str_eq(name, str_c(table[i].name))) {
            *out = (enum verdict)i;
            return true;
        }
    return false;
}

/* Server errors pass, client errors do not, except for those that mean "later":
 * Request Timeout, Too Early, Too Many Requests. */
enum verdict_kind
verdict_kind(enum verdict v)
{
    const struct row *row = row_of(v);
    unsigned status = status_of(v);

    if (row != NULL)
        return row->kind;
    if (status == 0)
        return VERDICT_KIND_NONE;
    return status >= 500 || status == 408 || status == 425 || status == 429
               ? VERDICT_KIND_RETRY
               : VERDICT_KIND_FAILED;
}

enum outcome_class
verdict_teaches(enum verdict v)
{
    const struct row *row = row_of(v);

    return row != NULL         ? row->teaches
           : status_of(v) != 0 ? CLASS_ERROR
                               : CLASS_NONE;
}

bool
verdict_holds_host(enum verdict v)
{
    const struct row *row = row_of(v);
    unsigned status = status_of(v);

    return row != NULL ? row->holds_host : status == 429 || status == 503;
}

enum verdict
verdict_fitting(enum frontier_outcome o, enum verdict v)
{
    enum verdict_kind kind = verdict_kind(v);

    switch (o) {
    case OUTCOME_FETCHED:
        return kind == VERDICT_KIND_KEPT || kind == VERDICT_KIND_REJECTED ||
                       kind == VERDICT_KIND_SUBSTITUTED || v == VERDICT_SITEMAP
                   ? v
                   : VERDICT_REJECTED;
    case OUTCOME_FAILED:
    case OUTCOME_RETRY:
        return kind == VERDICT_KIND_FAILED || kind == VERDICT_KIND_RETRY ||
                       kind == VERDICT_KIND_SUBSTITUTED
                   ? v
                   : VERDICT_OTHER;
    case OUTCOME_DISALLOWED:
        return kind == VERDICT_KIND_REFUSED ? v : VERDICT_DISALLOWED;
    case OUTCOME_OUT_OF_SCOPE:
        return kind == VERDICT_KIND_REFUSED ? v : VERDICT_OUT_OF_SCOPE;
    case OUTCOME_REDIRECT: return VERDICT_REDIRECT;
    case OUTCOME_UNCHANGED: return VERDICT_UNCHANGED;
    case OUTCOME_ROBOTS_DONE:
    case OUTCOME_RETURNED: break;
    }
    return v;
}

static const char *const outcome_names[OUTCOME_N] = {
#define OUTCOME(id, number, text) [number] = #id,
#include "base/verdict.tbl.h"
};

const char *
outcome_name(enum frontier_outcome o)
{
    return (unsigned)o < OUTCOME_N ? outcome_names[o] : "UNKNOWN";
}

bool
outcome_find(struct str name, enum frontier_outcome *out)
{
    for (int i = 0; i < OUTCOME_N; i++)
        if (str_eq(name, str_c(outcome_names[i]))) {
            *out = (enum frontier_outcome)i;
            return true;
        }
    return false;
}
