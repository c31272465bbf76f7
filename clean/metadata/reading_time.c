/* reading_time.c -- see reading_time.h. */
#include "reading_time.h"

#define SHORT_BYTES 160u

/* A number of minutes: "5 min", "12-minute". */
static bool
has_minutes(struct str s)
{
    for (size_t i = 1; i < s.n; i++) {
        struct str rest = str_sub(s, i, s.n);

        if (!ascii_digit(s.p[i - 1]))
            continue;
        if (str_starts(rest, S(" ")) || str_starts(rest, S("-")))
            rest = str_sub(rest, 1, rest.n);
        if (str_starts_nocase(rest, S("min")))
            return true;
    }
    return false;
}

static bool
begins_word(struct str s, size_t at)
{
    return at == 0 || !ascii_alpha(s.p[at - 1]);
}

bool
says_reading_time(struct str s)
{
    static const struct str words[] = {
        STR("read"),   STR("lese"),   STR("lees"), STR("lezen"),
        STR("lectur"), STR("lettur"), STR("läs"),  STR("Läs")};

    if (s.n > SHORT_BYTES || !has_minutes(s))
        return false;
    for (size_t i = 0; i < s.n; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (begins_word(s, i) &&
                str_starts_nocase(str_sub(s, i, s.n), words[k]))
                return true;
    return false;
}
