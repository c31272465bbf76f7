/* texrex_value.h -- one value of texrex's job file as a value of ours. */
#ifndef BASE_TEXREX_VALUE_H
#define BASE_TEXREX_VALUE_H

#include "base/arena.h"
#include "base/options/opt.h"

/* What becomes of a value; see texrex.tbl.h. */
enum texrex_how {
    TEXREX_SAME,
    TEXREX_NUMBER,
    TEXREX_KIB,
    TEXREX_SECONDS,
    TEXREX_FLAG,
    TEXREX_CHOICE,
    TEXREX_LIST,
    TEXREX_FACTS,
    TEXREX_OF_BLOCKS,
    TEXREX_META,
    TEXREX_WITH,
    TEXREX_WITHOUT,
    TEXREX_USE,
    TEXREX_INPUT,
    TEXREX_OUTPUT,
    TEXREX_STARTING,
    TEXREX_HOSTS,
    TEXREX_GEO,
    TEXREX_ITEM,
    TEXREX_NETWORK,
    TEXREX_BLOCKED,
    TEXREX_STATS,
    TEXREX_READER,
    TEXREX_DEAD_END,
    TEXREX_OTHER,
    TEXREX_WALKER,
    TEXREX_UNLESS,
    TEXREX_NOTHING
};

struct texrex_place {
    struct arena *arena;
    struct str folder;  /* of the job file, absolute */
    struct str headers; /* CrawlHeaderExtract: Date|Last-Modified */
    struct str unknown; /* facts that nobody finds out, separated by blanks */
    struct str hosts;   /* HostScopeRegex */
    bool walks;         /* a job of ClaraX: dates are the server's */
};

/* 1, 0, -1: neither. */
int texrex_truth(struct str value);

/* The value for `row`.  NULL: *out is it; else what is wrong with it. */
const char *texrex_value(enum texrex_how how, const struct opt *row,
                         struct str argument, struct str value,
                         const struct texrex_place *at, struct str *out);

/* A file that is read, absolute: as texrex finds it (in the working folder),
 * else in the job's folder, else by its last name in the folder TEXREXDATA
 * names.  *there: it is in one of them; wildcards count as there. */
struct str texrex_input(const struct texrex_place *at, struct str path,
                        bool *there);

#endif
