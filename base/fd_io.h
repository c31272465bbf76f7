/* fd_io.h -- all of what is asked of a descriptor: a system call may do a part
 * of it, or be interrupted by a signal.
 *
 * Nothing is logged; errno says why something failed. */
#ifndef BASE_FD_IO_H
#define BASE_FD_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Called first in main(): of standard input, output and error those that are
 * closed become descriptors of which reading and writing fail, so that no file
 * that is opened later gets their number, and messages with it.  They stay open
 * in programs that are started. */
void fd_keep_standard(void);

/* The next bytes, up to n of them, as soon as there are some.  0: the end; < 0:
 * a fault. */
ptrdiff_t fd_read(int fd, void *p, size_t n);

/* False: a fault; some of the bytes may be written. */
bool fd_write(int fd, const void *p, size_t n);

/* All n bytes from byte `at` of a file on, or to there.  False: not all; *done
 * of them (NULL: do not say).  A read then meets the end (errno 0) or a fault,
 * a write a fault. */
bool fd_read_at(int fd, void *p, size_t n, uint64_t at, size_t *done);
bool fd_write_at(int fd, const void *p, size_t n, uint64_t at, size_t *done);

#endif
