/* strip_note.c -- marks of footnotes, and which blocks are notes of which text.
 *
 * A link to a place further on in its page whose text is a number ("1", "[1]")
 * is a mark, and what stands in the element with that id its note.  Of
 * STRIP_NOTES_MAX places those that are found at once are remembered. */
#include "strip.h"

#include "base/hash.h"

#define TRIES 8u
#define DIGITS_MAX 3u

/* "1", "[1]", "(1)" */
bool
strip_is_note_mark(struct str text)
{
    text = str_trim(text);
    if (text.n > 2 && (text.p[0] == '[' || text.p[0] == '('))
        text = str_sub(text, 1, text.n - 1);
    if (text.n == 0 || text.n > DIGITS_MAX)
        return false;
    for (size_t i = 0; i < text.n; i++)
        if (!ascii_digit(text.p[i]))
            return false;
    return true;
}

static struct strip_note *
find(struct strip *s, uint64_t id)
{
    for (uint32_t i = 0; i < TRIES; i++) {
        struct strip_note *n = &s->notes[(id + i) % STRIP_NOTES_MAX];

        if (n->id == id || n->id == 0)
            return n;
    }
    return NULL;
}

static void
refer(struct strip *s, struct str id)
{
    struct strip_note *n;

    if (id.n == 0 || (n = find(s, hash64(id))) == NULL || n->id != 0)
        return;
    *n = (struct strip_note){.id = hash64(id), .block_i = s->blocks_n};
    s->notes_n++;
}

/* A number that is raised for the eye would be part of the word before it. */
static void
put_in_brackets(struct strip *s)
{
    const struct strip_self_link *l = &s->self_link;
    size_t from = l->from;

    while (s->text.p[from] == ' ')
        from++;
    if (s->text.p[from] == '[' || s->text.p[from] == '(')
        return;
    buf_c(&s->text, "[]"); /* room; the number moves in between */
    memmove(s->text.p + from + 1, s->text.p + from, s->text.n - from - 2);
    s->text.p[from] = '[';
    s->text.p[s->text.n - 1] = ']';
    for (uint32_t i = l->marks_n; i < s->page->marks_n; i++) {
        s->page->marks[i].from++;
        s->page->marks[i].to++;
    }
}

void
strip_note_mark(struct strip *s)
{
    refer(s, s->self_link.id);
    if (s->self_link.raised)
        put_in_brackets(s);
}

void
strip_note_begin(struct strip *s, struct element *e, struct str id)
{
    const struct strip_note *n;

    if (s->notes_n == 0 || id.n == 0 || (n = find(s, hash64(id))) == NULL ||
        n->id == 0)
        return;
    if (e->block)
        e->note = n->block_i + 1;
    else
        s->now.note = n->block_i + 1;
}

uint32_t
strip_note_of_block(struct strip *s, struct str text)
{
    uint32_t note = s->now.note != 0          ? s->now.note
                    : strip_top(s)->note != 0 ? strip_top(s)->note
                                              : s->note_due;

    s->note_due = strip_is_note_mark(text) ? note : 0;
    return note;
}
