/* sources_head.c -- what <meta>, <title> and <link> say: head_name.tbl.h. */
#include "candidates.h"

#include <pthread.h>

#include "base/hash.h"
#include "base/hashmap.h"
#include "canonical.h"
#include "sources_head.h"

#define SLOTS 512u

struct head_name {
    struct str name;
    enum meta_field field;
    enum meta_source source;
    uint32_t rank;
};

static const struct head_name names[] = {
#define HEAD_NAME(name, field, source, rank)                                   \
    {STR(name), META_##field, META_FROM_##source, rank},
#include "head_name.tbl.h"
#undef HEAD_NAME
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint32_t slots[SLOTS]; /* 1 + index */
static struct hashmap table;

static bool
is_named(const void *none, const void *slot, const void *name)
{
    (void)none;
    return str_eq(names[*(const uint32_t *)slot - 1].name,
                  *(const struct str *)name);
}

static const struct hashmap_kind names_kind = {
    .size = sizeof *slots, .used = hashmap_numbered, .equal = is_named};

static uint32_t *
slot_of(struct str name)
{
    return hashmap_find(&table, &names_kind, NULL, hash64(name), &name);
}

static void
build(void)
{
    hashmap_use(&table, &names_kind, slots, SLOTS);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*slot_of(names[i].name) == 0) /* the first row of a name counts */
            *slot_of(names[i].name) = i + 1;
}

void
sources_head_init(void)
{
    pthread_once(&once, build);
}

static const struct head_name *
named(struct str key)
{
    uint32_t i = *slot_of(key);

    return i != 0 ? &names[i - 1] : NULL;
}

/* "DC.Title", "dc:title", "dcterms:created" are one. */
static struct str
plain(struct arena *a, struct str key)
{
    size_t colon = str_find(key, ':', 0);
    char *copy;

    if (colon >= key.n || !str_starts(key, S("dc")))
        return key;
    copy = arena_cstr(a, key);
    copy[colon] = '.';
    return str_n(copy, key.n);
}

/* Names that sites make up: "w-published-date", "page_author". */
static const struct head_name *
guessed(struct str key)
{
    static const struct head_name published = {STR(""), META_PUBLISHED,
                                               META_FROM_META, 0},
                                  modified = {STR(""), META_MODIFIED,
                                              META_FROM_META, 5},
                                  author = {STR(""), META_AUTHOR,
                                            META_FROM_META, 0};

    if (str_has(key, S("publish")) && !str_has(key, S("publisher")))
        return str_has(key, S("by")) || str_has(key, S("mod")) ? NULL
                                                               : &published;
    if (str_has(key, S("modified")) || str_has(key, S("updated")))
        return &modified;
    if (str_has(key, S("author")) && !str_has(key, S("authori")) &&
        !str_has(key, S("url")) && !str_has(key, S("image")) &&
        !str_has(key, S("id")) && !str_has(key, S("twitter")) &&
        !str_has(key, S("bio")) && !str_has(key, S("institution")) &&
        !str_has(key, S("affiliation")) && !str_has(key, S("email")) &&
        !str_has(key, S("orcid")))
        return &author;
    return NULL;
}

static bool
is_url(struct str s)
{
    return str_starts_nocase(s, S("http:")) ||
           str_starts_nocase(s, S("https:")) || str_starts(s, S("//"));
}

struct several { /* names of authors, one <meta> for each */
    struct str names[AUTHORS_MAX];
    uint32_t n;
};

static void
add(struct guesses *c, const struct head_name *h, struct str value,
    struct several authors[META_SOURCES_N])
{
    struct guess_at at = {.source = h->source, .rank = h->rank};
    struct several *s = &authors[h->source];

    switch (h->field) {
    case META_PUBLISHED:
    case META_MODIFIED: (void)candidate_date(c, h->field, value, &at); break;
    case META_AUTHOR:
        if (s->n < AUTHORS_MAX)
            s->names[s->n++] = value;
        break;
    case META_LICENCE:
        if (is_url(value))
            (void)candidate_add(c, h->field, value, &at);
        break;
    default: (void)candidate_add(c, h->field, value, &at);
    }
}

/* twitter:label1 "Written by", twitter:data1 "Jane Doe". */
static void
labelled(struct guesses *c, struct str label, struct str value)
{
    const struct guess_at at = {.source = META_FROM_TWITTER};
    size_t behind;

    if (label.n > 3 &&
        (author_byline(label, &behind) || str_ends(label, S(" by")) ||
         str_eq_nocase(label, S("Verfasst von")) ||
         str_eq_nocase(label, S("Author"))))
        (void)candidate_author(c, value, &at);
}

static struct str
head_value(const struct page_counts *page, struct str key)
{
    for (uint32_t i = 0; i < page->heads_n; i++)
        if (str_eq(page->heads[i].key, key))
            return page->heads[i].value;
    return (struct str)STR("");
}

static void
of_header(struct guesses *c)
{
    const struct guess_at at = {.source = META_FROM_REL};
    struct str said = canonical_said(c->d);

    if (said.n > 0)
        (void)candidate_add(c, META_CANONICAL, said, &at);
}

void
sources_head(struct guesses *c)
{
    const struct page_counts *page = c->d->page_counts;
    struct several authors[META_SOURCES_N];
    struct str label = head_value(page, S("twitter:label1"));

    for (int i = 0; i < META_SOURCES_N; i++)
        authors[i].n = 0;
    for (uint32_t i = 0; i < page->heads_n; i++) {
        const struct head_entry *e = &page->heads[i];
        const struct head_name *h = named(plain(c->arena, e->key));

        if (h == NULL)
            h = guessed(e->key);
        if (h != NULL && e->value.n > 0)
            add(c, h, e->value, authors);
    }
    for (int i = 0; i < META_SOURCES_N; i++) {
        struct guess_at at = {.source = (enum meta_source)i};

        if (authors[i].n > 0)
            (void)candidate_authors(c, authors[i].names, authors[i].n, &at);
    }
    if (label.n > 0)
        labelled(c, label, head_value(page, S("twitter:data1")));
    if (head_value(page, S("<canonical>")).n == 0)
        of_header(c);
}
