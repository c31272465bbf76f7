/* load_line.h -- one line of a dump, read. */
#ifndef FRONTIER_LOAD_LINE_H
#define FRONTIER_LOAD_LINE_H

#include "base/arena.h"
#include "frontier/store/row.h"
#include "frontier/store/tables.h"

enum load_kind { LOAD_ROW, LOAD_LINK, LOAD_HEADER, LOAD_END };

struct load_line {
    enum load_kind kind;
    enum table table;    /* ROW */
    struct str key, row; /* ROW; row: LINK, too */
    struct str hash;     /* ROW of a queue: its key in `seen` */
    uint64_t number;     /* HEADER: schema; END: lines before it */
    enum row_keys keys;  /* HEADER: rule of its hashes */
};

/* False: not a line that frontier_dump() writes.  Texts live in `a`.  `keys`:
 * of the dump's header. */
bool load_line(struct load_line *out, struct str line, enum row_keys keys,
               struct arena *a);

#endif
