/* pipe_batch.h -- text through a command of the operator's: what it reads on
 * its standard input, what it writes, and how it ends. */
#ifndef CORPUS_PIPE_BATCH_H
#define CORPUS_PIPE_BATCH_H

#include <stdint.h>

#include "base/buf.h"

enum pipe_end {
    PIPE_DONE,
    PIPE_DIED,    /* killed, or ended with a status that is not 0 */
    PIPE_NO_START /* the shell has not found it or may not run it (reported) */
};

/* Run `command` by /bin/sh, feed it `in`, and append to *out what it writes,
 * at most `most` bytes, also of one that dies.  It is killed with its children
 * when it takes longer. */
enum pipe_end pipe_batch(const char *command, struct str in, struct buf *out,
                         size_t most, uint64_t timeout_ms);

#endif
