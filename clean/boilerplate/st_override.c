/* st_override.c -- blocks that are no text whatever the network said: they get
 * the value 1.  These are the operator's, whose text matches
 * clean.boilerplate_regex (texrex's CustomRegex as its manual has it; its
 * program ignores it), and those of which some bytes could not be decoded. */
#include "clean/chain/stage.h"
#include "winnow/regex.h"

static enum status
open_regex(void **self, const struct opts *o)
{
    struct regex *r = NULL;
    enum status st = ST_OK;

    if (o->clean_boilerplate_regex.n > 0)
        st = regex_open(&r, o->clean_boilerplate_regex, NULL);
    *self = r;
    return st;
}

static bool
undecoded(struct str s)
{
    return memmem(s.p, s.n, "\xef\xbf\xbd", 3) != NULL;
}

static void
mark(struct document *d, struct block *b)
{
    if (d->all_chars > 0)
        d->boilerplate_mean +=
            (double)(1 - b->boilerplate) * b->chars / d->all_chars;
    b->boilerplate = 1;
    if (!b->kept)
        return;
    b->kept = false;
    d->kept_blocks_n--;
    d->kept_chars -= b->chars;
}

static enum status
run(const void *self, struct document *d)
{
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if ((self != NULL && regex_matches(self, d->blocks[i].text)) ||
            (d->charset_damaged && undecoded(d->blocks[i].text)))
            mark(d, &d->blocks[i]);
    return ST_OK;
}

static void
close_regex(void *self)
{
    regex_close(self);
}

const struct stage stage_override = {
    .name = "override",
    .needs = DOC_BOILERPLATE,
    .open = open_regex,
    .run = run,
    .close = close_regex,
};
