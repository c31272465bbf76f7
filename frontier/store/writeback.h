/* writeback.h -- sends the pages of a large commit on their way to the disk
 * while it is still writing them.
 *
 * LMDB writes all pages of a transaction into the kernel and then waits until
 * they are on the disk.  Between writeback_begin() and writeback_end() a thread
 * asks the kernel to start on what is there, so the two overlap.  It promises
 * nothing and changes nothing: durable is what the commit itself has synced. */
#ifndef FRONTIER_WRITEBACK_H
#define FRONTIER_WRITEBACK_H

struct writeback; /* opaque; see frontier/store/writeback.c */

/* Of the file behind `fd`; its thread is made when it is first needed. */
struct writeback *writeback_new(int fd);   /* NULL: out of memory */
void writeback_free(struct writeback *w);  /* NULL is allowed here ... */
void writeback_begin(struct writeback *w); /* ... here ... */
void writeback_end(struct writeback *w);   /* ... and here */

#endif
