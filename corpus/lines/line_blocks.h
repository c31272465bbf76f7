/* line_blocks.h -- the lines of files, in blocks, by several threads.
 *
 * The caller's thread reads (gzip, zstd or plain); the blocks go to the others.
 * A block has whole lines of one file. */
#ifndef CORPUS_LINE_BLOCKS_H
#define CORPUS_LINE_BLOCKS_H

#include "base/progress.h"
#include "base/status.h"
#include "paths.h"

struct line_block {
    struct str
        text; /* lines with their ends; the last of a file may have none */
    const char *path;
    uint64_t offset; /* of the first line in the (decompressed) file */
};

/* `thread` is below the number of threads; what belongs to it is used by nobody
 * else meanwhile.  Another status than ST_OK ends it all. */
typedef enum status line_blocks_take(void *self, size_t thread,
                                     const struct line_block *b);

/* ST_IO, ST_INVALID (damaged compression, a line without an end): reported with
 * the file's name.  Progress, if it is not NULL, is moved by bytes of the
 * files. drop_behind: what has been read leaves the page cache. */
enum status line_blocks_each(const struct paths *p, size_t threads_n,
                             bool drop_behind, struct progress *progress,
                             line_blocks_take *take, void *self);

/* Bytes of the files together; those that say no size count as 0. */
uint64_t line_blocks_bytes(const struct paths *p);

#endif
