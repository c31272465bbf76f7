/* Tables of word order: read and written without loss, refused when faulty;
 * learned from made sentences they tell these from the same words shuffled.
 *
 * The texts are made by a tiny grammar, so that what follows what is known. */
#include <math.h>
#include <stdlib.h>

#include "clean/text/order_learn.h"
#include "test.h"
#include "winnow/buf.h"
#include "winnow/random.h"

static bool
near(double x, double y)
{
    return fabs(x - y) < 1e-9;
}

static enum status
parse(struct word_order **o, struct arena *a, const char *text)
{
    struct str rest = str_c(text), line;
    enum status st = ST_OK;

    *o = NULL;
    while (st == ST_OK && str_cut(&rest, '\n', &line))
        st = order_is_line(line) ? order_parse_line(o, a, line) : ST_OK;
    return st == ST_OK && (*o == NULL || !order_complete(*o)) ? ST_NONE : st;
}

static const char small[] = "!order|2|2|1|1.500|4.000\n"
                            "!word|DE|-1.000|AMNZ\n"
                            "!word|É|-2.000|MMMM\n"
                            "!ending|Я|-0.500|ZMMA\n"
                            "!rest||-1.000|MMMM\n";

static void
a_printed_table_reads_back(void)
{
    struct arena *a = arena_new();
    struct word_order *o;
    struct buf text = {0};

    CHECK(parse(&o, a, small) == ST_OK);
    CHECK(o->words_n == 2 && o->endings_n == 1 && o->classes_n == 4);
    CHECK(near(o->running, 1.5) && near(o->spread, 4));
    CHECK(o->cells[0] == ORDER_CELL_MIN && o->cells[1] == 0 &&
          o->cells[3] == ORDER_CELL_MAX);
    order_print(o, &text);
    CHECK(str_eq(buf_view(&text), str_c(small)));
    buf_free(&text);
    arena_free(a);
}

static void
faulty_tables_are_refused(void)
{
    static const char *const bad[] = {
        "!order|1|2|1|1.5|4\n",                       /* version */
        "!order|3|2|1|1.5|4\n",                       /* newer version */
        "!order|2|97|1|1.5|4\n",                      /* too many words */
        "!order|2|2|32|1.5|4\n",                      /* and endings */
        "!order|2|0|0|nan|4\n",                       /* no number */
        "!order|2|0|0|1|-1\n",                        /* negative variance */
        "!order|2|0|0|1\n",                           /* too few fields */
        "!order|2|0|0|1|1\n!order|2|0|0|1|1\n",       /* twice */
        "!rest||-1|M\n",                              /* no head */
        "!order|2|1|0|1|1\n!ending|E|-1|MM\n",        /* wrong kind */
        "!order|2|1|0|1|1\n!word||-1|MM\n",           /* no word */
        "!order|2|0|0|1|1\n!rest|X|-1|M\n",           /* a word */
        "!order|2|1|0|1|1\n!word|A|-1|M\n",           /* short row */
        "!order|2|1|0|1|1\n!word|A|-1|MMM\n",         /* long row */
        "!order|2|1|0|1|1\n!word|A|-1|Mm\n",          /* no cell */
        "!order|2|1|0|1|1\n!word|A|1|MM\n",           /* share over 1 */
        "!order|2|0|0|1|1\n!rest||0|M\n!rest||0|M\n", /* one row too many */
    };
    struct arena *a = arena_new();
    struct word_order *o;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(parse(&o, a, bad[i]) == ST_INVALID);
    CHECK(parse(&o, a, "!order|2|1|0|1|1\n!word|A|-1|MM\n") == ST_NONE);
    CHECK(!order_is_line(S("!STOPWORD")) && !order_is_line(S("DE|-1|1|5")));
    arena_free(a);
}

static void
words_fall_into_classes_by_their_last_letter(void)
{
    struct arena *a = arena_new();
    struct word_order *o;

    CHECK(parse(&o, a, small) == ST_OK);
    CHECK(order_ending(o, S("МОЯ")) == 2);
    CHECK(order_ending(o, S("МОИ")) == 3);
    CHECK(order_ending(o, S("DE")) == 3);
    CHECK(order_ending(o, S("")) == 3);
    CHECK(order_last_letter(S("aé")) == 0xe9 && order_last_letter(S("")) == 0);
    arena_free(a);
}

static void
the_sum_is_that_of_all_pairs(void)
{
    const uint8_t class[] = {0, 1, 2, 3};
    const uint32_t sequence[] = {0, 3, 2, 0, 0, 1, 2};
    struct arena *a = arena_new();
    struct word_order *o;
    int64_t naive = 0;

    CHECK(parse(&o, a, small) == ST_OK);
    for (int i = 1; i < 7; i++)
        naive += o->cells[sequence[i - 1] * ORDER_CLASSES_MAX + sequence[i]];
    CHECK(order_sum(o, class, sequence, 7) == naive);
    CHECK(order_sum(o, class, sequence, 1) == 0);
    CHECK(order_sum(o, class, sequence, 0) == 0);
    arena_free(a);
}

static void
lost_order_goes_from_running_to_shuffled(void)
{
    struct arena *a = arena_new();
    struct word_order *o;
    double last = 0;

    CHECK(parse(&o, a, small) == ST_OK);
    o->running = 2;
    o->shuffled = -2;
    o->spread = 0;
    CHECK(near(order_lost(o, 200, 101), 0) && near(order_lost(o, 900, 101), 0));
    CHECK(near(order_lost(o, -200, 101), 1) &&
          near(order_lost(o, -900, 101), 1));
    for (int64_t sum = 200; sum >= -200; sum -= 10) {
        CHECK(order_lost(o, sum, 101) >= last);
        last = order_lost(o, sum, 101);
    }
    o->spread = 100; /* few words say little */
    CHECK(order_lost(o, 0, 101) < order_lost(o, 0, 100001));
    CHECK(near(order_lost(o, -5, 1), 0));
    o->shuffled = 2; /* a table that says nothing */
    CHECK(near(order_lost(o, -900, 101), 0));
    arena_free(a);
}

/* An article, a noun, a verb; now and then a preposition with another noun. */
static void
make_text(struct random *r, struct buf *out, int sentences)
{
    static const char *const noun[] = {"molen", "boer", "dorp", "storm",
                                       "tuin"};
    static const char *const verb[] = {"ziet", "kent", "maakt", "wacht"};

    for (int i = 0; i < sentences; i++) {
        buf_printf(out, "de %s %s", noun[random_below(r, 5)],
                   verb[random_below(r, 4)]);
        if (random_below(r, 2))
            buf_printf(out, " in de %s", noun[random_below(r, 5)]);
        buf_c(out, " ");
    }
}

static void
shuffle(struct random *r, uint32_t *sequence, uint32_t n)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = (uint32_t)random_below(r, i), swap = sequence[i - 1];

        sequence[i - 1] = sequence[k];
        sequence[k] = swap;
    }
}

static void
a_learned_table_tells_running_from_shuffled_text(void)
{
    enum { TEXTS = 40 };
    struct letters *letters = letters_new();
    struct arena *a = arena_new();
    struct random r = random_seed(1);
    struct words w, none;
    uint32_t start[TEXTS + 1] = {0};
    struct word_order *o;
    uint8_t *class;

    words_init(&w, letters, a);
    words_init(&none, letters, a);
    for (int i = 0; i < TEXTS; i++) {
        struct buf text = {0};

        make_text(&r, &text, 20);
        words_add(&w, buf_view(&text));
        start[i + 1] = w.hashes_n;
        buf_free(&text);
    }
    CHECK(order_learn(&w, &none, start, 1, 2, a) == NULL);
    o = order_learn(&w, &none, start, TEXTS, 2, a);
    CHECK(o != NULL && o->words_n == 2 && o->endings_n >= 4);
    CHECK(str_eq(o->classes[0].text, S("DE")));
    CHECK(o->running > 0 && o->shuffled < 0 && o->spread > 0);
    class = arena_alloc(a, w.types_n);
    for (uint32_t i = 0; i < w.types_n; i++)
        class[i] = str_eq(w.types[i].text, o->classes[0].text) ? 0
                   : str_eq(w.types[i].text, o->classes[1].text)
                       ? 1
                       : order_ending(o, w.types[i].text);
    for (int i = 0; i < TEXTS; i++) {
        uint32_t n = start[i + 1] - start[i], *text = w.sequence + start[i];

        CHECK(order_lost(o, order_sum(o, class, text, n), n) < 0.2);
        shuffle(&r, text, n);
        CHECK(order_lost(o, order_sum(o, class, text, n), n) > 0.5);
    }
    arena_free(a);
    letters_free(letters);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_printed_table_reads_back),
        TEST(faulty_tables_are_refused),
        TEST(words_fall_into_classes_by_their_last_letter),
        TEST(the_sum_is_that_of_all_pairs),
        TEST(lost_order_goes_from_running_to_shuffled),
        TEST(a_learned_table_tells_running_from_shuffled_text),
        {0},
    };

    return test_main(table, argc, argv);
}
