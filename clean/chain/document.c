/* document.c -- what everybody asks of a finished document: its clean text. */
#include "document.h"

#include "winnow/buf.h"

void
document_text(const struct document *d, struct buf *out)
{
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept) {
            buf_str(out, d->blocks[i].text);
            buf_char(out, '\n');
        }
}
