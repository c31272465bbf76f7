/* block_text.c -- see block_text.h.
 *
 * Where a link stood in the text is known from strip; stages behind it may have
 * changed the text, so the words are looked at, and looked for. */
#include "block_text.h"

#define CELLS_MORE 1000u /* empty cells a small table may have */

static bool
stands_at(struct str text, size_t at, struct str words)
{
    return at + words.n <= text.n && memcmp(text.p + at, words.p, words.n) == 0;
}

static bool
is_edge(struct str text, size_t at)
{
    return at == 0 || at >= text.n ||
           (!ascii_alpha(text.p[at - 1]) && !ascii_digit(text.p[at - 1])) ||
           (!ascii_alpha(text.p[at]) && !ascii_digit(text.p[at]));
}

/* Where the words of link l stand in text, not before `from`; text.n: nowhere.
 */
static size_t
find_words(struct str text, size_t from, const struct link *l)
{
    struct str words = l->anchor;

    if (words.n == 0)
        return text.n;
    for (size_t at = l->block_at; at < l->block_at + 2u; at++) /* a blank */
        if (at >= from && stands_at(text, at, words))
            return at;
    while (from < text.n) {
        const char *p = memmem(text.p + from, text.n - from, words.p, words.n);
        size_t at = p != NULL ? (size_t)(p - text.p) : text.n;

        if (p == NULL || (is_edge(text, at) && is_edge(text, at + words.n)))
            return at;
        from = at + 1;
    }
    return text.n;
}

bool
link_walk_next(struct link_walk *w, uint32_t i, size_t *at, struct str *piece,
               const struct link **link)
{
    struct str text = w->d->blocks[i].text;
    const struct link *all = w->d->links;
    size_t from = *at;

    *link = NULL;
    if (from >= text.n)
        return false;
    while (w->next < w->d->links_n && all[w->next].block_i < i)
        w->next++;
    while (w->next < w->d->links_n && all[w->next].block_i == i) {
        const struct link *l = &all[w->next];
        size_t found = find_words(text, from, l);

        if (found > from && found < text.n) {
            *at = found;
            *piece = str_sub(text, from, found);
            return true;
        }
        w->next++;
        if (found == from) {
            *at = from + l->anchor.n;
            *piece = str_sub(text, from, *at);
            *link = l;
            return true;
        }
    }
    *at = text.n;
    *piece = str_sub(text, from, text.n);
    return true;
}

void
table_run(struct table_run *t, const struct document *d, uint32_t i)
{
    const struct block_form *first = &d->blocks[i].form;
    uint32_t widest = 0, row = 0, rows_n = 0, kept_n = 0;
    bool *used;

    if (i >= t->from && i < t->to)
        return;
    *t = (struct table_run){.from = i, .to = i};
    if (first->row == 0)
        return;
    for (; t->to < d->blocks_n; t->to++) {
        const struct block *b = &d->blocks[t->to];

        if (b->form.row == 0 || b->form.table != first->table)
            break;
        if (!b->kept)
            continue;
        rows_n += b->form.row != row;
        row = b->form.row;
        kept_n++;
        if (b->form.column >= widest)
            widest = b->form.column + 1u;
    }
    used = ARENA_ARRAY(d->arena, bool, widest);
    for (uint32_t k = i; k < t->to; k++)
        if (d->blocks[k].kept)
            used[d->blocks[k].form.column] = true;
    t->place = arena_raw(d->arena, widest * sizeof *t->place);
    for (uint32_t c = 0; c < widest; c++) {
        t->place[c] = (uint16_t)t->columns_n;
        t->columns_n += used[c];
    }
    if (t->columns_n < 2 ||
        (uint64_t)t->columns_n * rows_n > 4 * (uint64_t)kept_n + CELLS_MORE)
        t->columns_n = 0;
}
