/* return_url.c -- see return_url.h: some names mean that anywhere, others only
 * of what calls itself a login, and when their value is an address. */
#include "return_url.h"

#include "query.h"

#define LOGIN_VALUE_MAX 32u /* bytes of what may name a login */

/* registered, logins, signing up: not what a login is called. */
static bool
is_inflected(struct str behind)
{
    size_t n = 0;

    while (n < behind.n && ascii_alpha(behind.p[n]))
        n++;
    return str_starts_nocase(behind, S("ed")) ||
           str_eq_nocase(str_sub(behind, 0, n), S("s")) ||
           str_eq_nocase(str_sub(behind, 0, n), S("ing"));
}

/* Is s.p[at .. at + n] a word, or an end of one: userlogin, loginform?  Not of
 * designing, catalog-index, blog-in-english, registered-charities. */
static bool
stands_alone(struct str s, size_t at, struct str word)
{
    size_t end = at + word.n;
    bool before = at > 0 && ascii_alpha(s.p[at - 1]),
         behind = end < s.n && ascii_alpha(s.p[end]),
         joined =
             str_find(word, '-', 0) < word.n || str_find(word, '_', 0) < word.n;

    if (joined)
        return !before && !behind;
    return !before ? !is_inflected(str_sub(s, end, s.n)) : !behind;
}

static bool
has_login(struct str s)
{
    static const struct str words[] = {
        STR("login"),    STR("logon"),    STR("log-in"),  STR("log_in"),
        STR("signin"),   STR("sign-in"),  STR("sign_in"), STR("signup"),
        STR("sign-up"),  STR("sign_up"),  STR("logout"),  STR("signout"),
        STR("sign-out"), STR("register"), STR("anmelden")};

    for (size_t i = 0; i < s.n; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (str_starts_nocase(str_sub(s, i, s.n), words[k]) &&
                stands_alone(s, i, words[k]))
                return true;
    return false;
}

static struct str
last_segment(struct str path)
{
    size_t end = path.n, from;

    while (end > 0 && path.p[end - 1] == '/')
        end--;
    for (from = end; from > 0 && path.p[from - 1] != '/';)
        from--;
    return str_sub(path, from, end);
}

/* Does it ask who its visitor is?  /login?..., /user.php?mode=login&... */
static bool
is_login(struct str path, struct str query)
{
    struct query_parameter p;

    if (has_login(last_segment(path)))
        return true;
    for (size_t at = 0; query_next(query, &at, &p);)
        if (p.value.n <= LOGIN_VALUE_MAX && !str_starts(p.value, S("/")) &&
            has_login(p.value))
            return true;
    return false;
}

static bool
is_address(struct str value)
{
    return str_starts(value, S("/")) || str_starts_nocase(value, S("%2f")) ||
           str_starts_nocase(value, S("http"));
}

static bool
names_return_url(const struct query_parameter *p, bool login)
{
    static const char *const sure[] = {
        "return_to", "returnto",    "return_url",    "returnurl",
        "came_from", "back_url",    "backurl",       "return-url",
        "return-to", "returntourl", "returntoquery", NULL};
    static const char *const of_login[] = {"next",        "redirect",
                                           "redirect_to", "redirect_url",
                                           "redirecturl", "redirect_uri",
                                           "redirectto",  "continue",
                                           "destination", "dest",
                                           "goto",        "back",
                                           "ref",         "referer",
                                           "referrer",    "from",
                                           "url",         "return",
                                           "target",      "service",
                                           "origin",      NULL};

    return query_one_of(p->name, sure) ||
           (login && is_address(p->value) && query_one_of(p->name, of_login));
}

bool
return_url_without(struct buf *out, struct str url)
{
    size_t end = str_find(url, '?', 0), from = end + 1;
    struct str path = str_sub(url, 0, end), query;
    struct query_parameter p;
    bool login, found = false;
    char before = '?';

    if (end == url.n)
        return false;
    query = str_sub(url, from, url.n);
    login = is_login(path, query);
    for (size_t at = 0; !found && query_next(query, &at, &p);)
        found = names_return_url(&p, login);
    if (!found)
        return false;
    buf_clear(out);
    buf_str(out, path);
    for (size_t at = 0, begin = 0; query_next(query, &at, &p); begin = at) {
        if (names_return_url(&p, login))
            continue;
        buf_char(out, before);
        buf_str(out, str_sub(query, begin, at - 1));
        before = '&';
    }
    return true;
}
