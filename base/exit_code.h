/* exit_code.h -- what a command's exit code says to scripts. */
#ifndef BASE_EXIT_CODE_H
#define BASE_EXIT_CODE_H

#include "base/status.h"

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_REJECTED = 3, /* finished, but some input could not be read */
    EXIT_INTERRUPTED = 130
};

/* That of a command whose work came to this. */
static inline int
command_exit(enum status st)
{
    return st == ST_OK ? EXIT_DONE : st == ST_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

#endif
