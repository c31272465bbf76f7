/* document.c -- what everybody asks of a finished document: the name of the
 * reason it was rejected, its clean text. */
#include "winnow/document.h"

#include <assert.h>

#include "winnow/buf.h"

static const struct {
    const char *name, *help;
} reject_table[REJECT_N] = {
#define X(id, name, help) [REJECT_##id] = {name, help},
    REJECT_TABLE(X)
#undef X
};

const char *
reject_name(enum reject r)
{
    assert(r < REJECT_N);
    return reject_table[r].name;
}

const char *
reject_help(enum reject r)
{
    assert(r < REJECT_N);
    return reject_table[r].help;
}

void
document_text(const struct document *d, struct buf *out)
{
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept) {
            buf_str(out, d->blocks[i].text);
            buf_char(out, '\n');
        }
}
