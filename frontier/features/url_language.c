/* url_language.c -- see url_language.h.  Pure.  Only the codes of known
 * languages count: /go/ and /us/ are none. */
#include "url_language.h"

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
crawl_languages_add(struct crawl_languages *l, struct str code)
{
    if (code.n < 2 || l->n == CRAWL_LANGUAGES_MAX)
        return;
    memcpy(l->code[l->n], code.p, 2);
    l->code[l->n++][2] = '\0';
}

bool
url_language_like(struct str s)
{
    if (s.n != 2 && (s.n != 5 || (s.p[2] != '-' && s.p[2] != '_')))
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (i != 2 && !ascii_alpha(s.p[i]))
            return false;
    return true;
}

static enum url_language
language_code(const struct crawl_languages *l, struct str s)
{
    struct str code = str_sub(s, 0, 2);

    if (!url_language_like(s) || !one_of(codes, code))
        return URL_LANGUAGE_NONE;
    for (size_t i = 0; i < l->n; i++)
        if (str_eq_nocase(str_c(l->code[i]), code))
            return URL_LANGUAGE_WANTED;
    return URL_LANGUAGE_OTHER;
}

/* The last of those that are languages. */
static void
take(enum url_language *language, enum url_language one)
{
    if (one != URL_LANGUAGE_NONE)
        *language = one;
}

static void
in_name(enum url_language *language, const struct crawl_languages *l,
        struct str name)
{
    size_t end = name.n, from;

    take(language, language_code(l, name));
    for (int dots = 0; dots < 2 && end > 0; dots++) {
        for (from = end; from > 0 && name.p[from - 1] != '.'; from--)
            ;
        if (from > 0)
            take(language, language_code(l, str_sub(name, from, end)));
        end = from > 0 ? from - 1 : 0;
        if (end > 3 && (name.p[end - 3] == '-' || name.p[end - 3] == '_'))
            take(language, language_code(l, str_sub(name, end - 2, end)));
    }
}

enum url_language
url_language_of(const struct crawl_languages *l, struct str host,
                struct str rest)
{
    size_t query = str_find(rest, '?', 0);
    struct str path = str_sub(rest, 0, query), part;
    struct str parameters = str_sub(rest, query + 1, rest.n);
    enum url_language language =
        language_code(l, str_sub(host, 0, str_find(host, '.', 0)));

    if (l->n == 0)
        return URL_LANGUAGE_NONE;
    while (str_cut(&path, '/', &part)) {
        if (path.n > 0)
            take(&language, language_code(l, part));
        else
            in_name(&language, l, part);
    }
    while (str_cut(&parameters, '&', &part))
        take(&language,
             language_code(l,
                           str_sub(part, str_find(part, '=', 0) + 1, part.n)));
    return language;
}

enum url_language
url_language_of_code(const struct crawl_languages *l, struct str code)
{
    if (code.n > 2 && code.p[2] != '-' && code.p[2] != '_')
        return URL_LANGUAGE_NONE;
    return language_code(l, str_sub(code, 0, 2));
}

enum url_language
url_language_of_words(enum link_words words)
{
    return words == LINK_WORDS_NONE
               ? URL_LANGUAGE_NONE
               : URL_LANGUAGE_WORDS + (words - LINK_WORDS_WANTED_SURE);
}

enum url_language
url_language_of_country(const struct crawl_languages *l, struct str host)
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
                return URL_LANGUAGE_WANTED;
        return URL_LANGUAGE_OTHER;
    }
    return URL_LANGUAGE_NONE;
}
