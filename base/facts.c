/* facts.c -- see facts.h. */
#include "facts.h"

/* "NAME = VALUE"; false: no such line (a change that was noted). */
static bool
fact(struct str line, struct str *name, struct str *value)
{
    size_t equals = str_find(line, '=', 0);

    if (line.n == 0 || line.p[0] == '#' || equals == line.n)
        return false;
    *name = str_trim(str_sub(line, 0, equals));
    *value = str_trim(str_sub(line, equals + 1, line.n));
    return true;
}

static bool
find(struct str facts, struct str wanted, struct str *value)
{
    struct str line, name;

    while (str_cut(&facts, '\n', &line))
        if (fact(line, &name, value) && str_eq(name, wanted))
            return true;
    return false;
}

struct str
facts_value(struct str facts, struct str name)
{
    struct str value;

    return find(facts, name, &value) ? value : S("");
}

bool
facts_have(struct str facts, struct str name)
{
    struct str value;

    return find(facts, name, &value);
}

static void
differ(struct str name, struct str was, struct str is, struct buf *out)
{
    buf_printf(out, "%.*s: %.*s -> %.*s\n", STRF(name),
               STRF(was.n > 0 ? was : S("(empty)")),
               STRF(is.n > 0 ? is : S("(empty)")));
}

void
facts_compare_given(struct str was, struct str is, struct buf *out)
{
    struct str line, name, value, rest = was;

    while (str_cut(&rest, '\n', &line))
        if (fact(line, &name, &value) && value.n > 0 &&
            !str_eq(value, facts_value(is, name)))
            differ(name, value, facts_value(is, name), out);
}

void
facts_compare(struct str was, struct str is, struct buf *out)
{
    struct str line, name, value, rest = is;

    facts_compare_given(was, is, out);
    while (str_cut(&rest, '\n', &line)) /* that are new */
        if (fact(line, &name, &value) && value.n > 0 &&
            facts_value(was, name).n == 0)
            differ(name, S(""), value, out);
}
