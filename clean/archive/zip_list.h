/* zip_list.h -- what the directory of a ZIP file on disk says is in it (APPNOTE
 * 6.3.10, with the 64-bit records): of any size, as no member is read. */
#ifndef CLEAN_ZIP_LIST_H
#define CLEAN_ZIP_LIST_H

#include "base/arena.h"
#include "base/status.h"

struct zip_listed {
    struct str name;
    uint64_t at, n; /* its bytes in the file */
    bool stored;    /* these are what was put in: not packed, not encrypted */
};

struct zip_list {
    struct zip_listed *member; /* in the order of the directory */
    size_t n;
};

/* Of the file `fd`, into the arena.  Every member lies inside of the file.
 * ST_INVALID: no ZIP file, or its directory is damaged; ST_IO: errno. */
enum status zip_list_read(struct zip_list *list, int fd, struct arena *a);

#endif
