/* test_attached.c -- aim: tables and code amid text and notes of text are
 * judged as the text is where the classifier is in doubt, and nothing else is.
 */
#include "clean/blocks/block.h"
#include "clean/boilerplate/attached.h"
#include "test.h"

enum { BLOCKS_MAX = 16 };

/* A letter and a digit a block: t text, c code, m a formula, n a note of block
 * 0, f one that is called so, a an admonition, d a heading in a <div>, h one
 * that is not, l a link in a <div> in one; its value in tenths, + is .95. */
static void
gives(const char *page, const char *wanted)
{
    struct block_counts note = {.note = 1};
    struct block_counts footnote = {.note = 1, .footnote = true};
    struct block_counts admonition = {.admonition = true};
    struct block_counts h2 = {.tag = TAG_H2}, div = {.tag = TAG_DIV};
    struct block_counts link = {.tag = TAG_DIV, .link_bytes = 4};
    struct block blocks[BLOCKS_MAX] = {0};
    struct document d = {.blocks = blocks};
    char got[BLOCKS_MAX + 1] = "";

    for (const char *p = page; *p != '\0'; p += 2) {
        struct block *b = &blocks[d.blocks_n++];

        b->form.form = *p == 'c'                ? FORM_CODE
                       : strchr("dhl", *p) != 0 ? FORM_HEADING
                                                : FORM_PARAGRAPH;
        b->text = *p == 'm' ? S("\\[x = y\\]") : S("text");
        b->counts = *p == 'n'   ? &note
                    : *p == 'f' ? &footnote
                    : *p == 'a' ? &admonition
                    : *p == 'd' ? &div
                    : *p == 'h' ? &h2
                    : *p == 'l' ? &link
                                : NULL;
        b->boilerplate = p[1] == '+' ? 0.95f : (float)(p[1] - '0') / 10;
    }
    attached_keep(&d, 0.5f);
    for (uint32_t i = 0; i < d.blocks_n; i++)
        got[i] = (char)('0' + (int)(blocks[i].boilerplate * 10 + 0.5f));
    if (strcmp(got, wanted) != 0)
        printf("%s gives %s, not %s\n", page, got, wanted);
    CHECK(strcmp(got, wanted) == 0);
}

/* Cells are digits, rows end with '/': a table between text of .1 and text of
 * value `after` in tenths.  + is .95, a link .6. */
static void
table_gives(const char *table, int after, const char *wanted)
{
    struct block_counts link = {.link_bytes = 4};
    struct block blocks[BLOCKS_MAX] = {{.boilerplate = 0.1f}};
    struct document d = {.blocks = blocks, .blocks_n = 1};
    char got[BLOCKS_MAX + 1] = "";
    uint32_t row = 1;

    for (const char *p = table; *p != '\0'; p++)
        if (*p == '/')
            row++;
        else
            blocks[d.blocks_n++] = (struct block){
                .form = {.form = FORM_CELL, .table = 1, .row = row},
                .text = S("text"),
                .counts = *p == 'a' ? &link : NULL,
                .boilerplate = *p == '+'   ? 0.95f
                               : *p == 'a' ? 0.6f
                                           : (float)(*p - '0') / 10};
    blocks[d.blocks_n++].boilerplate = (float)after / 10;
    attached_keep(&d, 0.5f);
    for (uint32_t i = 1; i + 1 < d.blocks_n; i++)
        got[i - 1] = (char)('0' + (int)(blocks[i].boilerplate * 10 + 0.5f));
    if (strcmp(got, wanted) != 0)
        printf("%s gives %s, not %s\n", table, got, wanted);
    CHECK(strcmp(got, wanted) == 0);
}

static void
a_table_amid_text_is_text_as_a_whole(void)
{
    table_gives("44/47/68", 2, "444222");
    table_gives("46/46", 1, "4141");
}

static void
a_table_without_gaps_and_links_is_text_amid_text(void)
{
    table_gives("46/47/68", 2, "424222");
    table_gives("666/777/688", 2, "222222222");
    table_gives("666/77a/688", 2, "222222222");
}

static void
other_tables_stay_what_they_are(void)
{
    table_gives("46/47/68/6", 2, "4647686"); /* a third of it is text */
    table_gives("6/67/68", 2, "66768");
    table_gives("66/7/68", 2, "66768");
    table_gives("66/7+/68", 2, "667:68");
    table_gives("6a/6a/66", 2, "666666"); /* a third of it is links */
    table_gives("46/46", 8, "4646");      /* no text behind it */
    table_gives("4/6/4/6", 2, "4646");    /* one column */
    table_gives("4646", 2, "4646");       /* one row */
    table_gives("44/6", 2, "446");
}

static void
code_amid_text_is_text(void)
{
    gives("t1c7t2c3", "1223");
    gives("t1t9c6t7c8t2c3", "1927223");
    gives("t1c9c6t2c3t1", "122231");
}

static void
code_elsewhere_stays_what_it_is(void)
{
    gives("c7t1c3", "713");
    gives("t1c7t8t8t8t1c3", "1788813");
    gives("t1c7t8", "178");
}

/* Text, so many blocks of code of which the first is kept, text. */
static bool
is_attached(uint32_t code)
{
    struct block blocks[512] = {0};
    struct document d = {.blocks = blocks, .blocks_n = code + 2};

    for (uint32_t i = 1; i <= code; i++) {
        blocks[i].form.form = FORM_CODE;
        blocks[i].boilerplate = i == 1 ? 0.1f : 0.7f;
    }
    attached_keep(&d, 0.5f);
    return blocks[2].boilerplate < 0.5f;
}

static void
code_that_is_endless_is_not_looked_through(void)
{
    CHECK(is_attached(100));
    CHECK(!is_attached(500));
}

static void
an_admonition_amid_text_is_text(void)
{
    gives("t1a7a8t2", "1222");
    gives("t1a7a8c6a9a7a6t2c3", "122222223");
    gives("t1a+t2", "1:2");
    gives("a7t1a8t8t8t8", "718888");
}

static void
an_admonition_that_is_kept_is_text(void)
{
    gives("c1t9t9t9a2c7t1", "1999221");
    gives("t1c7a2c6t9t9t9c1", "12269991");
    gives("t9t9t9a2a7t1", "999221");
}

static void
a_formula_amid_text_is_text(void)
{
    gives("t1m6t2", "122");
    gives("t1m6", "16");
    gives("m6t1", "61");
}

static void
a_heading_in_a_div_is_text_amid_text(void)
{
    gives("t1d7t2", "122");
    gives("t1d7", "17");
    gives("t1d+t2", "1:2");
    gives("t1h7t2", "172");
    gives("t1l7t2", "172");
}

static void
where_no_code_is_text_none_is(void)
{
    gives("t1c7t1", "171");
}

static void
notes_of_text_are_text(void)
{
    gives("t1t9n7n9t8", "19118");
    gives("t1f+", "11");
    gives("t6f7", "67");
    gives("t1n+t1", "1:1");
    gives("t6n7", "67");
    gives("t1n2", "12");
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_table_amid_text_is_text_as_a_whole),
        TEST(a_table_without_gaps_and_links_is_text_amid_text),
        TEST(other_tables_stay_what_they_are),
        TEST(code_amid_text_is_text),
        TEST(code_elsewhere_stays_what_it_is),
        TEST(code_that_is_endless_is_not_looked_through),
        TEST(an_admonition_amid_text_is_text),
        TEST(an_admonition_that_is_kept_is_text),
        TEST(a_formula_amid_text_is_text),
        TEST(a_heading_in_a_div_is_text_amid_text),
        TEST(where_no_code_is_text_none_is),
        TEST(notes_of_text_are_text),
        {0},
    };

    return test_main(table, argc, argv);
}
