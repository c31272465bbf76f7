/* canonical.c -- see canonical.h.
 *
 * What a page says here is a hint: pages of a list name its first one, all
 * pages of a site its home page, pages of an old version the new one, and what
 * they name may not be there.  So it decides nothing by itself. */
#include "canonical.h"

#include "base/url/host.h"
#include "clean/blocks/block.h"

/* Does a parameter of a link's value, `; rel="x canonical"`, say it? */
static bool
says_canonical(struct str parameter)
{
    size_t eq = str_find(parameter, '=', 0);
    struct str value, word;

    if (eq == parameter.n ||
        !str_eq_nocase(str_trim(str_sub(parameter, 0, eq)), S("rel")))
        return false;
    value = str_trim(str_sub(parameter, eq + 1, parameter.n));
    if (value.n > 1 && value.p[0] == '"' && value.p[value.n - 1] == '"')
        value = str_sub(value, 1, value.n - 1);
    while (str_word(&value, &word))
        if (str_eq_nocase(word, S("canonical")))
            return true;
    return false;
}

/* Where what a comma or semicolon ends is over: neither counts in quotes. */
static size_t
end_of_parameter(struct str line, size_t at)
{
    bool quoted = false;

    for (; at < line.n; at++) {
        if (line.p[at] == '"')
            quoted = !quoted;
        else if (!quoted && (line.p[at] == ',' || line.p[at] == ';'))
            break;
    }
    return at;
}

/* <URL>; parameter; parameter, <URL> ... */
static struct str
of_header(struct str line)
{
    size_t at = 0, from, to;

    while ((from = str_find(line, '<', at)) < line.n &&
           (to = str_find(line, '>', from)) < line.n) {
        for (at = to + 1; at < line.n && line.p[at] != ',';) {
            size_t begin = at + (line.p[at] == ';'),
                   end = end_of_parameter(line, begin);

            if (says_canonical(str_sub(line, begin, end)))
                return str_sub(line, from + 1, to);
            at = end > at ? end : at + 1;
        }
    }
    return (struct str)STR("");
}

struct str
canonical_said(const struct document *d)
{
    const struct page_counts *page = d->page_counts;
    struct str lines = d->origin.headers, line, said = STR("");

    for (uint32_t i = 0; i < page->heads_n; i++)
        if (str_eq(page->heads[i].key, S("<canonical>")) &&
            page->heads[i].value.n > 0)
            return page->heads[i].value;
    while (said.n == 0 && str_cut(&lines, '\n', &line))
        if (str_starts_nocase(line, S("link:")))
            said = of_header(line);
    return said;
}

static struct str
without_www(struct str host)
{
    return str_starts(host, S("www.")) ? str_sub(host, 4, host.n) : host;
}

/* Another page of the same site: not the same one under https or www. */
static bool
is_another(const struct url *page, const struct url *named)
{
    if (page->host.n == 0 || named->host.n == 0 ||
        !str_eq(host_registered_domain(page->host),
                host_registered_domain(named->host)))
        return false;
    return !str_eq(without_www(page->host), without_www(named->host)) ||
           !str_eq(page->target, named->target);
}

void
canonical_read(struct document *d)
{
    struct str said = canonical_said(d);
    struct url u;

    if (said.n == 0 ||
        url_parse_plain(&u, d->arena, said,
                        d->base.href.n > 0 ? &d->base : NULL) != ST_OK)
        return;
    d->meta.canonical = u.href;
    if (is_another(&d->url, &u))
        d->canonical_other = u.href;
}
