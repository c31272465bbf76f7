/* decides.c -- see decides.h. */
#include "decides.h"

#include <string.h>

static bool
is_decided(const struct opt *row)
{
    static const char *const sections[] = {"politeness", "recrawl", "traps"};

    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strcmp(row->section, sections[i]) == 0)
            return row->change == OPT_FREE;
    if (strcmp(row->section, "limits") == 0)
        return strcmp(row->key, "host_pages") == 0;
    return strcmp(row->section, "frontier") == 0 &&
           (strcmp(row->key, "scorer") == 0 ||
            strcmp(row->key, "patience") == 0 ||
            strcmp(row->key, "lease_seconds") == 0);
}

void
frontier_decides(const struct opts *o, struct buf *out)
{
    for (size_t i = 0; i < opt_table_n; i++)
        if (is_decided(&opt_table[i]))
            opts_show_line(o, &opt_table[i], out);
}
