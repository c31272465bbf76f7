/* writer_links.c -- the link graph: a line for each anchor with its source,
 * target, badness of the source and boilerplate value of the block it stands
 * in, separated by TABs.
 *
 * A link no text follows has the value 1; the badness of a page without words
 * is empty.  URLs are canonical and hold no TAB; a source that is a file's name
 * may, so control characters become blanks. */
#include "facts.h"
#include "writers.h"

static void
column(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        buf_char(out, (unsigned char)s.p[i] < 0x20 ? ' ' : s.p[i]);
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    (void)o;
    for (uint32_t i = 0; i < d->links_n; i++) {
        const struct link *l = &d->links[i];
        float value =
            l->block_i < d->blocks_n ? d->blocks[l->block_i].boilerplate : 1;

        column(out, d->url_text);
        buf_char(out, '\t');
        column(out, l->url);
        buf_char(out, '\t');
        fact_add(S("badness"), d, out);
        buf_char(out, '\t');
        fact_real(value, out);
        buf_char(out, '\n');
    }
}

const struct writer writer_links = {
    .name = "links",
    .suffix = "links",
    .help = "source, target, badness of the source, boilerplate value of the "
            "block; TAB between them",
    .render = render,
};
