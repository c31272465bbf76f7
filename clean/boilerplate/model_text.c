/* model_text.c -- see model_text.h. */
#include "model_text.h"

#include <math.h>

bool
model_text_find(struct str text, struct str key, struct str *value)
{
    struct str line;

    while (str_cut(&text, '\n', &line)) {
        if (str_starts(line, key) && line.n > key.n && line.p[key.n] == '=') {
            *value = str_trim(str_sub(line, key.n + 1, line.n));
            return true;
        }
    }
    return false;
}

bool
model_text_number(struct str *rest, double *out)
{
    size_t i = 0, from;

    while (i < rest->n && rest->p[i] == ' ')
        i++;
    from = i;
    while (i < rest->n && rest->p[i] != ' ')
        i++;
    if (!str_real(str_sub(*rest, from, i), out))
        return false;
    *rest = str_sub(*rest, i, rest->n);
    return fabs(*out) <= 1e9;
}
