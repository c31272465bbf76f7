/* Aim: what stands in sitemaps of the Web is found, whatever their form and
 * their faults, within the limits.  Method: small files written here, then
 * those of crawler-commons (../shared/data/suites/sitemaps).
 */
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "crawler/sitemap/sitemap.h"
#include "test.h"

static const struct sitemap_limits protocol = {50000, 50u << 20};

struct listed_url {
    struct buf urls; /* each with a line end; an index entry begins with a + */
    uint64_t lastmod_ms;
    float priority;
    size_t stop_after;
    size_t n;
};

static bool
take(void *self, const struct sitemap_entry *e)
{
    struct listed_url *f = self;

    buf_printf(&f->urls, "%s%.*s", e->index ? "+" : "", STRF(e->url));
    buf_printf(&f->urls, "%s%.*s\n", e->language.n > 0 ? " " : "",
               STRF(e->language));
    f->lastmod_ms = e->lastmod_ms;
    f->priority = e->priority;
    return ++f->n != f->stop_after;
}

static enum sitemap_end
read_text(struct listed_url *f, struct str text)
{
    struct sitemap_result r;

    buf_clear(&f->urls);
    f->n = 0;
    sitemap_read(&r, text, &protocol, take, f);
    CHECK(r.entries == f->n);
    return r.end;
}

#define URLS(f, expected) CHECK(str_eq(buf_view(&(f)->urls), S(expected)))

static void
a_urlset_gives_its_urls_with_date_and_priority(void)
{
    struct listed_url f = {0};

    CHECK(read_text(&f, S("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<urlset xmlns=\"http://www.sitemaps.org/schemas/"
                          "sitemap/0.9\"><url><loc>http://a.test/</loc></url>"
                          "<url><loc>\n http://a.test/?x=1&amp;y=2 </loc>"
                          "<lastmod>2005-01-01</lastmod><priority>0.8"
                          "</priority></url></urlset>")) == SITEMAP_WHOLE);
    URLS(&f, "http://a.test/\nhttp://a.test/?x=1&y=2\n");
    CHECK(f.lastmod_ms == 1104537600000);
    CHECK(f.priority > .79f && f.priority < .81f);
    buf_free(&f.urls);
}

static void
an_index_gives_sitemaps_and_not_pages(void)
{
    struct listed_url f = {0};

    CHECK(read_text(&f, S("<sitemapindex><sitemap><loc>http://a.test/1.xml"
                          "</loc></sitemap><sitemap>http://a.test/2.xml"
                          "</sitemap></sitemapindex>")) == SITEMAP_WHOLE);
    URLS(&f, "+http://a.test/1.xml\n+http://a.test/2.xml\n");
    buf_free(&f.urls);
}

static void
the_loc_of_an_image_is_no_page(void)
{
    struct listed_url f = {0};

    CHECK(read_text(&f, S("<u:urlset><u:url><image:image><image:loc>http://"
                          "a.test/i.png</image:loc></image:image><u:loc>http://"
                          "a.test/p</u:loc></u:url></u:urlset>")) ==
          SITEMAP_WHOLE);
    URLS(&f, "http://a.test/p\n");
    buf_free(&f.urls);
}

#define ALTERNATE(language, url)                                               \
    "<xhtml:link rel=\"alternate\" hreflang=\"" language "\" href=\"" url "\"" \
                                                                          "/>"

/* Wherever they stand; of other URLs they say nothing here. */
static void
alternates_say_the_language_of_a_url(void)
{
    struct listed_url f = {0};

    CHECK(read_text(
              &f,
              S("<urlset><url><loc>http://a.test/nl?a&amp;b</loc>" ALTERNATE(
                  "en", "http://a.test/en")
                    ALTERNATE(
                        "nl-BE",
                        "http://a.test/nl?a&amp;"
                        "b") "</url>"
                             "<url>" ALTERNATE("x-default", "http://a.test/en")
                                 ALTERNATE(
                                     "EN",
                                     " http://a.test/en ") "<loc> "
                                                           "http://a.test/en "
                                                           "</loc>"
                                                           "</"
                                                           "url><"
                                                           "url>" ALTERNATE(
                                                               "de",
                                                               "http://a.test/"
                                                               "de") "<loc>"
                                                                     "http:/"
                                                                     "/a.test/"
                                                                     "other</"
                                                                     "loc></"
                                                                     "url><url>"
                                                                     "<loc>"
                                                                     "http://"
                                                                     "a.test/"
                                                                     "de</loc>"
                                                                     "</url></"
                                                                     "urlset"
                                                                     ">")) ==
          SITEMAP_WHOLE);
    URLS(&f, "http://a.test/nl?a&b nl-be\nhttp://a.test/en en\n"
             "http://a.test/other\nhttp://a.test/de\n");
    CHECK(
        read_text(&f, S("<feed><entry><link rel=\"alternate\" hreflang="
                        "\"fr\" href=\"http://a.test/1\"/></entry></feed>")) ==
        SITEMAP_WHOLE);
    URLS(&f, "http://a.test/1 fr\n");
    buf_free(&f.urls);
}

static void
news_say_their_language(void)
{
    struct listed_url f = {0};

    CHECK(
        read_text(&f, S("<urlset><url><loc>http://a.test/1</loc><news:news>"
                        "<news:publication><news:name>A</news:name>"
                        "<news:language> sv </news:language></news:publication>"
                        "<news:title>T</news:title></news:news></url>"
                        "<url><loc>http://a.test/2</loc></url></urlset>")) ==
        SITEMAP_WHOLE);
    URLS(&f, "http://a.test/1 sv\nhttp://a.test/2\n");
    buf_free(&f.urls);
}

static void
feeds_and_plain_text_are_sitemaps_too(void)
{
    struct listed_url f = {0};

    CHECK(read_text(&f, S("<rss><channel><link>http://a.test/</link><item>"
                          "<link>http://a.test/1</link><pubDate>Thu, 05 Jan "
                          "2017 13:34:51 +0100</pubDate></item></channel>"
                          "</rss>")) == SITEMAP_WHOLE);
    URLS(&f, "http://a.test/1\n");
    CHECK(f.lastmod_ms == 1483619691000);
    CHECK(read_text(&f, S("<feed><link href=\"http://a.test/\"/><entry><link "
                          "rel=\"edit\" href=\"http://a.test/e\"/><link href="
                          "\"http://a.test/2\"/></entry></feed>")) ==
          SITEMAP_WHOLE);
    URLS(&f, "http://a.test/2\n");
    CHECK(read_text(&f, S("\xef\xbb\xbfhttp://a.test/3\r\nnonsense\n"
                          " https://a.test/4")) == SITEMAP_WHOLE);
    URLS(&f, "http://a.test/3\nhttps://a.test/4\n");
    buf_free(&f.urls);
}

static void
common_faults_are_mended_and_what_is_before_a_break_counts(void)
{
    struct listed_url f = {0};

    CHECK(read_text(&f, S("\n\n <urlset><url><loc>http://a.test/?a=1&b=2&nbsp;"
                          "</loc></url><url><loc><![CDATA[http://a.test/?c&d]]>"
                          "</loc></url></urlset>")) == SITEMAP_WHOLE);
    URLS(&f, "http://a.test/?a=1&b=2&nbsp;\nhttp://a.test/?c&d\n");
    CHECK(read_text(&f, S("<urlset><url><loc>http://a.test/1</loc></url>"
                          "<url><loc>http://a.test/2</url>")) ==
          SITEMAP_BROKEN);
    URLS(&f, "http://a.test/1\n");
    CHECK(read_text(&f, S("<urlset><url><loc>http://a.test/1</loc></url>")) ==
          SITEMAP_BROKEN);
    CHECK(f.n == 1);
    CHECK(read_text(&f, S("<!doctype html><html><head><link href=/x>")) ==
          SITEMAP_OTHER);
    CHECK(read_text(&f, S("")) == SITEMAP_OTHER);
    CHECK(read_text(&f, S("\x89PNG\r\n\x1a\n\0\0\0")) == SITEMAP_OTHER);
    CHECK(f.n == 0);
    CHECK(read_text(&f, S("<?xml version=\"1.0\" encoding=\"windows-1252\"?>"
                          "<urlset><url><loc>http://a.test/\xe9</loc></url>"
                          "</urlset>")) == SITEMAP_WHOLE);
    URLS(&f, "http://a.test/\xc3\xa9\n");
    buf_free(&f.urls);
}

static void
entities_do_not_expand_without_bound_and_nothing_is_loaded(void)
{
    struct listed_url f = {0};

    read_text(&f, S("<!DOCTYPE u [<!ENTITY a \"http://a.test/\"><!ENTITY x "
                    "SYSTEM \"file:///etc/passwd\">]><urlset><url><loc>&a;"
                    "</loc></url><url><loc>&x;</loc></url></urlset>"));
    CHECK(memmem(f.urls.p, f.urls.n, "root", 4) == NULL);
    buf_free(&f.urls);
}

/* `n` URLs, with an ampersand here and there that a piece may cut. */
static void
many(struct buf *out, size_t n)
{
    buf_c(out, "<urlset>");
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "<url><loc>http://a.test/?n=%zu&m=1&amp;o</loc></url>",
                   i);
    buf_c(out, "</urlset>");
}

static void
limits_of_entries_bytes_and_of_the_caller_hold(void)
{
    struct sitemap_limits few = {.entries_max = 10, .bytes_max = 1 << 20};
    struct sitemap_limits narrow = {.entries_max = 99999, .bytes_max = 100000};
    struct sitemap_result r;
    struct listed_url f = {0};
    struct buf text = {0};

    many(&text, 5000);
    CHECK(read_text(&f, buf_view(&text)) == SITEMAP_WHOLE);
    CHECK(f.n == 5000);
    CHECK(str_ends(buf_view(&f.urls), S("?n=4999&m=1&o\n")));
    CHECK(memmem(f.urls.p, f.urls.n, "amp", 3) == NULL);
    sitemap_read(&r, buf_view(&text), &few, take, &f);
    CHECK(r.end == SITEMAP_ENTRIES && r.entries == 10);
    sitemap_read(&r, buf_view(&text), &narrow, take, &f);
    CHECK(r.end == SITEMAP_BYTES && r.entries > 1000 && r.entries < 5000);
    f.stop_after = 7;
    CHECK(read_text(&f, buf_view(&text)) == SITEMAP_ENOUGH);
    CHECK(f.n == 7);
    buf_free(&text);
    buf_free(&f.urls);
}

static void
gzip_is_unpacked_and_a_damaged_one_gives_what_it_has(void)
{
    struct listed_url f = {0};
    struct buf text = {0}, packed = {0};
    z_stream z = {0};

    many(&text, 20000);
    CHECK(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) ==
          Z_OK);
    buf_reserve(&packed, text.n);
    z.next_in = (unsigned char *)text.p;
    z.avail_in = (unsigned)text.n;
    z.next_out = (unsigned char *)packed.p;
    z.avail_out = (unsigned)text.n;
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    packed.n = z.total_out;
    deflateEnd(&z);
    CHECK(read_text(&f, buf_view(&packed)) == SITEMAP_WHOLE);
    CHECK(f.n == 20000);
    CHECK(read_text(&f, str_sub(buf_view(&packed), 0, packed.n / 2)) ==
          SITEMAP_BROKEN);
    CHECK(f.n > 1000 && f.n < 20000);
    buf_free(&text);
    buf_free(&packed);
    buf_free(&f.urls);
}

/* Numbers of <loc> (or lines, or items) as any XML parser counts them. */
static void
the_files_of_crawler_commons_give_all_their_urls(void)
{
    static const struct {
        const char *path;
        size_t n;
    } files[] = {
        {"sitemaps/sitemap.ns.xml", 2},
        {"sitemaps/sitemap.badns.xml", 2},
        {"sitemaps/sitemap.index.xml", 15},
        {"sitemaps/atom.xml", 1},
        {"sitemaps/sitemap.txt", 2},
        {"sitemaps/sitemap.txt.gz", 5},
        {"sitemaps/sitemap-with-bom.txt", 2},
        {"sitemaps/xmlSitemap.gz", 5},
        {"sitemaps/extension/sitemap-mobile.xml", 3},
        {"sitemaps/extension/sitemap-news.xml", 2},
        {"sitemaps/extension/sitemap-videos-tvshow.xml", 1},
        {"sitemaps/extension/sitemap-images.xml", 1},
        {"sitemaps/extension/pagemaps-sitemap.xml", 2},
        {"sitemaps/extension/shinpaideshou-news-sitemap.xml", 3},
        {"sitemaps/extension/sitemap-links.xml", 3},
        {"sitemaps/extension/hebdenbridgetimes-articles-sitemap.xml", 74},
        {"sitemaps/extension/sitemap-videos.xml", 3},
        {"rss/xmlRss_pubDate.xml", 7},
        {"rss/feed.rss", 4},
    };
    struct buf text = {0};
    struct listed_url f = {0};

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[512];
        const char *found;

        snprintf(path, sizeof path,
                 "data/suites/sitemaps/src/test/resources/%s", files[i].path);
        found = test_shared(path);
        CHECK(found != NULL && file_read(&text, found, SIZE_MAX) == ST_OK);
        read_text(&f, buf_view(&text));
        if (f.n != files[i].n)
            fprintf(stderr, "%s: %zu, not %zu\n", files[i].path, f.n,
                    files[i].n);
        CHECK(f.n == files[i].n);
    }
    buf_free(&text);
    buf_free(&f.urls);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_urlset_gives_its_urls_with_date_and_priority),
        TEST(an_index_gives_sitemaps_and_not_pages),
        TEST(the_loc_of_an_image_is_no_page),
        TEST(alternates_say_the_language_of_a_url),
        TEST(news_say_their_language),
        TEST(feeds_and_plain_text_are_sitemaps_too),
        TEST(common_faults_are_mended_and_what_is_before_a_break_counts),
        TEST(entities_do_not_expand_without_bound_and_nothing_is_loaded),
        TEST(limits_of_entries_bytes_and_of_the_caller_hold),
        TEST(gzip_is_unpacked_and_a_damaged_one_gives_what_it_has),
        SUITE_TEST(the_files_of_crawler_commons_give_all_their_urls,
                   "data/suites/sitemaps/src/test/resources/sitemaps/atom.xml"),
        {0}};

    return test_main(table, argc, argv);
}
