/* unpacker.h -- a file unpacked by a program of the operator's, read through a
 * pipe. */
#ifndef CLEAN_UNPACKER_H
#define CLEAN_UNPACKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

struct unpacker {
    pid_t pid; /* 0: none */
    int fd;    /* its output */
};

/* Does the file begin as gzip does? */
bool unpacker_is_gzip(int fd);

/* Start `program -c -d path`.  ST_IO: reported. */
enum status unpacker_open(struct unpacker *u, const char *program,
                          const char *path);

/* Close the pipe and wait for the program.  ST_IO: it ended with a fault before
 * its output was closed to it; reported when `told`. */
enum status unpacker_close(struct unpacker *u, const char *path, bool told);

#endif
