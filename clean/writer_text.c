/* writer_text.c -- kept blocks, one a line, and nothing else. */
#include "writers.h"

static void
render(const struct document *d, struct buf *out)
{
    document_text(d, out);
}

const struct writer writer_text = {
    .name = "text",
    .suffix = "txt",
    .render = render,
};
