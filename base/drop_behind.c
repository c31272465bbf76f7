/* drop_behind.c -- see drop_behind.h. */
#include "drop_behind.h"

#include <fcntl.h>
#include <stdbool.h>

#define WINDOW ((uint64_t)8 << 20)
#define WRITTEN_BEHIND (4 * WINDOW) /* on its way to the disk meanwhile */

/* Is all of the next window behind `end`?  Then it is the caller's. */
static bool
take_window(struct drop_behind *d, uint64_t end, uint64_t *from)
{
    *from = d->next;
    while (end - WINDOW >= *from && end >= WINDOW)
        if (atomic_compare_exchange_weak(&d->next, from, *from + WINDOW))
            return true;
    return false;
}

void
drop_behind_range(int fd, uint64_t from, uint64_t bytes)
{
    (void)posix_fadvise(fd, (off_t)from, (off_t)bytes, POSIX_FADV_DONTNEED);
}

void
drop_behind_read(struct drop_behind *d, int fd, uint64_t end)
{
    uint64_t from;

    while (take_window(d, end, &from))
        drop_behind_range(fd, from, WINDOW);
}

void
drop_behind_written(struct drop_behind *d, int fd, uint64_t end)
{
    uint64_t from;

    while (take_window(d, end, &from)) {
        (void)sync_file_range(fd, (off_t)from, (off_t)WINDOW,
                              SYNC_FILE_RANGE_WRITE);
        if (from < WRITTEN_BEHIND)
            continue;
        from -= WRITTEN_BEHIND;
        (void)sync_file_range(fd, (off_t)from, (off_t)WINDOW,
                              SYNC_FILE_RANGE_WAIT_BEFORE |
                                  SYNC_FILE_RANGE_WRITE |
                                  SYNC_FILE_RANGE_WAIT_AFTER);
        drop_behind_range(fd, from, WINDOW);
    }
}
