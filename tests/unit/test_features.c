/* test_features.c -- counts of texts, and what the network sees of a page. */
#include "test.h"

#include <math.h>

#include "base/random.h"
#include "clean/blocks/block_count.h"
#include "clean/blocks/char_class.h"
#include "clean/boilerplate/context.h"
#include "clean/boilerplate/features_sum.h"
#include "strip_page.h"

static struct block_counts
count(const char *text)
{
    struct block_counts c = {0};
    struct title_words none = {.n = 0};

    char_class_init();
    lexicon_init();
    block_count_text(&c, str_c(text), &none, &none);
    return c;
}

static void
characters_and_words_are_counted(void)
{
    struct block_counts c = count("Der Hund, 12 \xc3\x9c"
                                  "bel.");

    CHECK(c.chars == 18 && c.bytes == 19 && c.blanks == 3);
    CHECK(c.letters == 11 && c.upper == 3 && c.digits == 2);
    CHECK(c.words == 4 && c.runs == 4 && c.capital_runs == 3);
    CHECK(c.commas == 1 && c.sentences == 1);
    CHECK(c.stop[LANGUAGE_DE] == 1 && c.stop[LANGUAGE_EN] == 0);
    c = count("\xe6\x9d\xb1\xe4\xba\xac\xe3\x80\x82\xe3\x81\xaf");
    CHECK(c.words == 3 && c.runs == 1 && c.sentences == 1);
}

static void
sentences_end_before_white_space_only(void)
{
    CHECK(count("One. Two! \"Three?\" Four").sentences == 3);
    CHECK(count("example.org 3.14 a.b").sentences == 0);
    CHECK(count("etc...").sentences == 1);
    CHECK(count("(He left.) So").sentences == 1);
    CHECK(count("ایک۔ دو۔").sentences == 2);
    CHECK(count("አንድ። ሁለት။").sentences == 2); /* Ethiopic, then Burmese */
    CHECK(count("មួយ។ ពីរ៕").sentences == 2);
    CHECK(count("մեկ։ երկու").sentences == 1);
}

static void
check_flag(const char *text, uint32_t flag, bool want)
{
    bool got = (count(text).flags & flag) != 0;

    if (got != want)
        fprintf(stderr, "%s: flag %x\n", text, flag);
    CHECK(got == want);
}

static void
dates_addresses_and_prices_are_recognised(void)
{
    check_flag("on 12.03.2014 at", BLOCK_DATE, true);
    check_flag("on 12-3-14", BLOCK_DATE, true);
    check_flag("since 1998", BLOCK_DATE, true);
    check_flag("room 2998", BLOCK_DATE, false);
    check_flag("12. 03. 2514", BLOCK_DATE, false);
    check_flag("version 1.2", BLOCK_DATE, false);
    check_flag("at 12:30", BLOCK_TIME, true);
    check_flag("ratio 3:1", BLOCK_TIME, false);
    check_flag("to: 30", BLOCK_TIME, false);
    check_flag("write to me@example.org", BLOCK_EMAIL, true);
    check_flag("write @example. Then", BLOCK_EMAIL, false);
    check_flag("see http://example.org", BLOCK_URL, true);
    check_flag("see www.example.org", BLOCK_URL, true);
    check_flag("the www is", BLOCK_URL, false);
    check_flag("$ 12", BLOCK_CURRENCY, true);
    check_flag("12 \xe2\x82\xac", BLOCK_CURRENCY, true);
    check_flag("12 eur", BLOCK_CURRENCY, true);
    check_flag("twelve eur", BLOCK_CURRENCY, false);
    check_flag("\xc2\xa9 2010", BLOCK_COPYRIGHT, true);
    check_flag("All rights reserved", BLOCK_COPYRIGHT, true);
    check_flag("all right", BLOCK_COPYRIGHT, false);
}

static void
edges_of_a_text_are_seen(void)
{
    check_flag("He said: \"Go!\"", BLOCK_ENDS_SENTENCE, true);
    check_flag("menu", BLOCK_ENDS_SENTENCE, false);
    check_flag("Look:", BLOCK_ENDS_COLON, true);
    check_flag("and so on...", BLOCK_ENDS_ELLIPSIS, true);
    check_flag("lower", BLOCK_STARTS_LOWER, true);
    check_flag("Upper", BLOCK_STARTS_LOWER, false);
    check_flag("3 mice", BLOCK_STARTS_DIGIT, true);
    check_flag("a | b", BLOCK_BAR, true);
    check_flag("why?", BLOCK_QUESTION, true);
}

static void
class_words_give_hints(void)
{
    static const struct {
        const char *class_value, *id_value;
        uint32_t want;
    } row[] = {
        {"sidebar", "", 1u << HINT_SIDEBAR},
        {"SideBar", "", 1u << HINT_SIDEBAR},
        {"x ads", "", 1u << HINT_PROMO},
        {"ad", "", 1u << HINT_PROMO},
        {"shadow", "", 0},
        {"", "left-col", 1u << HINT_SIDEBAR},
        {"breadcrumbs", "", 1u << HINT_CRUMB},
        {"xyz", "", 0},
        {"", "", 0},
    };

    hint_init();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint32_t got =
            hint_find(str_c(row[i].class_value), str_c(row[i].id_value));

        if (got != row[i].want)
            fprintf(stderr, "%s: %x\n", row[i].class_value, got);
        CHECK(got == row[i].want);
    }
}

/* Every pattern in a long text, against a search for each one. */
static void
hints_agree_with_a_plain_search(void)
{
    enum { SORTS_N = (int)HINT_N + CLASS_WORD_N };
    static const char *const patterns[SORTS_N] = {
#define HINT(id, patterns) [HINT_##id] = patterns,
#include "clean/blocks/hint.tbl.h"
#undef HINT
#define CLASS_WORD(id, patterns) [(int)HINT_N + CLASS_##id] = patterns,
#include "clean/blocks/class_word.tbl.h"
#undef CLASS_WORD
    };
    struct random r = random_seed(3);

    hint_init();
    for (int round = 0; round < 20000; round++) {
        char text[32];
        size_t n = 1 + random_below(&r, 30);
        uint32_t want = 0;
        char padded[40];

        memset(text, '_', sizeof text); /* what follows a piece */
        for (size_t i = 0; i < n; i++) {
            /* a piece of a random pattern now and then */
            const char *p = patterns[random_below(&r, SORTS_N)];

            text[i] = p[random_below(&r, strlen(p))];
            for (size_t k = 0; random_below(&r, 4) && i + 1 < n && p[k]; k++)
                text[i++] = p[k];
        }
        snprintf(padded, sizeof padded, "_%.*s_", (int)n, text);
        for (char *c = padded; *c; c++)
            *c = *c == ' ' || *c == '-' ? '_' : *c;
        for (unsigned h = 0; h < SORTS_N; h++) {
            struct str rest = str_c(patterns[h]), word;

            while (str_word(&rest, &word)) {
                char one[40];

                snprintf(one, sizeof one, "%.*s", STRF(word));
                if (strstr(padded, one) != NULL)
                    want |= 1u << h;
            }
        }
        CHECK(hint_find(str_n(text, n), str_c("")) == want);
    }
}

static void
the_title_is_found_in_the_heading(void)
{
    struct page p;

    page_read(&p,
              S("<title>The quick fox - Our Site</title><p>Menu"
                "<h1>The Quick Fox!</h1><p>Text of it."),
              NULL);
    CHECK(p.d.page_counts->title_words_n == 5);
    CHECK(p.d.blocks[0].counts->title_words == 0);
    CHECK(p.d.blocks[1].counts->title_words == 3);
    page_end(&p);
}

static const char sample[] =
    "<html lang=en><title>A page of ours</title><body class=blog>"
    "<ul class=menu><li><a href=/>Home</a><li><a href=/x>News</a></ul>"
    "<article><h1>A page of ours</h1><p>This is the first sentence of the "
    "page, "
    "and it is long enough to be one.</p><p>And this is the second one; it "
    "says no more than the first.</p></article>"
    "<div id=footer><p>Copyright 2010, all rights reserved</div>";

static void
rows_are_finite_and_made_of_three_neighbours(void)
{
    struct page p;
    struct features f;
    float row[FEATURES_N];

    page_read(&p, str_c(sample), "http://example.org/");
    features_page(&f, &p.d);
    CHECK(f.n == p.d.blocks_n && f.n == 6);
    CHECK(features_language(&p.d) == LANGUAGE_EN);
    for (uint32_t i = 0; i < f.n; i++) {
        features_row(&f, i, row);
        for (int k = 0; k < FEATURES_N; k++)
            CHECK(isfinite(row[k]) && fabsf(row[k]) < 100);
        CHECK(memcmp(row, f.local[i], sizeof f.local[i]) == 0);
        if (i > 0)
            CHECK(memcmp(row + FEATURES_LOCAL_N, f.local[i - 1],
                         sizeof f.local[i]) == 0);
        CHECK(memcmp(row + 3 * FEATURES_LOCAL_N, f.around[i],
                     sizeof f.around[i]) == 0);
    }
    features_row(&f, 0, row);
    for (int k = 0; k < FEATURES_LOCAL_N; k++)
        CHECK(!(fabsf(row[FEATURES_LOCAL_N + k]) > 0));
    page_end(&p);
}

/* Items with the same first class word side by side, whatever else tells them
 * apart, are records; three paragraphs are none, nor are two items. */
static void
records_are_known_by_their_kind(void)
{
    struct features f;
    struct page p;

    page_read(&p,
              S("<div class=text><p>one<p>two<p>three</div><ol>"
                "<li class='c1 odd'><div><p>a b<p>c</div>"
                "<li class='c2 even'><div><p>d</div>"
                "<li class='c37 last'><div><p>e</div></ol>"
                "<ul><li class=x><div><p>f</div><li class=x><div><p>g</div>"),
              NULL);
    features_page(&f, &p.d);
    CHECK(f.n == 9);
    for (uint32_t i = 0; i < f.n; i++)
        CHECK((f.place[i].group[FEATURES_RECORDS] != 0) == (i >= 3 && i <= 6));
    for (uint32_t i = 4; i <= 6; i++)
        CHECK(f.place[i].group[FEATURES_RECORDS] ==
              f.place[3].group[FEATURES_RECORDS]);
    for (uint32_t i = 0; i < f.n; i++)
        for (uint32_t k = 0; k < FEATURES_GROUPS; k++)
            CHECK(f.place[i].group[k] < f.groups_n[k]);
    page_end(&p);
}

static void
sections_go_from_heading_to_heading(void)
{
    struct features f;
    struct page p;

    page_read(&p, S("<p>a<h1>b</h1><p>c<p>d<h2>e</h2><p>f"), NULL);
    features_page(&f, &p.d);
    CHECK(f.n == 6);
    for (uint32_t i = 0; i < f.n; i++) {
        static const uint32_t section[] = {0, 1, 1, 1, 2, 2};
        static const uint32_t heading[] = {0, 0, 2, 2, 2, 5};

        CHECK(f.place[i].group[FEATURES_SECTION] == section[i]);
        CHECK(f.place[i].heading == heading[i]);
    }
    page_end(&p);
}

static void
words_of_the_description_are_found(void)
{
    struct page p;

    page_read(&p,
              S("<meta name=description content='The old lighthouse on the "
                "island'><p>An island and its lighthouse<p>the on the"),
              NULL);
    CHECK(p.d.blocks_n == 2 && p.d.page_counts->summary_words_n == 3);
    CHECK(p.d.blocks[0].counts->summary_words == 2);
    CHECK(p.d.blocks[1].counts->summary_words == 0);
    page_end(&p);
}

static void
containers_are_told_apart(void)
{
    struct page p;
    struct features f;

    page_read(&p, str_c(sample), NULL);
    features_page(&f, &p.d);
    CHECK(f.place[3].group[0] != f.place[4].group[0]); /* each its own <p> */
    CHECK(f.place[3].group[1] == f.place[4].group[1]); /* <article> */
    CHECK(f.place[3].group[1] == f.place[2].group[1]);
    CHECK(f.place[4].group[1] != f.place[5].group[1]);
    CHECK(f.place[3].group[BLOCK_PARENTS] == f.place[4].group[BLOCK_PARENTS]);
    for (uint32_t i = 0; i < f.n; i++)
        for (int k = 0; k < FEATURES_GROUPS; k++)
            CHECK(f.place[i].group[k] < f.groups_n[k]);
    page_end(&p);
}

static void
the_second_pass_sees_the_first(void)
{
    struct page p;
    struct features f;
    float q[6] = {0, 0, 1, 1, 1, 0}, out[6][CONTEXT_N];

    page_read(&p, str_c(sample), NULL);
    features_page(&f, &p.d);
    context_features(&f, q, out, p.arena);
    for (uint32_t i = 0; i < f.n; i++)
        for (int k = 0; k < CONTEXT_N; k++)
            CHECK(isfinite(out[i][k]));
    CHECK(out[3][5] > 0.99f && out[3][4] > 0.99f); /* itself, the one before */
    CHECK(out[5][5] < 0.01f && out[5][4] > 0.99f);
    CHECK(out[0][0] < 0.01f); /* past the start */
    CHECK(out[3][14] > 0.9f); /* text in its <article> */
    page_end(&p);
}

/* The comments are longer than the story, but the title stands over it. */
static void
comments_leave_the_path_of_the_story(void)
{
#define LONG "one two three four five six seven eight nine ten eleven twelve "
    static const char html[] =
        "<title>The old mill</title><ul><li>Home</ul><div><div>"
        "<h1>The old mill</h1><p>" LONG "of a mill.<p>" LONG
        "of a brook.</div><div>"
        "<div><b>Anna, 3 May 2012</b><p>I like " LONG LONG LONG "you</div>"
        "<div><b>Bert, 4 May 2012</b><p>I too, " LONG LONG LONG "me</div>"
        "</div></div>";
    static const uint32_t up[] = {2, 0, 0, 0, 1, 1, 1, 1};
    struct feature_sums x;
    struct page p;
    uint32_t branch;

    page_read(&p, str_c(html), NULL);
    feature_sums(&x, &p.d);
    CHECK(x.n == 8);
    for (uint32_t i = 0; i < 8 && x.n == 8; i++)
        CHECK(x.dom_path[2].way[x.place[i].group[0]].up == up[i]);
    CHECK(x.dom_path[0].way[x.place[1].group[0]].up == 1);
    branch = x.dom_path[2].way[x.place[5].group[0]].branch;
    CHECK(x.tree.sum[branch].blocks == 4 && x.tree.sum[branch].first == 4);
    CHECK(x.voice[branch].dates == 2 && x.voice[branch].titles == 0);
    CHECK(x.voice[DOM_PATH_BODY].titles == 1);
    page_end(&p);
#undef LONG
}

/* Which inputs of `page` tell two pages apart that differ in their head. */
static uint32_t
page_inputs_told_apart(const char *one, const char *other)
{
    struct features a, b;
    struct page p, q;
    uint32_t n = 0;

    page_read(&p, str_c(one), NULL);
    page_read(&q, str_c(other), NULL);
    features_page(&a, &p.d);
    features_page(&b, &q.d);
    for (int k = 0; k < FEATURES_PAGE_N; k++)
        n += fabsf(a.page[k] - b.page[k]) > 0;
    page_end(&p);
    page_end(&q);
    return n;
}

static void
what_a_page_says_it_is_is_seen(void)
{
    CHECK(page_inputs_told_apart("<meta property=og:kind content=Article>a",
                                 "<meta property=og:type content=Article>a") ==
          1);
    CHECK(page_inputs_told_apart("<meta property=og:type content=website>a",
                                 "<meta property=og:type content=product>a") ==
          2);
    CHECK(page_inputs_told_apart("<meta property=articles:a content=b>a",
                                 "<meta property=article:as content=b>a") == 1);
}

static void
both_passes_are_weighed_against_each_other(void)
{
    CHECK(fabsf(context_mean(0.3f, 0.3f) - 0.3f) < 1e-6f);
    CHECK(fabsf(context_mean(0.2f, 0.9f) + context_mean(0.8f, 0.1f) - 1) <
          1e-6f);
    CHECK(context_mean(0.2f, 0.9f) > 0.5f); /* the second one counts for more */
    CHECK(context_mean(0.2f, 0.9f) < 0.9f);
    CHECK(context_mean(0, 1) < 1 && context_mean(1, 0) > 0);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(characters_and_words_are_counted),
        TEST(sentences_end_before_white_space_only),
        TEST(dates_addresses_and_prices_are_recognised),
        TEST(edges_of_a_text_are_seen),
        TEST(class_words_give_hints),
        TEST(hints_agree_with_a_plain_search),
        TEST(the_title_is_found_in_the_heading),
        TEST(rows_are_finite_and_made_of_three_neighbours),
        TEST(records_are_known_by_their_kind),
        TEST(sections_go_from_heading_to_heading),
        TEST(words_of_the_description_are_found),
        TEST(containers_are_told_apart),
        TEST(comments_leave_the_path_of_the_story),
        TEST(what_a_page_says_it_is_is_seen),
        TEST(the_second_pass_sees_the_first),
        TEST(both_passes_are_weighed_against_each_other),
        {0}};

    return test_main(table, argc, argv);
}
