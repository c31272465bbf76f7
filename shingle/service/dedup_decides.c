/* dedup_decides.c -- see dedup_decides.h. */
#include "dedup_decides.h"

#include <string.h>

/* Of the section: the crawler's own address, and what its fingerprints are made
 * by, which the service refuses when it has others. */
static bool
is_of_crawler(const struct opt *row)
{
    static const char *const keys[] = {"url", "shingle_size", "fingerprint",
                                       "values", "seed"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(row->key, keys[i]) == 0)
            return true;
    return false;
}

static bool
is_decided(const struct opt *row)
{
    if (strcmp(row->section, "dedup") == 0)
        return !is_of_crawler(row);
    return strcmp(row->section, "output") == 0 &&
           strcmp(row->key, "split_mib") == 0;
}

void
dedup_decides(const struct opts *o, bool own, struct buf *out)
{
    struct opts presets;

    opts_init(&presets);
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (is_decided(row) && (!own || opts_given(o, row->section, row->key) ||
                                !opts_same(o, &presets, row)))
            opts_show_line(o, row, out);
    }
    opts_free(&presets);
}
