/* pipe_batch.h -- text through a command of the operator's: what it reads on
 * its standard input, what it writes, and how it ends. */
#ifndef CORPUS_PIPE_BATCH_H
#define CORPUS_PIPE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Run `command` by /bin/sh, feed it `in`, and append to *out what it writes,
 * at most `most` bytes.  It is killed with its children when it takes longer.
 * False: it could not be started, was killed, or ended with a status that is
 * not 0 (*out has what it wrote until then). */
bool pipe_batch(const char *command, struct str in, struct buf *out,
                size_t most, uint64_t timeout_ms);

#endif
