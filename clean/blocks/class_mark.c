/* class_mark.c -- see class_mark.h. */
#include "class_mark.h"

static const struct {
    struct str word;
    uint16_t mark;
} table[] = {
#define CLASS_MARK(word, what) {STR(word), CLASS_MARK_##what},
#include "class_mark.tbl.h"
#undef CLASS_MARK
};

static bool
matches(struct str word, struct str pattern)
{
    size_t last = pattern.n - 1;

    if (pattern.p[last] == '*')
        return str_starts(word, str_sub(pattern, 0, last));
    return str_eq(word, pattern);
}

uint16_t
class_marks(struct str class_value)
{
    uint16_t marks = 0;
    struct str word;

    while (str_word(&class_value, &word))
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
            if (word.p[0] == table[i].word.p[0] && matches(word, table[i].word))
                marks |= table[i].mark;
    return marks;
}
