/* test_metadata.c -- what the head says, and robots directives. */
#include "clean/charset/utf8.h"
#include "test.h"

#include "strip_page.h"

/* Whether a field has a candidate of that source and value. */
static bool
candidate_is(const struct document *d, enum meta_field field,
             enum meta_source source, const char *value)
{
    for (uint32_t i = 0; i < d->meta.candidates_n; i++) {
        const struct meta_candidate *c = &d->meta.candidates[i];

        if (c->field == field && c->sources >> source & 1 &&
            str_eq(c->value, str_c(value)))
            return true;
    }
    return false;
}

static void
fields_are_found(void)
{
    struct page p;

    page_read(&p,
              S("<html lang=de-AT><head><title> A &amp; B\n </title>"
                "<meta name=Description content='short  text'>"
                "<meta property=og:description content=second>"
                "<meta name=keywords content='a, b'>"
                "<meta name=author content=''>"
                "<meta name=DC.creator content='Jane Miller'>"
                "<meta property=article:published_time content=2020-01-02>"
                "<link rel='alternate canonical' href='../c?x=1#y'>"
                "<body><title>not this</title>"),
              "http://example.org/a/b");
    stage_metadata.run(NULL, &p.d);
    CHECK(str_eq(p.d.meta.title, S("A & B")));
    CHECK(str_eq(p.d.meta.description, S("short text")));
    CHECK(str_eq(p.d.meta.keywords, S("a, b")));
    CHECK(
        candidate_is(&p.d, META_AUTHOR, META_FROM_DUBLIN_CORE, "Jane Miller"));
    CHECK(str_eq(p.d.meta.language, S("de-AT")));
    CHECK(str_eq(p.d.meta.date, S("2020-01-02")));
    CHECK(str_eq(p.d.meta.canonical, S("http://example.org/c?x=1")));
    CHECK(!p.d.meta.noindex && !p.d.meta.nofollow);
    page_end(&p);
}

static void
page_says_canonical(struct page *p, const char *html, const char *headers)
{
    page_read(p, str_c(html), "http://www.example.org/a/b?p=2");
    p->d.origin.headers = str_c(headers);
    stage_metadata.run(NULL, &p->d);
}

static void
another_page_of_the_site_may_be_canonical(void)
{
    static const struct {
        const char *html, *headers, *canonical, *other;
    } cases[] = {
        {"<link rel=canonical href=/a/b>", "", "http://www.example.org/a/b",
         "http://www.example.org/a/b"},
        {"<link rel=canonical href=https://example.org/a/b?p=2>", "",
         "https://example.org/a/b?p=2", ""},
        {"<link rel=canonical href=http://example.com/a>", "",
         "http://example.com/a", ""},
        {"<link rel=canonical href=http://m.example.org/a/b?p=2>", "",
         "http://m.example.org/a/b?p=2", "http://m.example.org/a/b?p=2"},
        {"",
         "HTTP/1.1 200 OK\r\nLINK: </x,y;z>; rel=next; title=\"a,b;c\", "
         "</c>;type=a; rel = \"up Canonical\"\r\n",
         "http://www.example.org/c", "http://www.example.org/c"},
        {"", "Link: </n>; rel=prev\nLink: </c> ;rel=canonical\n",
         "http://www.example.org/c", "http://www.example.org/c"},
        {"<link rel=canonical href=/a>", "Link: </c>; rel=canonical\n",
         "http://www.example.org/a", "http://www.example.org/a"},
        {"", "Link: </c>; rel=\"canonical", "", ""},
        {"", "Link: <c; rel=canonical, <", "", ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct page p;

        page_says_canonical(&p, cases[i].html, cases[i].headers);
        CHECK(str_eq(p.d.meta.canonical, str_c(cases[i].canonical)));
        CHECK(str_eq(p.d.canonical_other, str_c(cases[i].other)));
        page_end(&p);
    }
}

static void
second_best_names_fill_in(void)
{
    struct page p;

    page_read(
        &p,
        S("<meta property=og:title content=T>"
          "<meta http-equiv=Content-Language content=nl>"
          "<meta property=og:url content=http://example.org/o><svg><title>"
          "no</title></svg>"),
        "http://example.org/a/b");
    stage_metadata.run(NULL, &p.d);
    CHECK(str_eq(p.d.meta.title, S("T")));
    CHECK(str_eq(p.d.meta.language, S("nl")));
    CHECK(str_eq(p.d.meta.canonical, S("http://example.org/o")));
    page_end(&p);
}

/* It is no part of the page until a script makes it one. */
static void
a_template_says_nothing_of_the_page(void)
{
    struct page p;

    page_read(&p,
              S("<html lang=nl><template><html lang=de><base href=/b/>"
                "<meta name=robots content=none><title>no</title>"
                "<link rel=canonical href=/c></template><a href=x>x</a>"),
              "http://example.org/a");
    stage_metadata.run(NULL, &p.d);
    CHECK(!p.d.meta.noindex && !p.d.meta.nofollow);
    CHECK(p.d.meta.canonical.n == 0 && p.d.meta.title.n == 0);
    CHECK(str_eq(p.d.meta.language, S("nl")));
    CHECK(p.d.links_n == 1 &&
          str_eq(p.d.links[0].url, S("http://example.org/x")));
    page_end(&p);
}

static void
check_robots(const char *head, const char *tag, const char *want)
{
    struct page p;
    char got[3] = "--";

    page_read(&p, str_c(head), "http://example.org/");
    p.d.x_robots_tag = str_c(tag);
    stage_metadata.run(NULL, &p.d);
    got[0] = p.d.meta.noindex ? 'i' : '-';
    got[1] = p.d.meta.nofollow ? 'f' : '-';
    if (strcmp(got, want) != 0)
        fprintf(stderr, "%s %s: %s, not %s\n", head, tag, got, want);
    CHECK(strcmp(got, want) == 0);
    CHECK(got[0] != 'i' || p.d.reject == VERDICT_NOINDEX ||
          p.d.reject == VERDICT_EMPTY);
    page_end(&p);
}

static void
robots_directives_are_read(void)
{
    check_robots("<meta name=robots content='index,follow'>x", "", "--");
    check_robots("<meta name=ROBOTS content='NoIndex, follow'>x", "", "i-");
    check_robots("<meta name=robots content=none>x", "", "if");
    check_robots("<meta name=robots content=nofollow>x", "", "-f");
    check_robots("<meta name=googlebot content=none>x", "", "--");
    check_robots("<meta name=Winnow content=noindex>x", "", "i-");
    check_robots("<meta name=description content=noindex>x", "", "--");
    check_robots("x", "noindex", "i-");
    check_robots("x", "noarchive, nofollow", "-f");
    check_robots("x", "otherbot: noindex, nofollow", "--");
    check_robots("x", "otherbot: noindex, winnow: nofollow", "-f");
    check_robots("x", "otherbot: nofollow\nnoindex", "i-");
    check_robots("x", "otherbot: nofollow\nwinnow: none\nnoarchive", "if");
    check_robots("x", "*: noindex", "i-");
    check_robots("x", "otherbot: noindex, *: nofollow", "-f");
    check_robots("x", "winnow: noindex, otherbot: nofollow", "i-");
    check_robots("x", "winnow: noindex\notherbot: none", "i-");
    check_robots("<meta name=robots content='max-snippet:-1 noindex'>x", "",
                 "i-");
    check_robots("<meta name=robots content='max-image-preview: none'>x", "",
                 "--");
    check_robots("x", "otherbot: max-snippet: 20 noindex", "--");
    check_robots("x", "unavailable_after: 25 Jun 2010 15:00:00, noindex", "i-");
    check_robots("x", "unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, none",
                 "if");
    check_robots("<meta name=robots content='max-image-preview: none, nofollow'"
                 ">x",
                 "", "-f");
}

/* Of robots.txt, the header and the page itself; the strictest counts. */
static void
rights_are_recorded_from_all_who_speak(void)
{
    struct page p;

    page_read(&p,
              S("<meta name=tdm-reservation content=1><meta name=robots "
                "content='index, noai'>x"),
              "http://example.org/a");
    p.d.site_rights = S("content-usage: /a train-ai=y, search=y\n"
                        "content-signal: ai-train=no\n");
    p.d.origin.headers = S("TDM-Policy: https://e.test/p\r\n"
                           "tdm-reservation: 0\r\nServer: x\r\n");
    p.d.x_robots_tag = S("otherbot: noml\nnoindex, noml");
    stage_metadata.run(NULL, &p.d);
    CHECK(str_eq(p.d.meta.rights, S("tdm=n train=n ai-input=n search=y")));
    CHECK(str_eq(
        p.d.meta.rights_signals,
        S("robots.txt content-usage: /a train-ai=y, search=y | "
          "robots.txt content-signal: ai-train=no | "
          "header TDM-Policy: https://e.test/p | header tdm-reservation: 0 | "
          "header x-robots-tag: noindex, noml | "
          "meta tdm-reservation: 1 | meta robots: index, noai")));
    CHECK(p.d.reject == VERDICT_NOINDEX || p.d.reject == VERDICT_EMPTY);
    page_end(&p);
}

/* TDMRep: what is nearer to the text counts, whatever it says. */
static void
tdmrep_of_a_page_supersedes_that_of_its_host(void)
{
    static const struct {
        const char *html, *header, *file, *rights;
    } rows[] = {
        {"x", "", "tdm-reservation: 1\ntdm-policy: https://e.test/p\n",
         "tdm=n"},
        {"x", "tdm-reservation: 0\r\n", "tdm-reservation: 1\n", "tdm=y"},
        {"x", "tdm-reservation: 2\r\n", "tdm-reservation: 1\n", "tdm=n"},
        {"x", "tdm-reservation: 1\r\ntdm-reservation: 0\r\n", "", "tdm=n"},
        {"<meta name=tdm-reservation content=1>x", "tdm-reservation: 0\r\n",
         "tdm-reservation: 0\n", "tdm=n"},
        {"<meta name=tdm-reservation content=0>x", "content-usage: tdm=n\r\n",
         "", "tdm=n"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct page p;

        page_read(&p, str_c(rows[i].html), "http://example.org/a");
        p.d.site_tdmrep = str_c(rows[i].file);
        p.d.origin.headers = str_c(rows[i].header);
        stage_metadata.run(NULL, &p.d);
        CHECK(str_eq(p.d.meta.rights, str_c(rows[i].rights)));
        CHECK(i > 0 || str_eq(p.d.meta.rights_signals,
                              S("tdmrep.json tdm-reservation: 1 | "
                                "tdmrep.json tdm-policy: https://e.test/p")));
        page_end(&p);
    }
}

static void
entries_and_their_length_are_bounded(void)
{
    enum { N = 1000 };
    static char html[N * 64 + 100000];
    struct page p;
    size_t n = 0;

    n += (size_t)sprintf(html, "<title>");
    memset(html + n, 'x', 50000);
    n += 50000;
    n += (size_t)sprintf(html + n, "</title>");
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(html + n, "<meta name=m%d content=v>", i);
    page_read(&p, str_n(html, n), NULL);
    stage_metadata.run(NULL, &p.d);
    CHECK(p.d.page_counts->heads_n == 200);
    CHECK(p.d.page_counts->heads_dropped > 700);
    CHECK(p.d.meta.title.n > 900 && p.d.meta.title.n <= 1000);
    page_end(&p);
}

/* However far a text is read, what is taken from it is whole characters. */
static void
authors_are_not_cut_in_a_character(void)
{
    for (int blanks = 0; blanks < 4; blanks++) {
        struct buf html = {0};
        struct page p;

        buf_printf(&html, "<h1>T</h1><p>By Joe %.*s", blanks, "xxx");
        for (int i = 0; i < 200; i++)
            buf_c(&html, i == 120 ? " " : "\xe2\x82\xac");
        page_read(&p, buf_view(&html), NULL);
        stage_metadata.run(NULL, &p.d);
        for (uint32_t i = 0; i < p.d.meta.candidates_n; i++)
            CHECK(utf8_valid(p.d.meta.candidates[i].value));
        CHECK(p.d.meta.candidates_n > 1);
        page_end(&p);
        buf_free(&html);
    }
}

static void
authors_encoded_twice_are_not_parted(void)
{
    struct page p;

    page_read(&p,
              S("<meta name=author content='Jos&amp;eacute; Garc&amp;iacute;a'>"
                "<meta name=dc.creator content='Jane Doe; AT&amp;T'>x"),
              "http://example.org/");
    stage_metadata.run(NULL, &p.d);
    CHECK(candidate_is(&p.d, META_AUTHOR, META_FROM_META, "José García"));
    CHECK(candidate_is(&p.d, META_AUTHOR, META_FROM_DUBLIN_CORE,
                       "Jane Doe; AT&T"));
    page_end(&p);
}

/* A name is unescaped once, however many authors refer to it. */
static void
references_of_json_ld_cost_little(void)
{
    struct buf html = {0};
    struct page p;

    buf_c(&html, "<script type='application/ld+json'>[{\"@type\":\"Article\","
                 "\"headline\":\"T\",\"author\":[");
    for (int i = 0; i < 3000; i++)
        buf_c(&html, "{\"@id\":\"x\"},");
    buf_c(&html, "{\"@id\":\"#a\"}]},{\"@id\":\"#a\",\"name\":\"Jane Doe\"},"
                 "{\"name\":\"y\",\"@id\":\"");
    for (int i = 0; i < 10000; i++)
        buf_c(&html, "y\\n");
    buf_c(&html, "\"}]</script><p>x");
    page_read(&p, buf_view(&html), NULL);
    stage_metadata.run(NULL, &p.d);
    CHECK(candidate_is(&p.d, META_AUTHOR, META_FROM_JSON_LD, "Jane Doe"));
    CHECK(arena_high(p.d.arena) < (size_t)8 << 20);
    page_end(&p);
    buf_free(&html);
}

int
main(int argc, char **argv)
{
    void *none;

    static const struct test table[] = {
        TEST(fields_are_found),
        TEST(another_page_of_the_site_may_be_canonical),
        TEST(second_best_names_fill_in),
        TEST(a_template_says_nothing_of_the_page),
        TEST(robots_directives_are_read),
        TEST(rights_are_recorded_from_all_who_speak),
        TEST(tdmrep_of_a_page_supersedes_that_of_its_host),
        TEST(entries_and_their_length_are_bounded),
        TEST(authors_are_not_cut_in_a_character),
        TEST(authors_encoded_twice_are_not_parted),
        TEST(references_of_json_ld_cost_little),
        {0}};

    if (stage_metadata.open(&none, NULL) != ST_OK)
        return 1;
    return test_main(table, argc, argv);
}
