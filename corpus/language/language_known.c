/* language_known.c -- which languages guesses tell: those of the model's
 * groups, and those that are alone in their script (see language_id.h). */
#include "language_model.h"

static const struct str alone[] = {
#define SCRIPT(first, last, name, language) STR(language),
#include "scripts.tbl.h"
#undef SCRIPT
};

enum { ALONE_N = sizeof alone / sizeof *alone };

/* Other names: the macrolanguage for what is written most, and old codes. */
static const struct {
    struct str code, is;
} others[] = {{STR("no"), STR("nb")},
              {STR("iw"), STR("he")},
              {STR("in"), STR("id")},
              {STR("sh"), STR("sr")}};

static struct str
find(const struct language_model *m, struct str code)
{
    for (unsigned i = 0; i < m->groups_n; i++)
        for (unsigned k = 0; k < m->groups[i].languages_n; k++)
            if (str_eq(m->groups[i].languages[k], code))
                return m->groups[i].languages[k];
    for (unsigned i = 0; i < ALONE_N; i++)
        if (code.n > 0 && str_eq(alone[i], code))
            return alone[i];
    return S("");
}

struct str
language_known(const struct language_model *m, struct str code)
{
    struct str found = find(m, code);

    for (size_t i = 0; found.n == 0 && i < sizeof others / sizeof *others; i++)
        if (str_eq(others[i].code, code))
            found = find(m, others[i].is);
    return found;
}

static bool
is_first(unsigned row)
{
    unsigned i = 0;

    while (!str_eq(alone[i], alone[row]))
        i++;
    return i == row;
}

void
language_list(const struct language_model *m, struct buf *out)
{
    for (unsigned i = 0; i < m->groups_n; i++)
        for (unsigned k = 0; k < m->groups[i].languages_n; k++)
            buf_printf(out, " %.*s", STRF(m->groups[i].languages[k]));
    for (unsigned i = 0; i < ALONE_N; i++)
        if (alone[i].n > 0 && is_first(i))
            buf_printf(out, " %.*s", STRF(alone[i]));
}
