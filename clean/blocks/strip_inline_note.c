/* strip_inline_note.c -- footnotes that stand where their mark is, amid a
 * sentence, and are shown elsewhere: their text comes in blocks of its own,
 * behind the one that they interrupt. */
#include "strip.h"

#define BETWEEN '\n' /* two notes; collapsed text has none */

static bool
may_be_interrupted(uint8_t form)
{
    return form == FORM_PARAGRAPH || form == FORM_ITEM || form == FORM_QUOTE ||
           form == FORM_DEFINITION;
}

void
strip_inline_note_open(struct strip *s, struct element *e)
{
    if (e->dropped || e->aside)
        return;
    if (e->class_marks & CLASS_MARK_NOTE_MARK) {
        strip_self_link_start(s, S(""));
        s->self_link.raised = true;
    }
    if (e->class_marks & CLASS_MARK_NOTE && may_be_interrupted(e->form.form)) {
        e->aside = true;
        if (s->asides.n > 0)
            buf_char(&s->asides, BETWEEN);
        s->aside_blank = false;
    }
}

void
strip_inline_note_close(struct strip *s, const struct element *e)
{
    if (e->class_marks & CLASS_MARK_NOTE_MARK && !e->aside)
        strip_self_link_end(s);
}

void
strip_inline_note_text(struct strip *s, struct str text)
{
    if (s->asides.n < STRIP_BLOCK_BYTES)
        (void)strip_collapse(&s->asides, &s->aside_blank, text,
                             STRIP_BLOCK_BYTES);
}

bool
strip_inline_note_take(struct strip *s, struct buf *text)
{
    struct str rest = buf_view(&s->asides), note;

    while (s->aside_at < rest.n) {
        rest = str_sub(rest, s->aside_at, rest.n);
        (void)str_cut(&rest, BETWEEN, &note);
        s->aside_at += note.n + 1;
        note = str_trim(note);
        rest = buf_view(&s->asides);
        buf_clear(text);
        buf_str(text, note);
        if (note.n > 0)
            return true;
    }
    buf_clear(&s->asides);
    s->aside_at = 0;
    return false;
}
