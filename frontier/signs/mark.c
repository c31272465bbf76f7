/* mark.c -- see mark.h.  Pure.  Only the codes of known languages count: /go/
 * and /us/ are no marks. */
#include "mark.h"

static const char codes[] =
    " ar be bg bs ca cs da de el en es et eu fa fi fr gl he hi hr hu id is it "
    "ja ko lt lv ms nb nl nn no pl pt ro ru sk sl sr sv th tr uk vi zh ";

static bool
one_of(const char *list, struct str code) /* words between blanks */
{
    struct str all = str_c(list), word;

    while (str_cut(&all, ' ', &word))
        if (str_eq_nocase(word, code))
            return true;
    return false;
}

void
mark_add(struct mark_languages *l, struct str code)
{
    if (code.n < 2 || l->n == MARK_LANGUAGES_MAX)
        return;
    memcpy(l->code[l->n], code.p, 2);
    l->code[l->n++][2] = '\0';
}

bool
mark_like(struct str s)
{
    if (s.n != 2 && (s.n != 5 || (s.p[2] != '-' && s.p[2] != '_')))
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (i != 2 && !ascii_alpha(s.p[i]))
            return false;
    return true;
}

static enum mark
judge(const struct mark_languages *l, struct str s)
{
    struct str code = str_sub(s, 0, 2);

    if (!mark_like(s) || !one_of(codes, code))
        return MARK_NONE;
    for (size_t i = 0; i < l->n; i++)
        if (str_eq_nocase(str_c(l->code[i]), code))
            return MARK_WANTED;
    return MARK_OTHER;
}

/* The last of those that are marks. */
static void
take(enum mark *mark, enum mark one)
{
    if (one != MARK_NONE)
        *mark = one;
}

static void
in_name(enum mark *mark, const struct mark_languages *l, struct str name)
{
    size_t end = name.n, from;

    take(mark, judge(l, name));
    for (int dots = 0; dots < 2 && end > 0; dots++) {
        for (from = end; from > 0 && name.p[from - 1] != '.'; from--)
            ;
        if (from > 0)
            take(mark, judge(l, str_sub(name, from, end)));
        end = from > 0 ? from - 1 : 0;
        if (end > 3 && (name.p[end - 3] == '-' || name.p[end - 3] == '_'))
            take(mark, judge(l, str_sub(name, end - 2, end)));
    }
}

enum mark
mark_of_url(const struct mark_languages *l, struct str host, struct str rest)
{
    size_t query = str_find(rest, '?', 0);
    struct str path = str_sub(rest, 0, query), part;
    struct str parameters = str_sub(rest, query + 1, rest.n);
    enum mark mark = judge(l, str_sub(host, 0, str_find(host, '.', 0)));

    if (l->n == 0)
        return MARK_NONE;
    while (str_cut(&path, '/', &part)) {
        if (path.n > 0)
            take(&mark, judge(l, part));
        else
            in_name(&mark, l, part);
    }
    while (str_cut(&parameters, '&', &part))
        take(&mark,
             judge(l, str_sub(part, str_find(part, '=', 0) + 1, part.n)));
    return mark;
}

enum mark
mark_of_code(const struct mark_languages *l, struct str code)
{
    if (code.n > 2 && code.p[2] != '-' && code.p[2] != '_')
        return MARK_NONE;
    return judge(l, str_sub(code, 0, 2));
}

enum mark
mark_of_country(const struct mark_languages *l, struct str host)
{
    static const struct {
        const char *tld, *languages;
    } countries[] = {
#define COUNTRY(tld, languages) {#tld, languages},
#include "country.tbl.h"
#undef COUNTRY
    };
    size_t end = host.n, dot;

    while (end > 0 && ascii_digit(host.p[end - 1])) /* a port */
        end--;
    if (end == 0 || host.p[end - 1] != ':')
        end = host.n + 1;
    end--;
    for (dot = end; dot > 0 && host.p[dot - 1] != '.'; dot--)
        ;
    for (size_t i = 0; l->n > 0 && i < sizeof countries / sizeof *countries;
         i++) {
        if (!str_eq_nocase(str_sub(host, dot, end), str_c(countries[i].tld)))
            continue;
        for (size_t k = 0; k < l->n; k++)
            if (one_of(countries[i].languages, str_c(l->code[k])))
                return MARK_WANTED;
        return MARK_OTHER;
    }
    return MARK_NONE;
}
