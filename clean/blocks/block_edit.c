/* block_edit.c -- see block_edit.h. */
#include "block_edit.h"

#include "clean/chain/codepoint.h"

void
block_set_text(struct document *d, struct block *b, struct str text)
{
    uint32_t chars;

    if (text.p == b->text.p && text.n == b->text.n)
        return;
    chars = codepoint_count(text);
    d->all_chars = d->all_chars - b->chars + chars;
    if (b->kept)
        d->kept_chars = d->kept_chars - b->chars + chars;
    b->chars = chars;
    b->text = text;
    if (b->kept && text.n == 0) {
        b->kept = false;
        d->kept_blocks_n--;
    }
}

void
document_change(struct document *d, text_change *change, const void *self)
{
    struct str *const metas[] = {&d->meta.title,    &d->meta.description,
                                 &d->meta.keywords, &d->meta.author,
                                 &d->meta.site,     &d->meta.section};

    for (uint32_t i = 0; i < d->blocks_n; i++)
        block_set_text(
            d, &d->blocks[i],
            change(self, d->arena, d->blocks[i].text, d->blocks[i].code));
    for (size_t i = 0; i < sizeof metas / sizeof *metas; i++)
        *metas[i] = change(self, d->arena, *metas[i], false);
    for (uint32_t i = 0; i < d->meta.authors_n; i++)
        d->meta.authors[i] = change(self, d->arena, d->meta.authors[i], false);
}
