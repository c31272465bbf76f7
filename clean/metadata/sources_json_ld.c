/* sources_json_ld.c -- facts from JSON-LD (schema.org).
 *
 * Every object with a type is looked at.  The main thing of the page is what
 * lies at the top, in @graph or in mainEntity, or names the page as its URL;
 * what a page lists, recommends or is commented with lies below other names and
 * counts as another thing.  Objects that are mere references (@id) are looked
 * up. */
#include "candidates.h"
#include "clean/markup/entity.h"
#include "json_tree.h"

#define TYPES_MAX 4u
#define RESOLVE_DEPTH 4

struct ld_named { /* an object with a name */
    struct str id;
    uint32_t i;
};

struct ld_reader {
    struct guesses *c;
    struct json_tree t;
    struct ld_named *named; /* the objects that references may mean */
    uint32_t named_n;
    uint32_t articles_n; /* main articles seen */
    bool matched;        /* one of them is this page by its URL */
};

static bool
listed(struct str s, const struct str *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(s, list[i]))
            return true;
    return false;
}

#define LISTED(s, list) listed(s, list, sizeof(list) / sizeof *(list))

/* Types of schema.org. */
static const struct str articles[] = {
    STR("Report"),       STR("Recipe"),      STR("HowTo"),
    STR("CreativeWork"), STR("Question"),    STR("Thesis"),
    STR("Chapter"),      STR("Review"),      STR("ReportageNews"),
    STR("Book"),         STR("VideoObject"), STR("PodcastEpisode"),
    STR("Episode"),      STR("Dataset")};
static const struct str pages[] = {
    STR("CollectionPage"), STR("ItemPage"),         STR("FAQPage"),
    STR("ProfilePage"),    STR("AboutPage"),        STR("QAPage"),
    STR("ContactPage"),    STR("SearchResultsPage")};
static const struct str sites[] = {STR("WebSite"), STR("Blog")};
static const struct str lists[] = {STR("BreadcrumbList"),
                                   STR("ItemList"),
                                   STR("ListItem"),
                                   STR("ImageObject"),
                                   STR("SearchAction"),
                                   STR("Rating"),
                                   STR("AggregateRating"),
                                   STR("Offer"),
                                   STR("PostalAddress"),
                                   STR("EntryPoint"),
                                   STR("ReadAction"),
                                   STR("Answer"),
                                   STR("HowToStep"),
                                   STR("ContactPoint"),
                                   STR("SiteNavigationElement"),
                                   STR("WPHeader"),
                                   STR("WPFooter"),
                                   STR("WPSideBar"),
                                   STR("SpeakableSpecification"),
                                   STR("PropertyValue"),
                                   STR("Brand"),
                                   STR("AggregateOffer"),
                                   STR("InteractionCounter"),
                                   STR("Country"),
                                   STR("Organization"),
                                   STR("NewsMediaOrganization"),
                                   STR("Corporation"),
                                   STR("LocalBusiness"),
                                   STR("Place")};

enum thing
thing_of_type(struct str type)
{
    size_t from = type.n;

    while (from > 0 && type.p[from - 1] != '/' && type.p[from - 1] != ':' &&
           type.p[from - 1] != '#')
        from--;
    type = str_sub(type, from, type.n);
    if (type.n == 0)
        return THING_NONE;
    if (str_eq(type, S("Comment")) || str_eq(type, S("UserComments")))
        return THING_COMMENT;
    if (str_eq(type, S("Person")))
        return THING_PERSON;
    if (LISTED(type, sites))
        return THING_SITE;
    if (LISTED(type, lists))
        return THING_LIST;
    if (str_ends(type, S("WebPage")) || LISTED(type, pages))
        return THING_PAGE;
    if (str_ends(type, S("Article")) || LISTED(type, articles) ||
        (str_ends(type, S("Posting")) && !str_eq(type, S("JobPosting"))))
        return THING_ARTICLE;
    return THING_PRODUCT;
}

static enum json_kind
kind(const struct ld_reader *r, uint32_t i)
{
    return i == JSON_TREE_NONE ? JSON_OTHER : r->t.nodes[i].kind;
}

/* The first text in a value: itself, an item of the array, @value. */
static struct str
text_of(struct ld_reader *r, uint32_t i)
{
    for (int depth = 0; depth < RESOLVE_DEPTH && i != JSON_TREE_NONE; depth++) {
        switch (kind(r, i)) {
        case JSON_ARRAY: i = r->t.nodes[i].child; break;
        case JSON_OBJECT: i = json_tree_member(&r->t, i, S("@value")); break;
        default: return json_tree_text(&r->t, i);
        }
    }
    return (struct str)STR("");
}

static struct str
member_text(struct ld_reader *r, uint32_t i, struct str name)
{
    return text_of(r, json_tree_member(&r->t, i, name));
}

/* The type of an object that says best what it is. */
static enum thing
thing_of(struct ld_reader *r, uint32_t i, struct str *type)
{
    uint32_t t = json_tree_member(&r->t, i, S("@type"));
    enum thing best;

    if (kind(r, t) == JSON_ARRAY)
        t = r->t.nodes[t].child;
    *type = json_tree_text(&r->t, t);
    best = thing_of_type(*type);
    for (uint32_t n = 1;
         n < TYPES_MAX && t != JSON_TREE_NONE && r->t.nodes[t].parent != i;
         n++) {
        struct str other;

        if ((t = r->t.nodes[t].next) == JSON_TREE_NONE)
            break;
        other = json_tree_text(&r->t, t);
        if (thing_of_type(other) == THING_ARTICLE && best != THING_ARTICLE) {
            best = THING_ARTICLE;
            *type = other;
        }
    }
    return best;
}

/* Once a page, since texts are unescaped for it. */
static void
list_named(struct ld_reader *r)
{
    r->named = arena_raw(r->c->arena, r->t.n * sizeof *r->named);
    for (uint32_t i = 0; i < r->t.n; i++) {
        struct str id;

        if (kind(r, i) != JSON_OBJECT ||
            json_tree_member(&r->t, i, S("name")) == JSON_TREE_NONE)
            continue;
        id = member_text(r, i, S("@id"));
        if (id.n > 0)
            r->named[r->named_n++] = (struct ld_named){id, i};
    }
}

/* What {"@id": "..."} refers to, if it is in the page; else i. */
static uint32_t
resolve(struct ld_reader *r, uint32_t i)
{
    struct str id;

    if (kind(r, i) != JSON_OBJECT ||
        json_tree_member(&r->t, i, S("name")) != JSON_TREE_NONE)
        return i;
    id = member_text(r, i, S("@id"));
    if (id.n == 0)
        return i;
    for (uint32_t k = 0; k < r->named_n; k++)
        if (str_eq(r->named[k].id, id))
            return r->named[k].i;
    return i;
}

/* Whether object i is part of what the page lists or is commented with. */
static bool
is_aside(const struct ld_reader *r, uint32_t i)
{
    static const struct str main[] = {STR(""), STR("@graph"), STR("mainEntity"),
                                      STR("@list"), STR("mainEntityOfPage")};

    for (; i != JSON_TREE_NONE; i = r->t.nodes[i].parent)
        if (!LISTED(r->t.nodes[i].name, main))
            return true;
    return false;
}

/* URLs without scheme, www., query and the last slash. */
static struct str
bare_url(struct str s)
{
    size_t scheme = str_find(s, ':', 0);

    if (scheme < 6)
        s = str_sub(s, scheme + 1, s.n);
    while (s.n > 0 && s.p[0] == '/')
        s = str_sub(s, 1, s.n);
    if (str_starts(s, S("www.")))
        s = str_sub(s, 4, s.n);
    s = str_sub(s, 0, str_find(s, '#', 0));
    s = str_sub(s, 0, str_find(s, '?', 0));
    return s.n > 0 && s.p[s.n - 1] == '/' ? str_sub(s, 0, s.n - 1) : s;
}

static bool
is_page_url(const struct ld_reader *r, struct str url)
{
    struct str s = bare_url(url);

    if (s.n == 0)
        return false;
    return str_eq_nocase(s, bare_url(r->c->d->url.href)) ||
           str_eq_nocase(s, bare_url(r->c->d->meta.canonical));
}

static bool
names_page(struct ld_reader *r, uint32_t i)
{
    uint32_t page = json_tree_member(&r->t, i, S("mainEntityOfPage"));

    if (is_page_url(r, member_text(r, i, S("url"))) ||
        is_page_url(r, member_text(r, i, S("@id"))))
        return true;
    if (kind(r, page) == JSON_OBJECT)
        return is_page_url(r, member_text(r, page, S("@id"))) ||
               is_page_url(r, member_text(r, page, S("url")));
    return is_page_url(r, text_of(r, page));
}

/* ---- authors ---- */

static void
author_name(struct ld_reader *r, uint32_t i, struct str *names, uint32_t *n,
            bool *person)
{
    struct str type, name;

    i = resolve(r, i);
    if (kind(r, i) == JSON_OBJECT) {
        *person |= thing_of(r, i, &type) == THING_PERSON;
        name = member_text(r, i, S("name"));
        if (name.n == 0) {
            struct str given = member_text(r, i, S("givenName"));
            struct str family = member_text(r, i, S("familyName"));

            if (given.n + family.n > 0)
                name = arena_printf(r->c->arena, "%.*s %.*s", STRF(given),
                                    STRF(family));
        }
    } else {
        name = text_of(r, i);
    }
    if (name.n > 0 && *n < AUTHORS_MAX)
        names[(*n)++] = name;
}

static void
authors(struct ld_reader *r, uint32_t object, struct str key,
        struct guess_at at)
{
    uint32_t i = json_tree_member(&r->t, object, key), n = 0;
    struct str names[AUTHORS_MAX];
    bool person = false;

    if (i == JSON_TREE_NONE)
        return;
    if (kind(r, i) == JSON_ARRAY)
        for (i = r->t.nodes[i].child; i != JSON_TREE_NONE;
             i = r->t.nodes[i].next)
            author_name(r, i, names, &n, &person);
    else
        author_name(r, i, names, &n, &person);
    at.person = person;
    if (n > 0)
        (void)candidate_authors(r->c, names, n, &at);
}

/* ---- facts of one object ---- */

static void
named_site(struct ld_reader *r, uint32_t i, uint32_t rank)
{
    const struct guess_at at = {.source = META_FROM_JSON_LD, .rank = rank};
    struct str name = member_text(r, resolve(r, i), S("name"));

    if (name.n > 0 && name.n <= 100)
        (void)candidate_add(r->c, META_SITE, name, &at);
}

/* "a" or ["a", "b"] as one text. */
static struct str
joined(struct ld_reader *r, uint32_t i)
{
    struct buf out = {.arena = r->c->arena};

    if (kind(r, i) != JSON_ARRAY)
        return text_of(r, i);
    for (i = r->t.nodes[i].child; i != JSON_TREE_NONE && out.n < 2000;
         i = r->t.nodes[i].next) {
        struct str s = json_tree_text(&r->t, i);

        if (s.n == 0)
            continue;
        buf_c(&out, out.n > 0 ? ", " : "");
        buf_str(&out, s);
    }
    return buf_keep(&out);
}

static struct str
url_of(struct ld_reader *r, uint32_t i)
{
    if (kind(r, i) == JSON_ARRAY)
        i = r->t.nodes[i].child;
    i = kind(r, i) == JSON_OBJECT &&
                json_tree_member(&r->t, i, S("url")) == JSON_TREE_NONE
            ? resolve(r, i)
            : i;
    if (kind(r, i) == JSON_OBJECT) {
        struct str url = member_text(r, i, S("url"));

        return url.n > 0 ? url : member_text(r, i, S("@id"));
    }
    return text_of(r, i);
}

static void
plain_facts(struct ld_reader *r, uint32_t i, struct guess_at at)
{
    static const struct {
        enum meta_field field;
        struct str name;
        uint32_t rank;
    } facts[] = {{META_DESCRIPTION, STR("description"), 2},
                 {META_KEYWORDS, STR("keywords"), 2},
                 {META_SECTION, STR("articleSection"), 1},
                 {META_LANGUAGE, STR("inLanguage"), 4}};
    struct json_tree *t = &r->t;

    for (size_t f = 0; f < sizeof facts / sizeof *facts; f++) {
        at.rank = facts[f].rank;
        (void)candidate_add(r->c, facts[f].field,
                            joined(r, json_tree_member(t, i, facts[f].name)),
                            &at);
    }
    at.rank = 1;
    (void)candidate_add(r->c, META_IMAGE,
                        url_of(r, json_tree_member(t, i, S("image"))), &at);
    (void)candidate_add(r->c, META_LICENCE,
                        url_of(r, json_tree_member(t, i, S("license"))), &at);
    at.rank = 0;
    (void)candidate_date(r->c, META_MODIFIED,
                         member_text(r, i, S("dateModified")), &at);
    named_site(r, json_tree_member(t, i, S("publisher")), 4);
}

static void
main_facts(struct ld_reader *r, uint32_t i, const struct guess_at *at)
{
    static const struct str dates[] = {STR("datePublished"), STR("uploadDate"),
                                       STR("dateCreated"), STR("datePosted")};
    struct str title = member_text(r, i, S("headline"));

    if (title.n == 0)
        title = member_text(r, i, S("name"));
    (void)candidate_add(r->c, META_TITLE, title, at);
    (void)candidate_add(r->c, META_TITLE,
                        member_text(r, i, S("alternativeHeadline")),
                        &(struct guess_at){.source = META_FROM_JSON_LD_OTHER,
                                           .thing = at->thing});
    for (size_t k = 0; k < sizeof dates / sizeof *dates; k++) {
        struct str date = member_text(r, i, dates[k]);

        if (date.n == 0)
            continue;
        (void)candidate_date(r->c, META_PUBLISHED, date, at);
        break;
    }
    authors(r, i, S("author"), *at);
    if (json_tree_member(&r->t, i, S("author")) == JSON_TREE_NONE)
        authors(r, i, S("creator"), *at);
}

static void
object(struct ld_reader *r, uint32_t i)
{
    struct str type;
    enum thing thing = thing_of(r, i, &type);
    struct guess_at at = {.source = META_FROM_JSON_LD, .thing = thing};
    bool aside, named;

    if (thing == THING_SITE && str_ends(type, S("WebSite")))
        named_site(r, i, 1);
    if (thing != THING_ARTICLE && thing != THING_PAGE && thing != THING_PRODUCT)
        return;
    named = names_page(r, i);
    aside = is_aside(r, i) && !named;
    if (thing == THING_ARTICLE && !aside) {
        if (r->articles_n++ > 0 && !named)
            aside = true;
        r->matched |= named;
    }
    if (aside)
        at.source = META_FROM_JSON_LD_OTHER;
    main_facts(r, i, &at);
    if (aside)
        return;
    plain_facts(r, i, at);
    at.rank = thing == THING_ARTICLE ? 0 : 2;
    (void)candidate_add(r->c, META_TYPE, type, &at);
    if (r->c->page < thing)
        r->c->page = thing;
}

/* Of a template that encodes all it writes: {&quot;@type&quot;: ... */
static struct str
decoded(struct arena *a, struct str json)
{
    struct buf out = {.arena = a};

    if (str_find(json, '"', 0) < json.n || !str_has(json, S("&quot;")) ||
        entity_decode_all(&out, json) == 0)
        return json;
    return buf_keep(&out);
}

void
sources_json_ld(struct guesses *c)
{
    const struct page_counts *page = c->d->page_counts;
    struct ld_reader r = {.c = c, .t = {.arena = c->arena}};

    for (uint32_t i = 0; i < page->json_ld_n; i++)
        json_tree_read(&r.t, decoded(c->arena, page->json_ld[i]));
    list_named(&r);
    for (uint32_t i = 0; i < r.t.n; i++)
        if (r.t.nodes[i].kind == JSON_OBJECT &&
            json_tree_member(&r.t, i, S("@type")) != JSON_TREE_NONE)
            object(&r, i);
    c->thing_list = r.articles_n > 3 && !r.matched;
}
