/* attached.c -- see attached.h. */
#include "attached.h"

#include "clean/blocks/block.h"

#define DOUBTFUL_MAX 0.9f
#define FOOTNOTE_MAX 0.99f /* of what the page calls one */
#define GAP_MAX 2u         /* blocks that are not kept, between code and text */
#define AMID_MAX 200u      /* blocks amid text in a row: all code, for one */

/* Code, and notes, tips and warnings that are called so: in no way like the
 * text around them. */
static bool
is_amid(const struct block *b)
{
    return b->form.form == FORM_CODE ||
           (b->counts != NULL && b->counts->admonition);
}

/* The nearest block of text that is no code, at most GAP_MAX others and
 * AMID_MAX that may be amid text away; NULL: there is none. */
static const struct block *
text_near(const struct document *d, uint32_t i, int step, float limit)
{
    uint32_t gap = 0, amid = 0;

    for (i += (uint32_t)step; i < d->blocks_n; i += (uint32_t)step) {
        const struct block *b = &d->blocks[i];

        if (b->form.form != FORM_CODE && b->boilerplate <= limit)
            return b;
        if (is_amid(b) ? ++amid > AMID_MAX : ++gap > GAP_MAX)
            break;
    }
    return NULL;
}

static bool
is_doubtful(const struct block *b, float limit, float most)
{
    return b->boilerplate > limit && b->boilerplate <= most;
}

/* Where all of a page's code is left out, it may be no part of the text. */
static bool
has_code(const struct document *d, float limit)
{
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].form.form == FORM_CODE &&
            d->blocks[i].boilerplate <= limit)
            return true;
    return false;
}

/* A formula of its own: \[ ... \], $$ ... $$ */
static bool
is_formula(struct str s)
{
    return s.n > 4 && ((str_starts(s, S("\\[")) && str_ends(s, S("\\]"))) ||
                       (str_starts(s, S("$$")) && str_ends(s, S("$$"))));
}

/* May it be text where there is text before and behind it? */
static bool
belongs_amid(const struct block *b, bool code)
{
    return b->form.form == FORM_CODE ? code : is_amid(b) || is_formula(b->text);
}

/* Code, formulas and admonitions amid text. */
static void
attach_amid(struct document *d, float limit)
{
    bool code = has_code(d, limit);

    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];
        const struct block *before, *after;

        if (!is_doubtful(b, limit, DOUBTFUL_MAX) || !belongs_amid(b, code))
            continue;
        before = text_near(d, i, -1, limit);
        after = text_near(d, i, 1, limit);
        if (before != NULL && after != NULL)
            b->boilerplate = before->boilerplate > after->boilerplate
                                 ? before->boilerplate
                                 : after->boilerplate;
    }
}

static void
attach_notes(struct document *d, float limit)
{
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];
        const struct block *text;

        if (b->counts == NULL || b->counts->note == 0 ||
            !is_doubtful(b, limit,
                         b->counts->footnote ? FOOTNOTE_MAX : DOUBTFUL_MAX))
            continue;
        text = &d->blocks[b->counts->note - 1];
        if (text->boilerplate <= limit)
            b->boilerplate = text->boilerplate;
    }
}

void
attached_keep(struct document *d, float limit)
{
    attach_amid(d, limit);
    attach_notes(d, limit);
}
