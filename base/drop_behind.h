/* drop_behind.h -- large files that are gone through once, from begin to end:
 * what is behind does not stay in the page cache.
 *
 * Else each page takes memory that has not been used yet, which a virtual
 * machine has to get from its host, and what other programs have in the cache
 * goes for it.  What is written is handed to the disk a few windows behind, so
 * that it can go.  All of this is advice (posix_fadvise(2),
 * sync_file_range(2)): files and faults are the same without it. */
#ifndef BASE_DROP_BEHIND_H
#define BASE_DROP_BEHIND_H

#include <stdatomic.h>
#include <stdint.h>

/* How far a file has been gone through.  {0}: not at all. */
struct drop_behind {
    _Atomic uint64_t next; /* the window that begins here is the next to go */
};

/* Bytes before `end` have been read, or written.  Any thread; of several that
 * write at once, what is written late into a window that went may stay. */
void drop_behind_read(struct drop_behind *d, int fd, uint64_t end);
void drop_behind_written(struct drop_behind *d, int fd, uint64_t end);

/* These, which have been read, are not needed any more. */
void drop_behind_range(int fd, uint64_t from, uint64_t bytes);

#endif
