/* test_texrex_features.c -- divisions and features as texrex has them, and
 * which block gets which; tests/real/texrex_features.c holds them against
 * texrex's own output. */
#include "test.h"

#include <math.h>

#include "clean/boilerplate/texrex_features.h"
#include "strip_page.h"

static struct letters *letters;

static const char page_html[] =
    "<!DOCTYPE html><html><head><title>No <p>text</title></head>"
    "<body class=\"a>b\"><div><p>One <b>two</b>\n  three.</p>"
    "<form><p>Left <br>out</p></form>"
    "<ul><li><a href=x>Four</a></li></ul>"
    "<script>x = '<p>'</script>Five<!-- <p> --></section>six"
    "</body>never";

static void
divisions_are_texrexs(void)
{
    struct arena *a = arena_new();
    struct texrex_page p;

    texrex_divisions(&p, S(page_html), letters, a);
    CHECK(p.html5 && !p.html4 && !p.xhtml);
    CHECK(p.n == 5);
    CHECK(str_eq(p.division[0].text, S("One two three.")));
    CHECK(p.division[0].container == TEXREX_P && !p.division[0].after_end);
    CHECK(p.division[0].open == 3 && p.division[0].close == 2);
    /* <body>, <div>, <p> found no text before it */
    CHECK(p.division[0].skipped == 3);
    /* "One <b>two</b>\n  three.</p>": the end of a line counts twice, the last
     * byte not */
    CHECK(p.division[0].raw == 27);
    /* what stands in the form is left out, its tags and the blank of its <br>
     * count */
    CHECK(str_eq(p.division[1].text, S("Four")));
    CHECK(p.division[1].container == TEXREX_LI);
    CHECK(p.division[1].anchors == 1);
    CHECK(str_eq(p.division[2].text, S("Five")));
    CHECK(p.division[2].after_end && p.division[2].container == TEXREX_LI);
    CHECK(str_eq(p.division[3].text, S("six")));
    CHECK(p.division[3].after_end);
    CHECK(p.division[4].text.n == 0); /* the one at the end */
    arena_free(a);
}

static void
a_page_without_body_is_all_body(void)
{
    struct arena *a = arena_new();
    struct texrex_page p;

    texrex_divisions(&p, S("<title>T</title><p>One<p>two"), letters, a);
    CHECK(p.n == 4);
    CHECK(str_eq(p.division[1].text, S("One")));
    CHECK(str_eq(p.division[2].text, S("two")));
    texrex_divisions(&p, S(""), letters, a);
    CHECK(p.n == 1 && p.division[0].text.n == 0);
    CHECK(texrex_division_at(&p, 0) == TEXREX_NOWHERE ||
          texrex_division_at(&p, 0) == 0);
    arena_free(a);
}

static struct texrex_division
only(struct arena *a, const char *html)
{
    struct texrex_page p;

    texrex_divisions(&p, arena_printf(a, "<body>%s", html), letters, a);
    CHECK(p.n == 2);
    return p.division[0];
}

static void
references_and_addresses_are_replaced(void)
{
    struct arena *a = arena_new();
    struct texrex_division d =
        only(a, "caf&amp;eacute; &thetasym; &#x41;&nbsp");

    CHECK(str_eq(d.text, S("caf\xc3\xa9 &thetasym; A&nbsp")));
    d = only(a, "me@example.org or http://example.org/x?y, www.b.cz ok");
    CHECK(str_eq(d.text, S("emailblank or uriblank , uriblank ok")));
    CHECK(d.emails == 1 && d.uris == 2 && d.tags == 0);
    d = only(a, "one &lt;b&gt; two &lt;/b&gt; 1 &lt; 2");
    CHECK(str_eq(d.text, S("one two 1 < 2")));
    CHECK(d.tags == 2);
    arena_free(a);
}

static void
near(float got, double want)
{
    if (!(fabs((double)got - want) < 1e-5))
        fprintf(stderr, "%g, not %g\n", (double)got, want);
    CHECK(fabs((double)got - want) < 1e-5);
}

static void
features_are_counts_over_lengths(void)
{
    struct arena *a = arena_new();
    struct document d = {.arena = a};
    struct texrex_features f;
    const float *row;

    d.utf8 = S("<body><h2>Im Jahr 2014: \xc2\xa9 Wir. Ja</h2><p>Ende!");
    texrex_features(&f, &d, letters);
    CHECK(f.page.n == 3 && f.valid[0] && f.valid[1] && !f.valid[2]);
    row = f.row[0]; /* 23 characters, of which the last is not counted */
    near(row[0], 0.022);
    near(row[1], 22.0 / 26);
    near(row[6], 2.0 / 22);  /* : . */
    near(row[7], 11.0 / 17); /* five blanks */
    near(row[8], 4.0 / 17);
    near(row[13], 1.0 / 17);
    near(row[15], 4.0 / 11);
    near(row[16], 0);
    near(row[17], 0.22);
    near(row[18], 0.1);
    near(row[19], 1);
    near(row[20], 0);
    near(row[24 + TEXREX_H], 1);
    near(row[33], 0.5); /* <h2>, </h2> */
    near(f.row[1][20], 1);
    near(f.row[1][24 + TEXREX_P], 1);
    near(f.row[1][2], 2 * fabs((22 + 2.0) / 26 - 0.5));
    arena_free(a);
}

static void
blocks_get_the_row_of_their_division(void)
{
    struct texrex_features f;
    struct page p;

    page_read(&p,
              S("<body><p>One</p><dl><dt>two</dt><dd>three</dd></dl>"
                "<form><p>four</p></form><div>five</div>"),
              NULL);
    texrex_features(&f, &p.d, letters);
    CHECK(p.d.blocks_n == 5);
    CHECK(texrex_block_row(&f, &p.d, 0) == f.row[0]);
    /* texrex knows no <dt> and <dd>: one division */
    CHECK(texrex_block_row(&f, &p.d, 1) == f.row[1]);
    CHECK(texrex_block_row(&f, &p.d, 2) == f.row[1]);
    CHECK(texrex_block_row(&f, &p.d, 3) == NULL); /* texrex leaves it out */
    CHECK(texrex_block_row(&f, &p.d, 4) == f.row[2]);
    page_end(&p);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(divisions_are_texrexs),
        TEST(a_page_without_body_is_all_body),
        TEST(references_and_addresses_are_replaced),
        TEST(features_are_counts_over_lengths),
        TEST(blocks_get_the_row_of_their_division),
        {0}};
    int rc;

    letters = letters_new();
    rc = test_main(table, argc, argv);
    letters_free(letters);
    return rc;
}
