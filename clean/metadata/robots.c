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

static void
directives(struct meta *m, struct str list)
{
    struct str word;

    while (str_word(&list, &word))
        directive(m, word);
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

/* A line of X-Robots-Tag: an agent's name and a colon may stand before
 * directives, and hold until the next one. */
static void
robots_tag(struct meta *m, struct str tag, struct str agent)
{
    struct str part;
    bool ours = true;

    while (str_cut(&tag, ',', &part)) {
        size_t colon = str_find(part, ':', 0);
        struct str name = str_trim(str_sub(part, 0, colon));

        if (colon < part.n) {
            if (has_value(name))
                continue;
            ours = agent.n > 0 && str_eq_nocase(name, agent);
            part = str_sub(part, colon + 1, part.n);
        }
        if (ours)
            directive(m, str_trim(part));
    }
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
        directives(m, e->value);
        m->robots = m->robots.n == 0
                        ? e->value
                        : arena_printf(d->arena, "%.*s, %.*s", STRF(m->robots),
                                       STRF(e->value));
    }
    while (str_cut(&tags, '\n', &tag))
        robots_tag(m, tag, d->robots_agent);
    if (m->noindex && obey)
        document_reject(d, VERDICT_NOINDEX);
}
