/* writer_index.c -- where each document of an archive is found: id, URL, file,
 * offset and length of its record, separated by TABs.
 *
 * The bytes at that place are a whole record (in a compressed file: whole
 * members), unless the file was compressed in one piece: then the numbers count
 * decompressed bytes and a sixth column says so.  Documents that are not from
 * an archive have no line. */
#include "writers.h"

static void
column(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        buf_char(out, (unsigned char)s.p[i] < 0x20 ? ' ' : s.p[i]);
    buf_char(out, '\t');
}

static void
render(const struct opts *o, const struct document *d, struct buf *out)
{
    (void)o;
    if (d->origin.file.n == 0)
        return;
    column(out, str_c(d->id.z));
    column(out, d->url_text);
    column(out, d->origin.file);
    buf_printf(out, "%llu\t%llu%s\n", (unsigned long long)d->origin.offset,
               (unsigned long long)d->origin.length,
               d->origin.decompressed ? "\tdecompressed" : "");
}

const struct writer writer_index = {
    .name = "index",
    .suffix = "index",
    .help = "ID, URL, archive, offset, length; TAB between them",
    .render = render,
};
