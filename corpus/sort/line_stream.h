/* line_stream.h -- lines that are handed on, one after the other. */
#ifndef CORPUS_LINE_STREAM_H
#define CORPUS_LINE_STREAM_H

#include "base/status.h"
#include "base/str.h"

struct line_stream {
    void *self;
    /* Valid until the next call.  ST_NONE: there are no more. */
    enum status (*next)(void *self, struct str *line);
};

struct line_sink {
    void *self;
    enum status (*put)(void *self, struct str line);
};

#endif
