/* list.c -- see list.h. */
#include "list.h"

struct str
list_begin(struct str bytes, size_t *most)
{
    *most = 1;
    for (size_t i = 0; i < bytes.n; i++)
        *most += bytes.p[i] == '\n';
    return str_unmarked(bytes);
}

bool
list_next(struct str *text, struct str *line)
{
    while (str_cut(text, '\n', line)) {
        if (str_ends(*line, S("\r")))
            line->n--;
        if (str_trim(*line).n > 0 && line->p[0] != '#')
            return true;
    }
    return false;
}
