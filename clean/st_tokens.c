/* st_tokens.c -- the words of the kept blocks (words.h).
 *
 * Every block gets its number of words.  The document's words are those of the
 * kept blocks; when no block is kept they are those of all blocks, so that the
 * links of a page that is all boilerplate still get a badness. */
#include "stage.h"
#include "words.h"

static enum status
open_letters(void **self, const struct opts *o)
{
    (void)o;
    *self = letters_new();
    return *self == NULL ? ST_NOMEM : ST_OK;
}

static bool
any_kept(const struct document *d)
{
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept)
            return true;
    return false;
}

static enum status
run(const void *self, struct document *d)
{
    bool all = !any_kept(d);
    struct words w;

    words_init(&w, self, d->arena);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];

        b->tokens = all || b->kept ? words_add(&w, b->text)
                                   : words_count(self, b->text);
    }
    d->token_hashes = w.hashes;
    d->tokens_n = w.hashes_n;
    d->types = w.types;
    d->types_n = w.types_n;
    return ST_OK;
}

static void
close_letters(void *self)
{
    letters_free(self);
}

const struct stage stage_tokens = {
    .name = "tokens",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE | DOC_NORMAL,
    .gives = DOC_TOKENS,
    .open = open_letters,
    .run = run,
    .close = close_letters,
};
