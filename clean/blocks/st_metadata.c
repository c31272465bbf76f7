/* st_metadata.c -- makes sense of what strip found in the head.
 *
 * For each field the first non-empty value of the best name wins; names are
 * tried in the order of the tables below.  Robots directives count when they
 * are for all or for our own agent, in <meta> and in X-Robots-Tag alike. */
#include "block.h"
#include "clean/chain/stage.h"

static struct str
first_of(const struct page_counts *page, const char *const *names)
{
    for (; *names != NULL; names++)
        for (uint32_t i = 0; i < page->heads_n; i++)
            if (page->heads[i].value.n > 0 &&
                str_eq(page->heads[i].key, str_c(*names)))
                return page->heads[i].value;
    return (struct str)STR("");
}

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

/* X-Robots-Tag: an agent's name and a colon may stand before directives, and
 * hold until the next one. */
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

static void
robots(struct document *d, bool obey)
{
    const struct page_counts *page = d->page_counts;
    struct meta *m = &d->meta;

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
    robots_tag(m, d->x_robots_tag, d->robots_agent);
    if (m->noindex && obey)
        document_reject(d, VERDICT_NOINDEX);
}

/* No state, unless noindex is not to be obeyed. */
static enum status
open_noindex(void **self, const struct opts *o)
{
    static bool ignore;

    *self = o->clean_noindex ? NULL : &ignore;
    return ST_OK;
}

static struct str
canonical(struct document *d, struct str value)
{
    const struct url *base = d->base.href.n > 0 ? &d->base : NULL;
    struct url u;

    if (value.n == 0 || url_parse_plain(&u, d->arena, value, base) != ST_OK)
        return (struct str)STR("");
    return u.href;
}

static enum status
run(const void *self, struct document *d)
{
    static const char *const title[] = {"<title>", "og:title", "dc.title",
                                        "twitter:title", NULL};
    static const char *const description[] = {"description", "og:description",
                                              "dc.description",
                                              "twitter:description", NULL};
    static const char *const keywords[] = {"keywords", "news_keywords", NULL};
    static const char *const author[] = {"author",         "dc.creator",
                                         "article:author", "byl",
                                         "parsely-author", NULL};
    static const char *const language[] = {"<html lang>", "content-language",
                                           "og:locale", "dc.language", NULL};
    static const char *const date[] = {"article:published_time",
                                       "datepublished",
                                       "og:published_time",
                                       "date",
                                       "dc.date",
                                       "dcterms.date",
                                       "dcterms.created",
                                       "dc.date.issued",
                                       "pubdate",
                                       "publish-date",
                                       "publication_date",
                                       "parsely-pub-date",
                                       NULL};
    static const char *const link[] = {"<canonical>", "og:url", NULL};
    const struct page_counts *page = d->page_counts;

    d->meta.title = first_of(page, title);
    d->meta.description = first_of(page, description);
    d->meta.keywords = first_of(page, keywords);
    d->meta.author = first_of(page, author);
    d->meta.language = first_of(page, language);
    d->meta.date = first_of(page, date);
    d->meta.canonical = canonical(d, first_of(page, link));
    robots(d, self == NULL);
    return ST_OK;
}

const struct stage stage_metadata = {
    .name = "metadata",
    .needs = DOC_BLOCKS,
    .open = open_noindex,
    .run = run,
};
