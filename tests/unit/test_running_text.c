/* What counts for badness is running text: code, tables, lists and numbers
 * around it say nothing against a page, nor do they save one that has nothing
 * else.  Pages go through the whole chain, with every block kept. */
#include "base/buf.h"
#include "clean/cleaner/cleaner_chain.h"
#include "test.h"

static const char prose[] =
    "<p>The mill at the edge of the village was built in the middle of the "
    "eighteenth century, and it was used until shortly after the war to grind "
    "the grain of the farmers who lived around it. After that it stood empty "
    "for many years, and nobody knew what should become of it.</p>"
    "<p>A group of people who live nearby have now collected enough money to "
    "have the sails made again. It took a long time before they were allowed "
    "to begin, but since last summer it has been turning every Saturday, and "
    "visitors can see how the flour is made.</p>";

static const char code[] =
    "<pre>static int next(struct queue *q, int n) { if (q->head == NULL) "
    "return -1; memmove(buf, q->head, n * sizeof *buf); q->head += n; "
    "printf(stderr, fmt, q->tail, len); goto fail; }</pre>";

static const char row[] =
    "<tr><td>Henderson</td><td>Watford</td><td>14:08.6</td><td>Wright</td>"
    "<td>Southampton</td><td>14:11.2</td><td>Safri</td><td>0.62</td></tr>";

static const char things[] =
    "<ul><li>Compact weight bench</li><li>Treadmill, kettlebell, mat</li>"
    "<li>Resistance bands set</li><li>Anker power station</li></ul>";

static const char *
text_of(struct buf *b)
{
    buf_char(b, '\0');
    return b->p;
}

struct cleaned {
    struct arena *arena;
    struct document d;
    struct cleaner *cleaner; /* owns the codes of languages */
};

static void
clean(struct cleaned *c, struct buf *html, const char *option)
{
    struct opts o;

    opts_init(&o);
    CHECK(opts_set(&o, "test", S("clean.language=en")) == ST_OK);
    CHECK(opts_set(&o, "test", S("clean.boilerplate_max=1")) == ST_OK);
    CHECK(opts_set(&o, "test", S("clean.chars_min=100")) == ST_OK);
    CHECK(opts_set(&o, "test", S("clean.duplicate_bytes_min=9999")) == ST_OK);
    CHECK(opts_set(&o, "test", str_c(option)) == ST_OK);
    *c = (struct cleaned){.arena = arena_new()};
    c->d = (struct document){.arena = c->arena,
                             .url_text = S("http://www.a.example/"),
                             .bytes = buf_view(html),
                             .content_type = S("text/html; charset=utf-8")};
    CHECK(cleaner_open(&c->cleaner, &o) == ST_OK);
    CHECK(cleaner_run(c->cleaner, &c->d, true) == ST_OK);
    opts_free(&o);
}

static void
finish(struct cleaned *c)
{
    cleaner_close(c->cleaner);
    arena_free(c->arena);
}

static const char keep[] = "clean.fragments=keep";

/* `first`, and then so many times `other`. */
static double
badness(const char *first, const char *other, int times)
{
    struct buf html = {0};
    struct cleaned c;
    double b;

    buf_c(&html, "<!doctype html><title>t</title><body>");
    buf_c(&html, first);
    for (int i = 0; i < times; i++)
        buf_c(&html, other);
    clean(&c, &html, keep);
    b = c.d.badness;
    finish(&c);
    buf_free(&html);
    return b;
}

static void
what_is_no_running_text_does_not_count_against_a_page(void)
{
    double alone = badness(prose, "", 0);

    CHECK(alone < 5);
    CHECK(badness(prose, code, 4) == alone);
    CHECK(badness(prose, things, 7) == alone);
    CHECK(badness(prose, "<h2>Pros and cons</h2><p>Price: $ 299</p>", 12) ==
          alone);
    CHECK(badness(prose,
                  "<p>Subs: Poom, Ellington, Mariappa, Ainsworth, "
                  "O'Toole; Doyley, Shittu, DeMerit.</p>",
                  8) == alone);
}

static void
a_table_of_numbers_does_not_count(void)
{
    struct buf table = {0};

    buf_c(&table, "<table>");
    for (int i = 0; i < 12; i++)
        buf_c(&table, row);
    buf_c(&table, "</table>");
    CHECK(badness(prose, text_of(&table), 1) == badness(prose, "", 0));
    CHECK(badness("", text_of(&table), 1) > 20);
    buf_free(&table);
}

static void
a_layout_table_is_no_table(void)
{
    struct buf page = {0};

    buf_printf(&page, "<table><tr><td>%s</td></tr></table>", prose);
    CHECK(badness(text_of(&page), "", 0) == badness(prose, "", 0));
    buf_free(&page);
}

static void
a_page_that_is_all_fragments_is_judged_by_them(void)
{
    CHECK(badness("", code, 6) > 20);
    CHECK(badness("", things, 8) > 20);
    /* neither do two sentences save a page of 500 words of code */
    CHECK(badness("<p>It is free for all of you to use. Have a look at it and "
                  "tell us what you think of it, and then we will see what we "
                  "can do about it in the days to come, with the help of all "
                  "of those who have been with us for such a long time, and "
                  "of the ones who are not here.</p>",
                  code, 24) > 12);
}

static void
bad_text_is_bad_whatever_stands_around_it(void)
{
    static const char salad[] =
        "<p>Village the built mill was of edge the in middle at of century "
        "the eighteenth. Until war it the used shortly was to grain grind and "
        "after farmers of around lived it who the. Years that empty after "
        "stood many it for, of and knew become should what nobody it.</p>"
        "<p>Group now live a who nearby of collected money people have enough "
        "to again made sails have the. They time took it before a to allowed "
        "were long begin, since but it summer last turning been Saturday has "
        "every, see and visitors made can flour how is the.</p>";

    CHECK(badness(salad, "", 0) > 12);
    CHECK(badness(salad, code, 3) > 12);
}

/* Merck, Sanofi and Geneva take from the common words and from their order. */
static void
names_in_sentences_are_no_word_salad(void)
{
    static const char names[] =
        "Narayan, 71, was chairman of microbiology, molecular genetics and "
        "immunology at Kansas University. Narayan also directed the Marion "
        "Merrell Dow Laboratory of Viral Pathogenesis at KU Medical Center, "
        "where ImmunoGenetix Therapeutics Inc. was founded. James Laufenberg, "
        "who runs ImmunoGenetix, said the company was created to sell HIV "
        "research that Narayan had done there. A six-protein DNA construct, "
        "dubbed GenePro, stimulates the immune system to suppress HIV without "
        "the hazards of earlier attempts to develop a weakened vaccine, "
        "Laufenberg said. Other researchers work on similar products in "
        "Boston, Geneva and Johannesburg, among them Merck, Sanofi, Crucell.";

    /* 10.4 if as much order were expected as among common words */
    CHECK(badness(names, "", 0) < 9);
}

/* The kept text with this option. */
static void
kept_text(struct buf *out, const char *option)
{
    struct buf html = {0};
    struct cleaned c;

    buf_printf(&html, "<title>t</title><h1>The mill</h1>%s%s%s", prose, code,
               things);
    clean(&c, &html, option);
    document_text(&c.d, out);
    CHECK(c.d.reject == VERDICT_NONE);
    finish(&c);
    buf_free(&html);
}

static void
fragments_can_be_dropped(void)
{
    struct buf all = {0}, running = {0};

    kept_text(&all, keep);
    kept_text(&running, "clean.fragments=drop");
    CHECK(strstr(text_of(&all), "memmove") &&
          strstr(text_of(&all), "kettlebell"));
    CHECK(!strstr(text_of(&running), "memmove") &&
          !strstr(text_of(&running), "kettlebell"));
    CHECK(strstr(text_of(&running), "The mill\n") != NULL);
    CHECK(strstr(text_of(&running), "how the flour is made") != NULL);
    buf_free(&all);
    buf_free(&running);
}

static void
the_published_badness_is_of_all_words(void)
{
    static const char option[] = "clean.badness=published";
    struct buf plain = {0}, mixed = {0};
    struct cleaned a, b;

    buf_c(&plain, prose);
    buf_printf(&mixed, "%s%s%s", prose, code, code);
    clean(&a, &plain, option);
    clean(&b, &mixed, option);
    CHECK(b.d.badness > a.d.badness);
    finish(&a);
    finish(&b);
    buf_free(&plain);
    buf_free(&mixed);
}

static const char german[] =
    "<p>Die M\xc3\xbchle am Rand des Dorfes wurde in der Mitte des "
    "achtzehnten Jahrhunderts gebaut und bis kurz nach dem Krieg genutzt, um "
    "das Korn der Bauern zu mahlen, die um sie herum lebten. Danach stand sie "
    "viele Jahre leer, und niemand wusste, was aus ihr werden sollte.</p>";

/* The document of these pieces, to be freed with its arena. */
static void
clean_all(struct cleaned *c, const char *const *pieces)
{
    struct buf html = {0};

    buf_c(&html, "<!doctype html><title>t</title><body>");
    for (; *pieces != NULL; pieces++)
        buf_c(&html, *pieces);
    clean(c, &html, keep);
    buf_free(&html);
}

static void
a_sentence_with_a_lost_character_is_not_kept(void)
{
    struct buf text = {0};
    struct cleaned c;

    clean_all(&c,
              (const char *const[]){prose,
                                    "<p>The caf\xef\xbf\xbd is open "
                                    "on Sundays for all of us. Nobody has "
                                    "to pay for it who does not want to sit "
                                    "outside.</p>",
                                    "<p>So is the kiosk&#65533; in the park "
                                    "behind it, for some.</p>",
                                    NULL});
    document_text(&c.d, &text);
    CHECK(strstr(text_of(&text), "how the flour is made") != NULL);
    CHECK(strstr(text_of(&text), "on Sundays") == NULL);
    CHECK(strstr(text_of(&text), "Nobody has to pay") != NULL);
    CHECK(strstr(text_of(&text), "behind it") == NULL);
    CHECK(strstr(text_of(&text), "\xef\xbf\xbd") == NULL);
    CHECK(c.d.kept_blocks_n == 3);
    buf_free(&text);
    finish(&c);
}

static void
a_mixed_page_has_shares_by_language(void)
{
    struct cleaned c;

    clean_all(&c, (const char *const[]){prose, german, code, things, NULL});
    CHECK(c.d.languages_n == 2);
    CHECK(str_eq(c.d.languages[0].language, S("en")));
    CHECK(str_eq(c.d.languages[1].language, S("de")));
    CHECK(c.d.languages[0].share > 0.6F && c.d.languages[0].share < 0.75F);
    CHECK(c.d.languages[0].share + c.d.languages[1].share > 0.999F);
    finish(&c);
    clean_all(&c, (const char *const[]){prose, code, things, NULL});
    CHECK(c.d.languages_n == 1);
    finish(&c);
    clean_all(&c, (const char *const[]){code, things, NULL});
    CHECK(c.d.languages_n == 0);
    finish(&c);
}

/* Lists of Latin letters were Arabic: less was missing from a profile of few
 * common words than from the one for English. */
static void
a_list_is_in_no_language_of_another_script(void)
{
    static const char list[] =
        "<ul><li>Compact bench<li>Treadmill kettlebell<li>Resistance bands"
        "<li>Anker station<li>Wright Henderson<li>Safri Surman<li>Doyley "
        "Shittu<li>Bothroyd McNamee<li>Rasiak Saganowski<li>Viafara Idiakez"
        "<li>Lundekvam Makin<li>Ostlund Powell<li>Vignal Baird</ul>";
    static const char arabic[] =
        "<p>\xd9\x81\xd9\x8a \xd9\x85\xd9\x86 \xd8\xb9\xd9\x84\xd9\x89 "
        "\xd8\xa5\xd9\x84\xd9\x89 \xd8\xb9\xd9\x86 \xd8\xa3\xd9\x86</p>";
    struct cleaned c;

    clean_all(&c, (const char *const[]){list, list, list, list, list, list,
                                        list, list, NULL});
    CHECK(!str_eq(c.d.language_best, S("ar")));
    CHECK(c.d.reject == VERDICT_BADNESS);
    CHECK(str_starts(c.d.reject_detail,
                     S("badness 50, at most 12 (clean.badness_max): word ")));
    finish(&c);
    clean_all(&c, (const char *const[]){arabic, arabic, arabic, arabic, arabic,
                                        arabic, arabic, arabic, NULL});
    CHECK(str_eq(c.d.language_best, S("ar")));
    finish(&c);
}

static void
a_rejection_says_what_was_not_met(void)
{
    struct cleaned c;

    clean_all(&c, (const char *const[]){german, german, german, NULL});
    CHECK(c.d.reject == VERDICT_LANGUAGE);
    CHECK(str_starts(c.d.reject_detail, S("lead of another language ")));
    CHECK(str_find(c.d.reject_detail, 'd', 0) < c.d.reject_detail.n &&
          str_ends(c.d.reject_detail, S(" in de")));
    finish(&c);
    clean_all(&c, (const char *const[]){"<p>It is closed.</p>", NULL});
    CHECK(c.d.reject == VERDICT_SHORT);
    CHECK(str_eq(c.d.reject_detail, S("characters of text 13, at least 100 "
                                      "(clean.chars_min)")));
    finish(&c);
    clean_all(&c, (const char *const[]){prose, NULL});
    CHECK(c.d.reject == VERDICT_NONE && c.d.reject_detail.n == 0);
    finish(&c);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_mixed_page_has_shares_by_language),
        TEST(a_list_is_in_no_language_of_another_script),
        TEST(a_rejection_says_what_was_not_met),
        TEST(what_is_no_running_text_does_not_count_against_a_page),
        TEST(a_table_of_numbers_does_not_count),
        TEST(a_layout_table_is_no_table),
        TEST(a_page_that_is_all_fragments_is_judged_by_them),
        TEST(bad_text_is_bad_whatever_stands_around_it),
        TEST(names_in_sentences_are_no_word_salad),
        TEST(fragments_can_be_dropped),
        TEST(a_sentence_with_a_lost_character_is_not_kept),
        TEST(the_published_badness_is_of_all_words),
        {0},
    };

    return test_main(table, argc, argv);
}
