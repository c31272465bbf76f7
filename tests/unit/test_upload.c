/* test_upload.c -- months of pictures in their URLs, how long a text takes to
 * read, and what the model of dates knows of a page beside. */
#include "test.h"

#include "clean/metadata/metadata.h"
#include "clean/metadata/model.h"
#include "clean/metadata/reading_time.h"
#include "clean/metadata/upload.h"
#include "strip_page.h"

static void
folders_and_versions_name_a_month(void)
{
    static const struct {
        const char *url;
        int32_t year, month; /* 0: none */
    } rows[] = {
        {"https://a.example/wp-content/uploads/2024/11/cat.jpg", 2024, 11},
        {"https://a.example/sites/default/files/2024-02/cat.jpg", 2024, 2},
        {"/img/202403/cat.jpg", 2024, 3},
        {"/2009/12", 2009, 12},
        {"//a.example/cdn/cat.png?v=1718993696", 2024, 6},
        {"//a.example/cdn/cat.png?w=9&v=1718993696&x=1", 2024, 6},
        {"/2020/01/cat.png?v=1718993696", 2024, 6},
        {"/2020/01/2021/02/cat.png", 2020, 1},
        {"", 0, 0},
        {"/", 0, 0},
        {"/2024/13/cat.jpg", 0, 0},
        {"/2024/00/cat.jpg", 0, 0},
        {"/1924/11/cat.jpg", 0, 0},
        {"/2024/1", 0, 0},
        {"/2024/111/cat.jpg", 0, 0},
        {"/2024/11a/cat.jpg", 0, 0},
        {"/20241105/cat.jpg", 0, 0},
        {"/a2024/11/cat.jpg", 0, 0},
        {"/cat.png?v=171899369", 0, 0},
        {"/cat.png?v=17189936960", 0, 0},
        {"/cat.png?rev=1718993696", 0, 0},
        {"/cat.png?v=", 0, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int32_t got = upload_month(str_c(rows[i].url));

        CHECK(got == 12 * rows[i].year + rows[i].month);
        if (got != 12 * rows[i].year + rows[i].month)
            fprintf(stderr, "%s: %d\n", rows[i].url, (int)got);
    }
}

/* The features of the first date of a page. */
static void
date_row(float row[META_FEATURES_N], const char *html)
{
    struct page page;
    struct page_facts facts;
    struct guesses c;
    uint32_t heading_i;
    void *self;

    CHECK(stage_metadata.open(&self, NULL) == ST_OK); /* loads names */
    page_read(&page, str_c(html), "https://www.daily.example/a/storm");
    metadata_collect(&c, &page.d, &heading_i);
    page_facts(&facts, &c, heading_i);
    CHECK(c.n[META_PUBLISHED] > 0);
    if (c.n[META_PUBLISHED] > 0)
        meta_features(row, &c, &facts, META_PUBLISHED, 0);
    page_end(&page);
    stage_metadata.close(self);
}

static void
dates_are_compared_with_the_upload_of_the_picture(void)
{
#define HAS(id) row[META_FEATURE_##id]
#define DATED "<meta name=date content=2024-02-10>"
    float row[META_FEATURES_N] = {0};

    date_row(row, DATED "<meta property=og:image content=/up/2023/11/a.jpg>");
    CHECK(HAS(IMAGE_MONTHS) == 3);
    date_row(row, DATED "<meta property=og:image content=/up/2024/03/a.jpg>");
    CHECK(HAS(IMAGE_MONTHS) == -1);
    date_row(row, DATED "<meta property=og:image content=/up/a.jpg>");
    CHECK(HAS(IMAGE_MONTHS) == -999);
    date_row(row, DATED);
    CHECK(HAS(IMAGE_MONTHS) == -999);
}

static void
code_and_facts_of_an_article_are_counted(void)
{
    float row[META_FEATURES_N] = {0};

    date_row(row, DATED "<body><h1>Storm</h1><p>Text.<pre>a = 1</pre><p>And "
                        "<pre>b = 2</pre>");
    CHECK(HAS(PAGE_CODE) == 2 && HAS(PAGE_FACTS) == 0);
    date_row(row, DATED "<meta property=article:section content=Sea>"
                        "<meta property=article:tag content=a>"
                        "<meta property=article:tag content=b>"
                        "<meta property=article:author content=x>"
                        "<meta property=article:other content=x><p>Text.");
    CHECK(HAS(PAGE_CODE) == 0 && HAS(PAGE_FACTS) == 4);
}

static void
texts_say_how_long_they_take_to_read(void)
{
    static const struct {
        const char *text;
        bool says;
    } rows[] = {
        {"5 min read", true},
        {"By Jane Doe | 3 May 2024 | 12-minute read", true},
        {"Reading time: 1MIN", true},
        {"Lesezeit: 4 Minuten", true},
        {"4 Min. Lesedauer", true},
        {"Leestijd: 3 min", true},
        {"3 min lezen", true},
        {"Temps de lecture : 6 minutes", true},
        {"6 min de lectura", true},
        {"Tempo di lettura: 2 min", true},
        {"Lästid 7 min", true},
        {"7 min läsning", true},
        {"", false},
        {"min read", false},
        {"5 read", false},
        {"Bake for 5 min", false},
        {"It was already 5 min late", false},
        {"Released after 20 min", false},
        {"5 hours, min read", false},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool says = says_reading_time(str_c(rows[i].text));

        CHECK(says == rows[i].says);
        if (says != rows[i].says)
            fprintf(stderr, "%s\n", rows[i].text);
    }
}

static void
only_what_stands_near_the_heading_is_a_reading_time(void)
{
#define LINES "<p>One.<p>Two.<p>Three.<p>Four.<p>Five.<p>Six.<p>Seven.<p>Eight."
    float row[META_FEATURES_N] = {0};

    date_row(row, DATED "<body><h1>Storm</h1><p>5 min read<p>Text.");
    CHECK(HAS(PAGE_MINUTES) == 1);
    date_row(row, DATED "<body><h1>Storm</h1>" LINES "<p>5 min read");
    CHECK(HAS(PAGE_MINUTES) == 0);
    date_row(row, DATED "<body><h1>Storm</h1><p>A text that is long says of "
                        "others how long they take: whoever reads of the storm "
                        "had 5 min to leave, and of those who stayed behind "
                        "there is no more to read than that.");
    CHECK(HAS(PAGE_MINUTES) == 0);
}

int
main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(folders_and_versions_name_a_month),
        TEST(dates_are_compared_with_the_upload_of_the_picture),
        TEST(code_and_facts_of_an_article_are_counted),
        TEST(texts_say_how_long_they_take_to_read),
        TEST(only_what_stands_near_the_heading_is_a_reading_time),
        {0}};

    return test_main(tests, argc, argv);
}
