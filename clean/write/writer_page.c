/* writer_page.c -- a page whole: every block and link with its numbers, one
 * JSON object a line (page_json.h). */
#include "page_json.h"
#include "writers.h"

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    struct json j = {.out = out};

    json_object(&j);
    page_json(o, d, &j, NULL, NULL);
    json_object_end(&j);
    buf_char(out, '\n');
}

const struct writer writer_page = {
    .name = "page",
    .suffix = "page",
    .help = "one JSON object a line with all blocks and links, verdict and "
            "what was asked for it",
    .render = render,
};
