/* fuzz_load.c -- any bytes as a line of a frontier's dump: refused, or it makes
 * a row that the frontier can read. */
#include <stdlib.h>

#include "frontier/intake/candidate.h"
#include "frontier/tools/load_line.h"
#include "fuzz.h"

static bool
is_row(const struct load_line *line)
{
    struct url_class room[URL_CLASSES_MAX];
    struct row_queued q;
    struct row_seen s;
    struct row_host h;
    struct candidate c;

    if (line->kind == LOAD_LINK)
        return candidate_read(&c, line->row);
    if (line->kind != LOAD_ROW)
        return true;
    switch (line->table) {
    case TABLE_QUEUE:
    case TABLE_LATER:
    case TABLE_HELD:
    case TABLE_UNREPORTED: return row_queued_read(&q, line->row);
    case TABLE_SEEN: return row_seen_read(&s, line->row);
    case TABLE_HOSTS: return row_host_read(&h, line->row, room);
    default: return line->key.n > 0;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena *a = arena_new();
    struct load_line line;
    struct candidate c;

    if (load_line(&line, str_n((const char *)data, n), ROW_KEYS_NEW, a) &&
        !is_row(&line))
        abort();
    (void)candidate_read(&c, str_n((const char *)data, n));
    arena_free(a);
    return 0;
}
