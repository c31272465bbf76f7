/* line_order.h -- lines in memory, brought into the order of their bytes. */
#ifndef CORPUS_LINE_ORDER_H
#define CORPUS_LINE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* A line: where it stands in `text`, and eight of its bytes, as they stand. */
struct line_at {
    unsigned char head[8];
    uint32_t from, n;
};

/* As str_cmp() has it; `room` is as large. */
void line_order(struct line_at *line, struct line_at *room, size_t n,
                const char *text);

#endif
