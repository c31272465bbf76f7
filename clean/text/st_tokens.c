/* st_tokens.c -- the words of the kept blocks (words.h).
 *
 * Every block gets its number of words.  The document's words are those of the
 * kept blocks, or of those among them that clean.tokens_boilerplate_max and
 * tokens_chars_min admit; when no block is kept they are those of all blocks,
 * so that the links of a page that is all boilerplate still get a badness.
 * A kept block of which most is letters without the end of a word is no text,
 * and sentences in which a character was lost (U+FFFD) are none (unless
 * clean.damaged = keep); with clean.fragments = drop that goes for whatever is
 * no running text and no heading.
 *
 * clean.letters says of what words are made, clean.word_break how they are
 * found in scripts without blanks. */
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "clean/blocks/block_edit.h"
#include "clean/chain/stage.h"
#include "damaged.h"
#include "running_text.h"
#include "segment.h"
#include "words.h"

#define RANGES_MAX 256

struct st_tokens {
    struct letters *letters;
    struct segmenter *segmenter; /* NULL: letter by letter */
    float boilerplate_max;
    uint64_t chars_min;
    bool drop_fragments, drop_damaged;
};

static bool
hex(struct str s, uint32_t *out)
{
    uint32_t v = 0;

    if (str_starts_nocase(s, S("U+")))
        s = str_sub(s, 2, s.n);
    if (s.n == 0 || s.n > 6)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        int digit = ascii_hex(s.p[i]);

        if (digit < 0)
            return false;
        v = v << 4 | (uint32_t)digit;
    }
    *out = v;
    return true;
}

/* "0041-005A" or "00DF". */
static bool
parse_range(struct str s, struct letter_range *r)
{
    size_t dash = str_find(s, '-', 0);
    struct str last = dash < s.n ? str_sub(s, dash + 1, s.n) : s;

    return hex(str_sub(s, 0, dash), &r->first) && hex(last, &r->last) &&
           r->first <= r->last && r->last <= 0x10ffff;
}

static enum status
load_letters(struct st_tokens *t, const struct opt_list *list)
{
    struct letter_range ranges[RANGES_MAX];

    for (size_t i = 0; i < list->n; i++)
        if (i == RANGES_MAX || !parse_range(list->item[i], &ranges[i])) {
            log_error("clean",
                      "clean.letters: %.*s is no range of code points in hex "
                      "(0041-005A)",
                      STRF(list->item[i]));
            return ST_USAGE;
        }
    t->letters = letters_new_of(ranges, list->n);
    return t->letters == NULL ? ST_NOMEM : ST_OK;
}

static void
close_tokens(void *self)
{
    struct st_tokens *t = self;

    if (t == NULL)
        return;
    letters_free(t->letters);
    segmenter_free(t->segmenter);
    memory_free(t);
}

static enum status
open_tokens(void **self, const struct opts *o)
{
    struct st_tokens *t = memory_zero(1, sizeof *t);
    enum status st = ST_NOMEM;

    if (t == NULL || (st = load_letters(t, &o->clean_letters)) != ST_OK)
        goto fail;
    if (str_eq(o->clean_word_break, S("dictionary")) &&
        (st = segmenter_open(&t->segmenter)) != ST_OK)
        goto fail;
    t->boilerplate_max = (float)o->clean_tokens_boilerplate_max;
    t->chars_min = o->clean_tokens_chars_min;
    t->drop_fragments = str_eq(o->clean_fragments, S("drop"));
    t->drop_damaged = !str_eq(o->clean_damaged, S("keep"));
    *self = t;
    return ST_OK;
fail:
    close_tokens(t);
    if (st == ST_IO)
        log_error("clean", "clean.word_break=dictionary: ICU has no data");
    return st;
}

static bool
any_kept(const struct document *d)
{
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept)
            return true;
    return false;
}

static bool
counts(const struct st_tokens *t, const struct block *b)
{
    return b->kept && b->boilerplate <= t->boilerplate_max &&
           b->chars >= t->chars_min;
}

static bool
is_text(const struct st_tokens *t, const struct words *w, const struct block *b)
{
    if (words_overlong(w, b->text) > b->chars / 2)
        return false;
    return b->running || !t->drop_fragments || running_text_heading(b);
}

static void
drop_what_is_no_text(const struct st_tokens *t, struct document *d,
                     const struct words *w)
{
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];

        if (t->drop_damaged && b->kept && text_damaged(b->text))
            block_set_text(d, b, text_undamaged(d->arena, b->text));
        b->running = running_text(b);
        if (!b->kept || is_text(t, w, b))
            continue;
        b->kept = false;
        d->kept_blocks_n--;
        d->kept_chars -= b->chars;
    }
}

static enum status
run(const void *self, struct document *d)
{
    const struct st_tokens *t = self;
    struct words w;
    bool all;

    words_init(&w, t->letters, d->arena);
    d->segmenter = w.segmenter = t->segmenter;
    drop_what_is_no_text(t, d, &w);
    all = !any_kept(d);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];

        b->counted = all || counts(t, b);
        b->tokens =
            b->counted ? words_add(&w, b->text) : words_count(&w, b->text);
    }
    d->token_hashes = w.hashes;
    d->token_types = w.sequence;
    d->tokens_n = w.hashes_n;
    d->types = w.types;
    d->types_n = w.types_n;
    return ST_OK;
}

const struct stage stage_tokens = {
    .name = "tokens",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE | DOC_NORMAL,
    .gives = DOC_TOKENS,
    .open = open_tokens,
    .run = run,
    .close = close_tokens,
};
