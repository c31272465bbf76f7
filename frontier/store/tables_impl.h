/* tables_impl.h -- what tables.c and tables_open.c share. */
#ifndef FRONTIER_TABLES_IMPL_H
#define FRONTIER_TABLES_IMPL_H

#include "base/pages/db.h"
#include "tables.h"
#include "tables_later.h"
#include "writeback.h"

enum tables_sync { TABLES_SYNC_NONE, TABLES_SYNC_META, TABLES_SYNC_FULL };

struct tables {
    char *dir;
    struct db *db;
    struct writeback *writeback; /* NULL: nobody waits for the disk */
    struct tables_later *later;  /* NULL: commits are LMDB's */
    enum tables_sync sync;
    uint64_t disk_free;
    uint64_t disk_left, disk_looked_ms; /* what a look at the disk gave */
    uint64_t map_size, pages_looked_ms; /* when free pages were counted */
    bool pages_room;                    /* ... and whether there were some */
    bool room;                          /* for what can wait; tables_room() */
    int lock;
    bool read_only;
};

extern const char *const tables_names[TABLE_N];

uint64_t tables_disk_free(const char *dir);

#endif
