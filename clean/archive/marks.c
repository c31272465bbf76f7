/* marks.c -- see marks.h. */
#include "marks.h"

#include <stdlib.h>
#include <string.h>

void
marks_free(struct marks *m)
{
    free(m->item);
    *m = (struct marks){0};
}

static bool
make_room(struct marks *m)
{
    size_t room = m->room ? m->room * 2 : 16;
    struct mark *more;

    if (m->from > m->n / 2) {
        m->n -= m->from;
        memmove(m->item, m->item + m->from, m->n * sizeof *m->item);
        m->from = 0;
        return true;
    }
    if ((more = realloc(m->item, room * sizeof *more)) == NULL)
        return false;
    m->item = more;
    m->room = room;
    return true;
}

void
marks_add(struct marks *m, uint64_t position, uint64_t offset)
{
    if (m->n > m->from && m->item[m->n - 1].position == position)
        m->n--;
    if (m->n < m->room || make_room(m))
        m->item[m->n++] = (struct mark){position, offset};
}

void
marks_forget(struct marks *m, uint64_t before)
{
    while (m->from < m->n && m->item[m->from].position < before)
        m->from++;
    if (m->from == m->n)
        m->from = m->n = 0;
}

bool
marks_here(const struct marks *m, uint64_t position, uint64_t *offset)
{
    if (m->from == m->n || m->item[m->from].position != position)
        return false;
    *offset = m->item[m->from].offset;
    return true;
}

size_t
marks_ahead(const struct marks *m, uint64_t position)
{
    size_t i = m->from;

    if (i < m->n && m->item[i].position == position)
        i++;
    return i < m->n ? (size_t)(m->item[i].position - position) : SIZE_MAX;
}
