/* sync_later.h -- files that are to be on the disk soon, without anybody who
 * waits: a thread syncs them some time after they were first written to.
 *
 * sync_later_note() may be called by one thread; a file stays open until
 * sync_later_free(). */
#ifndef FRONTIER_SYNC_LATER_H
#define FRONTIER_SYNC_LATER_H

#include <stdbool.h>
#include <stdint.h>

struct sync_later; /* opaque; see frontier/store/sync_later.c */

enum { SYNC_LATER_FILES = 4 };

/* NULL: no memory, or no thread. */
struct sync_later *sync_later_new(uint64_t lag_ms);
/* What was noted is synced first.  NULL is allowed. */
void sync_later_free(struct sync_later *s);

/* The file was written to.  Files are synced in the order in which they were
 * noted first.  False: one could not be synced (reported); nobody knows what
 * of it is on the disk. */
bool sync_later_note(struct sync_later *s, int fd);
bool sync_later_failed(struct sync_later *s); /* is that so? */

#endif
