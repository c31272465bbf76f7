/* test_metadata_sources.c -- the readers behind the metadata: JSON with faults,
 * dates in several languages, names of authors; and where a document's values
 * come from. */
#include "test.h"

#include "clean/metadata/author_text.h"
#include "clean/metadata/date_text.h"
#include "clean/metadata/json_tree.h"
#include "clean/metadata/metadata.h"
#include "clean/metadata/model.h"
#include "strip_page.h"

/* ---- JSON ---- */

static struct str
json_at(struct arena *a, const char *text, const char *name)
{
    struct json_tree t = {.arena = a};

    json_tree_read(&t, str_c(text));
    for (uint32_t i = 0; i < t.n; i++)
        if (str_eq(t.nodes[i].name, str_c(name)))
            return json_tree_text(&t, i);
    return S("(none)");
}

static void
json_with_faults_is_read(void)
{
    static const struct {
        const char *text, *name, *value;
    } rows[] = {
        {"{\"a\": \"b\"}", "a", "b"},
        {"<!-- //<![CDATA[\n{\"a\":\"b\",}\n//]]> -->", "a", "b"},
        {"/* x */ [{\"z\":1},{\"a\":\"\\u00e9\\ud83d\\ude00\"}]", "a", "é😀"},
        {"{\"a\":\"he said \"hi\" twice\",\"c\":1}", "a",
         "he said \"hi\" twice"},
        {"{\"a\":\"x\ny\",\"c\":1}", "a", "x\ny"},
        {"{\"x\":\"1\"\n\"a\":\"b\"}", "a", "b"},
        {"{\"x\":1}{\"a\":\"b\"}", "a", "b"},
        {"{a:'b'}", "a", "b"},
        {"{\"a\":\"\\q \\u12 &amp;amp; c\"}", "a", "q u12 & c"},
        {"{\"x\":[1,2,{\"a\":\"b\"", "a", "b"},
        {"{\"a\":12.5}", "a", "12.5"},
    };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str got = json_at(a, rows[i].text, rows[i].name);

        CHECK(str_eq(got, str_c(rows[i].value)));
        if (!str_eq(got, str_c(rows[i].value)))
            fprintf(stderr, "%s: %.*s\n", rows[i].text, STRF(got));
    }
    arena_free(a);
}

/* ---- dates ---- */

static void
dates_are_read_in_their_languages(void)
{
    static const struct {
        const char *text, *iso;
    } rows[] = {
        {"2024-03-17", "2024-03-17"},
        {"2024-03-17T10:00:00+01:00", "2024-03-17T10:00:00+01:00"},
        {"2024-03-17 22:30:05Z", "2024-03-17T22:30:05Z"},
        {"20240317", "2024-03-17"},
        {"1710633600", "2024-03-17T00:00:00Z"},
        {"Sun, 17 Mar 2024 10:00:00 +0100", "2024-03-17T10:00:00+01:00"},
        {"Sun, 17 Mar 2024 10:00:00 GMT", "2024-03-17T10:00:00Z"},
        {"March 17, 2024", "2024-03-17"},
        {"Mar. 17th, 2024 at 9:05 PM", "2024-03-17T21:05:00"},
        {"Aug. 28, 2021, 3:22 p.m.", "2021-08-28T15:22:00"},
        {"Aug. 28, 2021, 12:22 a.m.", "2021-08-28T00:22:00"},
        {"17. März 2024", "2024-03-17"},
        {"17 maart 2024", "2024-03-17"},
        {"17 mars 2024", "2024-03-17"},
        {"17 de marzo de 2024", "2024-03-17"},
        {"17 marzo 2024", "2024-03-17"},
        {"17 de março de 2024", "2024-03-17"},
        {"17 marca 2024", "2024-03-17"},
        {"17 марта 2024", "2024-03-17"},
        {"2024. március 17.", "2024-03-17"},
        {"2024年3月17日", "2024-03-17"},
        {"17.03.2024", "2024-03-17"},
        {"17/3/2024", "2024-03-17"},
        {"3/4/2024", "2024-04-03"},
        {"30 February 2024", ""},
        {"2024-02-29", "2024-02-29"},
        {"2023-02-29", ""},
        {"March 2024", ""},
        {"2024", ""},
        {"version 1.2.24", ""},
        {"3 days ago", ""},
    };
    const struct date_reading how = {0};
    struct arena *a = arena_new();

    date_names_init();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct day_time t;
        struct str got = date_value(&t, str_c(rows[i].text), &how)
                             ? date_text(a, &t)
                             : S("");

        CHECK(str_eq(got, str_c(rows[i].iso)));
        if (!str_eq(got, str_c(rows[i].iso)))
            fprintf(stderr, "%s: %.*s\n", rows[i].text, STRF(got));
    }
    arena_free(a);
}

static void
what_is_ambiguous_or_relative_is_told(void)
{
    const struct date_reading american = {true, 0};
    const struct date_reading fetched = {false, UINT64_C(1710633600000)};
    struct day_time t;

    date_names_init();
    CHECK(date_value(&t, S("3/4/2024"), &american) && t.month == 3);
    CHECK(date_value(&t, S("3 days ago"), &fetched) && t.month == 3 &&
          t.day == 14);
    CHECK(date_value(&t, S("vor 3 Tagen"), &fetched) && t.day == 14);
    CHECK(date_value(&t, S("gisteren"), &fetched) && t.day == 16);
    CHECK(date_of_path(&t, S("/2024/03/17/storm")) && t.day == 17);
    CHECK(!date_of_path(&t, S("/2024/13/17/storm")));
}

/* ---- authors ---- */

static void
authors_are(const char *text, bool running, const char *wanted)
{
    struct str names[4];
    uint32_t n = author_names(str_c(text), running, names, 4);
    char got[400] = "";

    for (uint32_t i = 0; i < n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s",
                 i > 0 ? "|" : "", STRF(names[i]));
    CHECK(strcmp(got, wanted) == 0);
    if (strcmp(got, wanted) != 0)
        fprintf(stderr, "%s: %s\n", text, got);
}

static void
authors_are_names(void)
{
    date_names_init();
    authors_are("By Jane Doe", true, "Jane Doe");
    authors_are("Von Anna Weiß und Max Roth", true, "Anna Weiß|Max Roth");
    authors_are("Jane Doe, MD, PhD, John Roe", false,
                "Jane Doe, MD, PhD|John Roe");
    authors_are("Written by Jane Doe | The Daily", true, "Jane Doe");
    authors_are("By Jane Doe on March 17, 2024", true, "Jane Doe");
    authors_are("Center for Drug Evaluation and Research", false,
                "Center for Drug Evaluation and Research");
    authors_are("This post was written by Jane Doe", true, "Jane Doe");
    authors_are("ByJane Doe", true, "Jane Doe");
    authors_are("Byron Doe", true, "Byron Doe");
    authors_are("Post by Jane Doe » Sat", true, "Jane Doe");
    authors_are("Sat", true, "");
    authors_are("Posts: 4032", true, "");
    authors_are("Author: Jane Doe", true, "Jane Doe");
    authors_are("Reported by Jane Doe", true, "Jane Doe");
    authors_are("Jane Doe <jane@a.example>, John Roe <j@a.example>", false,
                "Jane Doe|John Roe");
    authors_are("<jane@a.example>", false, "");
    authors_are("admin", false, "");
    authors_are("jane@example.org", false, "");
    authors_are("https://example.org/jane", false, "");
}

/* ---- pages ---- */

static struct page page;

static struct str
value_of(enum meta_field field, enum meta_source source)
{
    for (uint32_t i = 0; i < page.d.meta.candidates_n; i++) {
        const struct meta_candidate *c = &page.d.meta.candidates[i];

        if (c->field == field && c->sources >> source & 1)
            return c->value;
    }
    return S("(none)");
}

static void
read_it(const char *html)
{
    void *none;

    CHECK(stage_metadata.open(&none, NULL) == ST_OK);
    page_read(&page, str_c(html), "https://www.daily.example/a/storm");
    CHECK(stage_metadata.run(NULL, &page.d) == ST_OK);
}

static void
every_source_is_read(void)
{
    read_it(
        "<title>Storm hits coast | The Daily</title>"
        "<meta property=og:site_name content='The Daily'>"
        "<meta name=citation_author content='Anna Roth'>"
        "<link rel=license href=https://creativecommons.org/licenses/by/4.0/>"
        "<script type=application/ld+json>{\"@graph\":[{\"@type\":"
        "[\"NewsArticle\"],\"headline\":\"Storm hits coast\",\"author\":"
        "[{\"@id\":\"#p\"},\"John Roe\",],\"datePublished\":"
        "\"2024-03-17T23:30:00-05:00\",\"articleSection\":\"Weather\"},"
        "{\"@id\":\"#p\",\"@type\":\"Person\",\"name\":\"Jane Doe\"}]}"
        "</script>"
        "<body><h1>Storm hits coast</h1>"
        "<div itemscope itemtype=http://schema.org/Article>"
        "<span itemprop=author>Max Berg</span></div>"
        "<div itemscope itemtype=http://schema.org/Comment>"
        "<span itemprop=author>Some Reader</span></div>"
        "<a rel=author href=/x>Ida Lund</a>"
        "<p>By Tom Hill</p><time datetime=2024-03-18>Monday</time>");
    CHECK(str_eq(page.d.meta.title, S("Storm hits coast")));
    CHECK(str_eq(page.d.meta.site, S("The Daily")));
    CHECK(str_eq(page.d.meta.section, S("Weather")));
    CHECK(str_eq(page.d.meta.licence,
                 S("https://creativecommons.org/licenses/by/4.0/")));
    CHECK(str_eq(value_of(META_AUTHOR, META_FROM_JSON_LD),
                 S("Jane Doe, John Roe")));
    CHECK(str_eq(value_of(META_AUTHOR, META_FROM_CITATION), S("Anna Roth")));
    CHECK(str_eq(value_of(META_AUTHOR, META_FROM_MICRODATA), S("Max Berg")));
    CHECK(str_eq(value_of(META_AUTHOR, META_FROM_REL), S("Ida Lund")));
    CHECK(str_eq(value_of(META_AUTHOR, META_FROM_BYLINE), S("Tom Hill")));
    CHECK(str_eq(value_of(META_PUBLISHED, META_FROM_JSON_LD),
                 S("2024-03-17T23:30:00-05:00")));
    CHECK(str_eq(value_of(META_PUBLISHED, META_FROM_TIME), S("2024-03-18")));
    page_end(&page);
}

static bool
is_candidate(enum meta_field field, enum meta_source source, const char *value)
{
    for (uint32_t i = 0; i < page.d.meta.candidates_n; i++) {
        const struct meta_candidate *c = &page.d.meta.candidates[i];

        if (c->field == field && c->sources >> source & 1 &&
            str_eq(c->value, str_c(value)))
            return true;
    }
    return false;
}

#define LINES20                                                                \
    "<p>one<p>two<p>three<p>four<p>five<p>six<p>seven<p>eight<p>nine<p>ten"    \
    "<p>one<p>two<p>three<p>four<p>five<p>six<p>seven<p>eight<p>nine<p>ten"

/* Where no heading says the title the text that does is one; dates that say
 * what they are count anywhere. */
static void
dates_far_from_a_heading_are_found(void)
{
    read_it("<meta property=og:title content='The Storm'><body>" LINES20
            "<div>The storm</div><p>by hand, 4 May 2023" LINES20
            "<p>Published: 29 October 2024<p>in the year 3/4/2021 it was "
            "not so<p>17 June 2022");
    CHECK(is_candidate(META_PUBLISHED, META_FROM_TEXT, "2023-05-04"));
    CHECK(is_candidate(META_PUBLISHED, META_FROM_TEXT, "2024-10-29"));
    CHECK(is_candidate(META_PUBLISHED, META_FROM_TEXT, "2022-06-17"));
    CHECK(!is_candidate(META_PUBLISHED, META_FROM_TEXT, "2021-03-04"));
    page_end(&page);
}

/* An opening alone in its block, a name with what its bearer is below it, a
 * name beside the date, one name twice, those who answered. */
static void
authors_in_several_blocks_are_found(void)
{
    read_it("<body><h1>Storm</h1><div>Written by:</div><div>Jane Doe</div>"
            "<div class=author><p>John Roe</p><p>Marketing Manager</p></div>"
            "<p>Max Berg<p>4 May 2023<p>The text.");
    CHECK(is_candidate(META_AUTHOR, META_FROM_BYLINE, "Jane Doe"));
    CHECK(is_candidate(META_AUTHOR, META_FROM_CLASS, "John Roe"));
    CHECK(is_candidate(META_AUTHOR, META_FROM_TEXT, "Max Berg"));
    page_end(&page);
    read_it("<meta name=author content='Jane Doe'>"
            "<meta name=author content='jane doe'>"
            "<meta name=author content='John Roe'>"
            "<body itemscope itemtype=https://schema.org/Question>"
            "<p><a class='username x'>pelex</a>"
            "<p itemprop=suggestedAnswer itemscope "
            "itemtype=https://schema.org/Answer><i itemprop=author>Max Berg</i>"
            "<p><i itemprop=author>Ida Lund</i>");
    CHECK(is_candidate(META_AUTHOR, META_FROM_META, "Jane Doe, John Roe"));
    CHECK(is_candidate(META_AUTHOR, META_FROM_CLASS, "pelex"));
    CHECK(is_candidate(META_AUTHOR, META_FROM_MICRODATA, "Ida Lund"));
    page_end(&page);
}

/* Two names keep their word between them, longer lists have commas. */
static void
authors_are_a_list(void)
{
    read_it("<meta name=author content='Jane Doe, John Roe und Max Berg'>"
            "<meta name=twitter:label1 content='Interview by'>"
            "<meta name=twitter:data1 content='Anna Roth and Ida Lund'>"
            "<meta name=citation_author_institution content='Coast College'>"
            "<body><h1>Storm</h1>");
    CHECK(is_candidate(META_AUTHOR, META_FROM_META,
                       "Jane Doe, John Roe, Max Berg"));
    CHECK(
        is_candidate(META_AUTHOR, META_FROM_TWITTER, "Anna Roth and Ida Lund"));
    CHECK(!is_candidate(META_AUTHOR, META_FROM_META, "Coast College"));
    page_end(&page);
}

static void
authors_stand_beside_dates(void)
{
    read_it("<body><h1>Storm</h1><p>4 May 2023 · Jane Doe<p>Tom Hill | Senior "
            "Writer | 4 May 2023<p>4 May 2023 by Max Berg in News"
            "<p>Last Updated 4 May 2023 · 3 Comments");
    CHECK(is_candidate(META_AUTHOR, META_FROM_TEXT, "Jane Doe"));
    CHECK(is_candidate(META_AUTHOR, META_FROM_TEXT, "Tom Hill"));
    CHECK(is_candidate(META_AUTHOR, META_FROM_BYLINE, "Max Berg"));
    CHECK(!is_candidate(META_AUTHOR, META_FROM_TEXT, "Last Updated"));
    CHECK(!is_candidate(META_AUTHOR, META_FROM_TEXT, "3 Comments"));
    page_end(&page);
}

/* "By" begins many a line; who wrote the page stands far from its heading where
 * nobody is named before. */
static void
authors_far_from_the_heading_are_found(void)
{
#define FAR_OFF                                                                \
    LINES20 "<p>By Tom Hill<p>Written by Jane Doe<p>Author<p>Max Berg"
    read_it("<body><h1>Storm</h1>" FAR_OFF);
    CHECK(is_candidate(META_AUTHOR, META_FROM_BYLINE, "Jane Doe"));
    CHECK(is_candidate(META_AUTHOR, META_FROM_BYLINE, "Max Berg"));
    CHECK(!is_candidate(META_AUTHOR, META_FROM_BYLINE, "Tom Hill"));
    page_end(&page);
    read_it(
        "<meta name=author content='Ida Lund'><body><h1>Storm</h1>" FAR_OFF);
    CHECK(!is_candidate(META_AUTHOR, META_FROM_BYLINE, "Jane Doe"));
    page_end(&page);
}

/* What the model knows of the author `value`. */
static void
author_row(float row[META_FEATURES_N], struct guesses *c,
           const struct page_facts *facts, const char *value)
{
    uint32_t i = 0;

    while (i < c->n[META_AUTHOR] &&
           !str_eq(c->of[META_AUTHOR][i].value, str_c(value)))
        i++;
    CHECK(i < c->n[META_AUTHOR]);
    if (i < c->n[META_AUTHOR])
        meta_features(row, c, facts, META_AUTHOR, i);
}

static void
one_of_several_authors_is_known_as_such(void)
{
#define HAS(id) row[META_FEATURE_##id]
    float row[META_FEATURES_N] = {0};
    struct page_facts facts;
    struct guesses c;
    uint32_t heading_i;

    page_read(&page,
              S("<meta name=author content='Jane Doe'>"
                "<body><h1>Storm</h1><p>By Jane Doe and John Roe"
                "<div class=author>Max Berg</div><p>Text."),
              "https://www.daily.example/a/storm");
    metadata_collect(&c, &page.d, &heading_i);
    page_facts(&facts, &c, heading_i);
    author_row(row, &c, &facts, "Jane Doe");
    CHECK(HAS(WIDER) == 1 && HAS(NARROWER) == 0);
    author_row(row, &c, &facts, "Jane Doe and John Roe");
    CHECK(HAS(WIDER) == 0 && HAS(NARROWER) == 1);
    author_row(row, &c, &facts, "Max Berg");
    CHECK(HAS(WIDER) == 0 && HAS(NARROWER) == 0);
    page_end(&page);
}

static void
links_to_licences_count_at_the_foot(void)
{
#define LICENCE "<a href=https://creativecommons.org/licenses/by/4.0/>CC BY</a>"
    read_it("<body><h1>Storm</h1><p>Text.<footer>" LICENCE "</footer>");
    CHECK(str_eq(page.d.meta.licence,
                 S("https://creativecommons.org/licenses/by/4.0/")));
    page_end(&page);
    read_it("<body><h1>Storm</h1><p>A picture, " LICENCE LINES20 "<p>Text.");
    CHECK(page.d.meta.licence.n == 0);
    page_end(&page);
    read_it("<body><h1>Storm</h1><p>Text.<footer>" LICENCE
            "<a href=https://creativecommons.org/licenses/by-sa/4.0/>2</a>");
    CHECK(page.d.meta.licence.n == 0);
    page_end(&page);
}

static void
json_ld_may_be_encoded_as_text(void)
{
    read_it("<script type=application/ld+json>{&quot;@type&quot;:"
            "&quot;Article&quot;,&quot;headline&quot;:&quot;Storm &amp;amp; "
            "Sea&quot;,&quot;datePublished&quot;:&quot;2024-05-04&quot;}"
            "</script><body><p>Text.");
    CHECK(is_candidate(META_PUBLISHED, META_FROM_JSON_LD, "2024-05-04"));
    CHECK(is_candidate(META_TITLE, META_FROM_JSON_LD, "Storm & Sea"));
    page_end(&page);
}

/* A date near no heading, on a page without one, in text alone. */
static void
a_date_is_as_sure_as_is_asked_for(void)
{
    static const char *const words[] = {"sure", "likely", "any"};
    bool found[3];

    for (size_t i = 0; i < 3; i++) {
        struct opts o = {.clean_find_title = STR("find"),
                         .clean_noindex = true};
        void *self;

        o.clean_dates = str_c(words[i]);
        CHECK(stage_metadata.open(&self, &o) == ST_OK);
        page_read(&page,
                  S("<title>Shop</title><body>" LINES20
                    "<ul><li><a href=/a>4 May 2023</a></ul>"),
                  "https://www.daily.example/shop/");
        CHECK(stage_metadata.run(self, &page.d) == ST_OK);
        found[i] = page.d.meta.date.n > 0;
        stage_metadata.close(self);
        page_end(&page);
    }
    CHECK(!found[0] && !found[1] && found[2]);
    CHECK(meta_model_date(DATES_SURE) > meta_model_date(DATES_LIKELY));
    CHECK(meta_model_date(DATES_LIKELY) > meta_model_date(DATES_ANY));
}

static float
confidence_of(const char *value)
{
    for (uint32_t i = 0; i < page.d.meta.candidates_n; i++)
        if (page.d.meta.candidates[i].field == META_PUBLISHED &&
            str_eq(page.d.meta.candidates[i].value, str_c(value)))
            return page.d.meta.candidates[i].confidence;
    return -1;
}

static void
the_extremes_of_dates_are_kept(void)
{
    float row[META_FEATURES_N] = {[0] = -2, [1] = 5}, of[META_EXTREMES_N];

    meta_extremes(of, row, true);
    CHECK(of[0] == -2 && of[META_FEATURES_N] == -2);
    CHECK(of[1] == 5 && of[META_FEATURES_N + 1] == 5);
    row[0] = 3;
    row[1] = 4;
    meta_extremes(of, row, false);
    CHECK(of[0] == 3 && of[META_FEATURES_N] == -2);
    CHECK(of[1] == 5 && of[META_FEATURES_N + 1] == 4);
    meta_extremes(of, row, true); /* the next page */
    CHECK(of[META_FEATURES_N] == 3 && of[1] == 4);
    CHECK(meta_date_confidence(0, 0) == 0);
    CHECK(meta_date_confidence(0, 1) == 0 && meta_date_confidence(1, 0) == 1);
    CHECK(meta_date_confidence(0.6f, 0.2f) > 0.74f);
    CHECK(meta_date_confidence(0.6f, 0.2f) < 0.76f);
}

/* The same date in the same place, of an article and of a list of articles. */
static void
a_page_of_many_dates_has_none(void)
{
    float of_article, of_list;

#define DATED "<h1>Storm</h1><p class=date>4 May 2023</p>"
#define TEASER(day)                                                            \
    "<ul><li><a href=/" day ">Storm " day "</a> <time datetime=2023-04-" day   \
    ">" day " April 2023</time></ul>"
    read_it("<title>Storm</title><meta property=og:type content=article>"
            "<body>" DATED
            "<p class=byline>By <a rel=author href=/j>Jane Doe</a><p>The storm "
            "broke over the coast at night, and what it left of the harbour was"
            " seen in the morning by those who had slept in the hills.");
    of_article = confidence_of("2023-05-04");
    CHECK(str_eq(page.d.meta.date, S("2023-05-04")));
    page_end(&page);
    read_it("<title>Shop</title><body>" DATED TEASER("01") TEASER("02")
                TEASER("03") TEASER("04") TEASER("05") TEASER("06"));
    of_list = confidence_of("2023-05-04");
    CHECK(page.d.meta.date.n == 0);
    page_end(&page);
    CHECK(of_list > 0 && of_list < of_article);
}

static bool
author_is_found(void)
{
    const struct meta *m = &page.d.meta;

    for (uint32_t i = 0; i < m->candidates_n; i++)
        if (m->candidates[i].field == META_AUTHOR &&
            str_eq(m->candidates[i].value, S("Jane Doe")))
            return true;
    return false;
}

/* "Author" names who stands behind it, but not the head of the next column. */
static void
the_head_of_a_column_is_no_author(void)
{
#define LOG(cell)                                                              \
    "<title>Log</title><h1>Log</h1><table><tr><th>Message<th>Author<" cell     \
    ">Jane Doe<tr><td>Storm<td>x<td>2 days</table>"
    read_it(LOG("td"));
    CHECK(author_is_found());
    page_end(&page);
    read_it(LOG("th"));
    CHECK(!author_is_found());
    page_end(&page);
}

static void
a_server_says_when_in_utc(void)
{
    page_read(&page, S("<body><h1>Storm</h1><p>text"),
              "https://www.daily.example/a/storm");
    page.d.origin.last_modified = S("Fri, 31 May 2024 10:00:00 GMT");
    CHECK(stage_metadata.run(NULL, &page.d) == ST_OK);
    CHECK(str_eq(page.d.meta.modified, S("2024-05-31T10:00:00Z")));
    page_end(&page);
}

static void
a_sitemap_knows_better_than_the_server(void)
{
    page_read(&page, S("<body><h1>Storm</h1><p>text"),
              "https://www.daily.example/a/storm");
    page.d.origin.last_modified = S("Fri, 31 May 2024 10:00:00 GMT");
    page.d.origin.sitemap_ms = 1700000000000;
    CHECK(stage_metadata.run(NULL, &page.d) == ST_OK);
    CHECK(str_eq(page.d.meta.modified, S("2023-11-14T22:13:20Z")));
    CHECK(str_eq(value_of(META_MODIFIED, META_FROM_SITEMAP),
                 S("2023-11-14T22:13:20Z")));
    page_end(&page);
    page_read(&page,
              S("<meta property=article:modified_time content=2024-01-02>"
                "<body><h1>Storm</h1><p>text"),
              "https://www.daily.example/a/storm");
    page.d.origin.sitemap_ms = 1700000000000;
    CHECK(stage_metadata.run(NULL, &page.d) == ST_OK);
    CHECK(str_eq(page.d.meta.modified, S("2024-01-02")));
    page_end(&page);
}

static void
no_date_is_in_the_future(void)
{
    read_it("<meta property=article:published_time content=2199-01-01>"
            "<meta property=article:modified_time content=2024-01-02>"
            "<body><h1>Storm</h1><p>text");
    CHECK(page.d.meta.date.n == 0);
    CHECK(str_eq(value_of(META_PUBLISHED, META_FROM_OPEN_GRAPH), S("(none)")));
    CHECK(str_eq(page.d.meta.modified, S("2024-01-02")));
    page_end(&page);
}

/* The date in the block behind `before` says that it is of publication, and
 * so does a change where the label says so. */
static void
a_date_may_have_its_label_in_the_block_before(void)
{
    CHECK(date_context(S("Published on")) == DATE_PUBLISHED);
    CHECK(date_context(S("Last updated:")) == DATE_UPDATED);
    CHECK(date_context(S("By hand")) == 0);
    read_it("<body><h1>Storm</h1><p>Last updated<p>17 June 2022");
    CHECK(is_candidate(META_MODIFIED, META_FROM_TEXT, "2022-06-17"));
    page_end(&page);
    read_it("<body><h1>Storm</h1><p>A coast<p>17 June 2022");
    CHECK(!is_candidate(META_MODIFIED, META_FROM_TEXT, "2022-06-17"));
    page_end(&page);
}

/* 09.10.2024 is in October, where nothing else is known of it. */
static void
what_machines_read_says_which_number_is_the_month(void)
{
    read_it("<meta property=article:published_time content=2024-09-10>"
            "<body><h1>Storm</h1><p>09.10.2024<p>08.10.2024");
    CHECK(is_candidate(META_PUBLISHED, META_FROM_TEXT, "2024-09-10"));
    CHECK(is_candidate(META_PUBLISHED, META_FROM_TEXT, "2024-10-08"));
    CHECK(!is_candidate(META_PUBLISHED, META_FROM_TEXT, "2024-10-09"));
    page_end(&page);
    read_it("<meta property=article:published_time content=2024-10-09>"
            "<meta property=article:modified_time content=2024-09-10>"
            "<body><h1>Storm</h1><p>09.10.2024");
    CHECK(is_candidate(META_PUBLISHED, META_FROM_TEXT, "2024-10-09"));
    page_end(&page);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(json_with_faults_is_read),
        TEST(dates_are_read_in_their_languages),
        TEST(what_is_ambiguous_or_relative_is_told),
        TEST(authors_are_names),
        TEST(every_source_is_read),
        TEST(dates_far_from_a_heading_are_found),
        TEST(authors_in_several_blocks_are_found),
        TEST(authors_are_a_list),
        TEST(authors_stand_beside_dates),
        TEST(authors_far_from_the_heading_are_found),
        TEST(one_of_several_authors_is_known_as_such),
        TEST(links_to_licences_count_at_the_foot),
        TEST(json_ld_may_be_encoded_as_text),
        TEST(a_date_is_as_sure_as_is_asked_for),
        TEST(the_extremes_of_dates_are_kept),
        TEST(a_page_of_many_dates_has_none),
        TEST(the_head_of_a_column_is_no_author),
        TEST(a_server_says_when_in_utc),
        TEST(a_sitemap_knows_better_than_the_server),
        TEST(no_date_is_in_the_future),
        TEST(a_date_may_have_its_label_in_the_block_before),
        TEST(what_machines_read_says_which_number_is_the_month),
        {0}};

    return test_main(tests, argc, argv);
}
