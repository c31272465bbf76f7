/* fann_text.c -- see fann_text.h.  Keys are looked up wherever they stand, so
 * files of FANN 2.1, which lack two keys that 2.2 insists on, read alike. */
#include "fann_text.h"

#include <math.h>

bool
fann_text_find(struct str text, struct str key, struct str *value)
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
fann_text_number(struct str *rest, double *out)
{
    size_t i = 0, from;

    while (i < rest->n && (rest->p[i] == '(' || rest->p[i] == ')' ||
                           rest->p[i] == ',' || rest->p[i] == ' '))
        i++;
    from = i;
    while (i < rest->n && rest->p[i] != ')' && rest->p[i] != ',' &&
           rest->p[i] != ' ')
        i++;
    if (!str_real(str_sub(*rest, from, i), out))
        return false;
    *rest = str_sub(*rest, i, rest->n);
    return fabs(*out) <= 1e9;
}

bool
fann_text_is(struct str text, struct str key, double wanted)
{
    struct str value;
    double x;

    return fann_text_find(text, key, &value) && fann_text_number(&value, &x) &&
           x >= wanted && x <= wanted;
}
