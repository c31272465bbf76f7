/* model_text.c -- see model_text.h. */
#include "model_text.h"

#include <locale.h>
#include <math.h>

#include "base/log.h"

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

enum status
model_text_save(const char *path, void (*write)(const void *model, FILE *to),
                const void *model)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before;
    FILE *to = fopen(path, "w");
    bool ok = false;

    if (to != NULL && c != (locale_t)0) {
        before = uselocale(c);
        write(model, to);
        uselocale(before);
        ok = !ferror(to);
    }
    if (to != NULL && fclose(to) != 0)
        ok = false;
    if (c != (locale_t)0)
        freelocale(c);
    if (!ok)
        log_error("train", "cannot write %s", path);
    return ok ? ST_OK : ST_IO;
}
