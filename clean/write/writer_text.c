/* writer_text.c -- kept blocks, one a line, and nothing else. */
#include "writers.h"

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    (void)o;
    document_text(d, out);
}

const struct writer writer_text = {
    .name = "text",
    .suffix = "txt",
    .help = "the kept blocks, one a line",
    .render = render,
};
