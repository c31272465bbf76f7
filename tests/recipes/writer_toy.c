/* writer_toy.c -- the format of the recipe in DESIGN.md: a title a line. */
#include "writers.h"

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    (void)o;
    buf_str(out, d->meta.title);
    buf_char(out, '\n');
}

const struct writer writer_toy = {
    .name = "toy", .suffix = "toy", .help = "titles", .render = render};
