/* st_override.c -- blocks that are no text whatever the network said: they get
 * the value 1.  These are the operator's, whose text matches
 * clean.boilerplate_regex (texrex's CustomRegex as its manual has it; its
 * program ignores it), those of which some bytes could not be decoded (unless
 * clean.damaged = keep), and with clean.comments = drop those of readers.
 * Comments are marked in any case: they stand in an element that is called so,
 * after what they comment on.  What is called a thread or a message besides is
 * a forum's text; and where the text begins in such an element, its name means
 * something else ("article with-comments"). */
#include "base/memory.h"
#include "base/regex.h"
#include "clean/blocks/block.h"
#include "clean/chain/stage.h"

struct override {
    struct regex *regex; /* NULL: none */
    bool drop_comments, drop_damaged;
};

static void
close_override(void *self)
{
    struct override *v = self;

    if (v == NULL)
        return;
    regex_close(v->regex);
    memory_free(v);
}

static enum status
open_override(void **self, const struct opts *o)
{
    struct override *v = memory_zero(1, sizeof *v);
    enum status st = ST_OK;

    if (v == NULL)
        return ST_NOMEM;
    v->drop_comments = str_eq(o->clean_comments, S("drop"));
    v->drop_damaged = !str_eq(o->clean_damaged, S("keep"));
    if (o->clean_boilerplate_regex.n > 0)
        st = regex_open(&v->regex, o->clean_boilerplate_regex, NULL);
    if (st == ST_OK)
        *self = v;
    else
        close_override(v);
    return st;
}

static bool
is_comment(const struct block *b)
{
    return b->counts != NULL && b->counts->hint[HINT_COMMENT] != 0 &&
           b->counts->hint[HINT_FORUM] == 0;
}

static bool
begins_as_comment(const struct document *d)
{
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept && d->blocks[i].form.form != FORM_HEADING)
            return is_comment(&d->blocks[i]);
    return false;
}

static bool
undecoded(struct str s)
{
    return str_has(s, S("\xef\xbf\xbd"));
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
    const struct override *v = self;
    bool none = begins_as_comment(d);

    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];

        b->comment = !none && is_comment(b);
        if ((v->regex != NULL && regex_matches(v->regex, b->text)) ||
            (v->drop_damaged && d->charset_damaged && undecoded(b->text)) ||
            (v->drop_comments && b->comment))
            mark(d, b);
    }
    return ST_OK;
}

const struct stage stage_override = {
    .name = "override",
    .needs = DOC_BOILERPLATE,
    .open = open_override,
    .run = run,
    .close = close_override,
};
