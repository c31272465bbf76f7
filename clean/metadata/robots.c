/* robots.c -- robots directives of a page.  They count when they are for all or
 * for our own agent, in <meta> and in X-Robots-Tag alike. */
#include "clean/blocks/block.h"
#include "clean/chain/stage.h"
#include "metadata.h"

/* noindex, nofollow, none: everything else says nothing to us. */
static void
directive(struct meta *m, struct str word)
{
    bool none = str_eq_nocase(word, S("none"));

    m->noindex |= none || str_eq_nocase(word, S("noindex"));
    m->nofollow |= none || str_eq_nocase(word, S("nofollow"));
}

/* "name: value" that is a directive and not an agent's name. */
static bool
has_value(struct str name)
{
    static const struct str known[] = {
        STR("unavailable_after"), STR("max-snippet"), STR("max-image-preview"),
        STR("max-video-preview")};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_eq_nocase(name, known[i]))
            return true;
    return false;
}

/* Of "max-snippet" and a date's "25 Jun 2010 15" before their colons, neither
 * names an agent. */
static bool
is_agent(struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (ascii_space(name.p[i]))
            return false;
    return !has_value(name);
}

/* "max-snippet: 20 noindex": some write no comma. */
static struct str
behind_value(struct str part)
{
    struct str value;

    part = str_sub(part, str_find(part, ':', 0) + 1, part.n);
    return str_word(&part, &value) ? part : S("");
}

bool
robots_part(struct robots_list *l, struct str *words)
{
    struct str part, name;
    size_t colon;

    if (!str_cut(&l->rest, ',', &part))
        return false;
    colon = str_find(part, ':', 0);
    name = str_trim(str_sub(part, 0, colon));
    if (colon < part.n && is_agent(name)) {
        l->others = !str_eq(name, S("*")) &&
                    (l->agent.n == 0 || !str_eq_nocase(name, l->agent));
        part = str_sub(part, colon + 1, part.n);
        name = str_trim(str_sub(part, 0, str_find(part, ':', 0)));
    }
    if (l->others)
        part = S("");
    else if (has_value(name))
        part = behind_value(part);
    *words = part;
    return true;
}

static void
directives(struct meta *m, struct str list, struct str agent)
{
    struct robots_list l = {.rest = list, .agent = agent};
    struct str words, word;

    while (robots_part(&l, &words))
        while (str_word(&words, &word))
            directive(m, word);
}

void
metadata_robots(struct document *d, bool obey)
{
    const struct page_counts *page = d->page_counts;
    struct meta *m = &d->meta;
    struct str tags = d->x_robots_tag, tag;

    m->robots = (struct str)STR("");
    for (uint32_t i = 0; i < page->heads_n; i++) {
        const struct head_entry *e = &page->heads[i];

        if (!str_eq(e->key, S("robots")) &&
            (d->robots_agent.n == 0 || !str_eq_nocase(e->key, d->robots_agent)))
            continue;
        directives(m, e->value, d->robots_agent);
        m->robots = m->robots.n == 0
                        ? e->value
                        : arena_printf(d->arena, "%.*s, %.*s", STRF(m->robots),
                                       STRF(e->value));
    }
    while (str_cut(&tags, '\n', &tag))
        directives(m, tag, d->robots_agent);
    if (m->noindex && obey)
        document_reject(d, VERDICT_NOINDEX);
}
