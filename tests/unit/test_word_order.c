/* Tables of word order: read and written without loss, refused when faulty;
 * learned from made sentences they tell these from the same words shuffled.
 *
 * The texts are made by a tiny grammar, so that what follows what is known. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/random.h"
#include "clean/language/order_cluster.h"
#include "clean/language/order_learn.h"
#include "test.h"

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

static const char small[] = "!order|3|2|4|1.500|4.000|0.750\n"
                            "!word|DE|-1.000|1\n"
                            "!word|É|-2.000|3\n"
                            "!class|AMNZ|\n"
                            "!class|MMMM|EN\n"
                            "!class|ZMMA|Я N ЕНИ\n"
                            "!class|MMMB|\n";

static void
a_printed_table_reads_back(void)
{
    struct arena *a = arena_new();
    struct word_order *o;
    struct buf text = {0};

    CHECK(parse(&o, a, small) == ST_OK);
    CHECK(o->words_n == 2 && o->classes_n == 4);
    CHECK(near(o->running, 1.5) && near(o->spread, 4) && near(o->common, .75));
    CHECK(o->cells[0][0] == ORDER_CELL_MIN && o->cells[0][1] == 0 &&
          o->cells[0][3] == ORDER_CELL_MAX);
    order_print(o, &text);
    CHECK(str_eq(buf_view(&text), str_c(small)));
    buf_free(&text);
    arena_free(a);
}

static void
faulty_tables_are_refused(void)
{
    static const char *const bad[] = {
        "!order|2|0|1|1.5|4|1\n",                     /* older version */
        "!order|4|0|1|1.5|4|1\n",                     /* newer version */
        "!order|3|251|1|1.5|4|1\n",                   /* too many words */
        "!order|3|2|65|1.5|4|1\n",                    /* and classes */
        "!order|3|2|0|1.5|4|1\n",                     /* no class */
        "!order|3|0|1|nan|4|1\n",                     /* no number */
        "!order|3|0|1|1|-1|1\n",                      /* negative variance */
        "!order|3|0|1|-1|1|1\n",                      /* negative excess */
        "!order|3|0|1|1|1\n",                         /* too few fields */
        "!order|3|0|1|1|1|1\n!order|3|0|1|1|1|1\n",   /* twice */
        "!class|M|\n",                                /* no head */
        "!order|3|1|1|1|1|1\n!word||-1|0\n",          /* no word */
        "!order|3|1|1|1|1|1\n!word|A|-1|1\n",         /* no such class */
        "!order|3|1|1|1|1|1\n!word|A|1|0\n",          /* share over 1 */
        "!order|3|0|1|1|1|1\n!word|A|-1|0\n",         /* a word too many */
        "!order|3|0|2|1|1|1\n!class|M|\n",            /* short row */
        "!order|3|0|2|1|1|1\n!class|MMM|\n",          /* long row */
        "!order|3|0|2|1|1|1\n!class|Mm|\n",           /* no cell */
        "!order|3|0|1|1|1|1\n!class|M|LONG\n",        /* long ending */
        "!order|3|0|1|1|1|1\n!class|M|\n!class|M|\n", /* a row too many */
    };
    struct arena *a = arena_new();
    struct word_order *o;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(parse(&o, a, bad[i]) == ST_INVALID);
    CHECK(parse(&o, a, "!order|3|1|1|1|1|1\n!class|M|\n") == ST_NONE);
    CHECK(!order_is_line(S("!STOPWORD")) && !order_is_line(S("DE|-1|1|5")));
    arena_free(a);
}

static uint8_t
class_of(const struct word_order *o, const char *word)
{
    return order_class(o, str_c(word), hash64(str_c(word)));
}

static void
words_fall_into_classes_by_their_longest_ending(void)
{
    struct arena *a = arena_new();
    struct word_order *o;
    struct str word = S("МОЯ");

    CHECK(parse(&o, a, small) == ST_OK);
    CHECK(class_of(o, "DE") == 1 && class_of(o, "É") == 3);
    CHECK(class_of(o, "МОЯ") == 2 && class_of(o, "Я") == 2);
    CHECK(class_of(o, "LOPEN") == 1 && class_of(o, "EN") == 1);
    CHECK(class_of(o, "MOLN") == 2 && class_of(o, "N") == 2);
    CHECK(class_of(o, "ЧТЕНИ") == 2 && class_of(o, "НИ") == 0);
    CHECK(class_of(o, "DER") == 0 && class_of(o, "") == 0);
    CHECK(order_ending(&word, 2) != 0 && str_eq(word, S("ОЯ")));
    CHECK(order_ending(&word, 3) == 0 && order_ending(&word, 4) == 0);
    arena_free(a);
}

/* Five letters in ten code points. */
static void
marks_are_no_letters_of_an_ending(void)
{
    static const char *const endings[] = {"ு",   "கு",   "்கு",
                                          "க்கு", "ுக்கு", "டுக்கு"};
    struct arena *a = arena_new();
    uint64_t keys[ORDER_ENDING_POINTS];
    struct word_order *o;

    for (uint32_t i = 0; i < ORDER_ENDING_POINTS; i++) {
        struct str word = S("நாட்டுக்கு");

        keys[i] = order_ending(&word, i + 1);
        CHECK(keys[i] != 0 && str_eq(word, str_c(endings[i])));
        for (uint32_t k = 0; k < i; k++)
            CHECK(keys[k] != keys[i]);
        word = S("நாட்டுக்கு");
        CHECK(order_ending(&word, ORDER_ENDING_POINTS + 1) == 0);
    }
    CHECK(parse(&o, a,
                "!order|3|1|3|1.000|2.000|0.500\n!word|DE|-1.500|1\n"
                "!class|MMM|\n!class|MMM|டுக்கு\n!class|MMM|ு\n") == ST_OK);
    CHECK(class_of(o, "நாட்டுக்கு") == 1 && class_of(o, "டுக்கு") == 1);
    CHECK(class_of(o, "கடிக்கு") == 2 && class_of(o, "நாடு") == 2);
    CHECK(parse(&o, a,
                "!order|3|1|2|1.000|2.000|0.500\n!word|DE|-1.500|1\n"
                "!class|MM|\n!class|MM|நாட்டுக்கு\n") == ST_INVALID);
    arena_free(a);
}

/* Adds up the excess of all orders of the words from the k-th on. */
static void
all_orders(const struct word_order *o, const uint8_t *class, uint32_t *sequence,
           uint32_t k, uint32_t n, double *total, int *orders)
{
    if (k == n) {
        *total += order_excess(o, class, sequence, n);
        ++*orders;
        return;
    }
    for (uint32_t i = k; i < n; i++) {
        uint32_t first = sequence[k], other = sequence[i];

        sequence[k] = other;
        sequence[i] = first;
        all_orders(o, class, sequence, k + 1, n, total, orders);
        sequence[k] = first;
        sequence[i] = other;
    }
}

static void
the_excess_is_what_is_above_the_mean_of_all_orders(void)
{
    enum { N = 5 };
    const uint8_t class[] = {0, 1, 2, 3};
    uint32_t sequence[N] = {0, 3, 2, 0, 1};
    struct arena *a = arena_new();
    struct word_order *o;
    double total = 0;
    int orders = 0;

    CHECK(parse(&o, a, small) == ST_OK);
    all_orders(o, class, sequence, 0, N, &total, &orders);
    CHECK(orders == 120 && near(total, 0));
    CHECK(near(order_excess(o, class, sequence, 1), 0));
    CHECK(near(order_excess(o, class, sequence, 0), 0));
    for (int i = 0; i < N; i++)
        sequence[i] = 3;
    sequence[0] = 0; /* 0 3 3 3 3: the first cell is 13, the others -11 */
    CHECK(near(order_excess(o, class, sequence, N),
               (13.0 - 33) / 4 - (4 * 13 - 12 * 11.0) / 20));
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
    enum { TEXTS = 100 };
    struct letters *letters = letters_new();
    struct arena *a = arena_new();
    struct random r = random_seed(1);
    struct words w, none;
    uint32_t start[TEXTS + 1] = {0};
    const struct order_sample one = {&w, &none, start, 1},
                              sample = {&w, &none, start, TEXTS};
    struct word_order *o, *half;
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
    CHECK(order_learn(&one, 2, 1, a) == NULL);
    o = order_learn(&sample, 2, 1, a);
    CHECK(o != NULL && order_complete(o) && o->words_n == 2);
    CHECK(str_eq(o->words[0].text, S("DE")));
    CHECK(
        near(o->words[0].share, log10((double)w.types[0].count / w.hashes_n)));
    CHECK(o->running > 1 && o->spread > 0 && o->common > 0);
    half = order_learn(&sample, 2, 0.5, a);
    CHECK(near(half->running * 2, o->running) &&
          near(half->common * 2, o->common));
    class = arena_alloc(a, w.types_n);
    for (uint32_t i = 0; i < w.types_n; i++)
        class[i] = order_class(o, w.types[i].text, w.types[i].hash);
    for (int i = 0; i < TEXTS; i++) {
        uint32_t n = start[i + 1] - start[i], *text = w.sequence + start[i];

        CHECK(order_excess(o, class, text, n) > 0.8 * o->running);
        shuffle(&r, text, n);
        CHECK(order_excess(o, class, text, n) < 0.5 * o->running);
    }
    arena_free(a);
    letters_free(letters);
}

/* Articles, nouns of two genders and verbs, many of each: items that follow the
 * same ones come together. */
static void
items_that_stand_alike_share_a_class(void)
{
    enum { ITEMS = 31, CLASSES = 3, SENTENCES = 5000 };
    struct random r = random_seed(2);
    struct arena *a = arena_new();
    uint32_t *pairs = ARENA_ARRAY(a, uint32_t, ITEMS * ITEMS), last = 0;
    uint8_t class[ITEMS];

    for (int i = 0; i < SENTENCES; i++)
        for (uint32_t kind = 0; kind < 3; kind++) {
            uint32_t item = 1 + kind + 3 * (uint32_t)random_below(&r, 10);

            pairs[last * ITEMS + item]++;
            last = item;
        }
    order_cluster(class, pairs, ITEMS, CLASSES, a);
    for (uint32_t i = 4; i < ITEMS; i++)
        CHECK(class[i] == class[i - 3]);
    CHECK(class[1] != class[2] && class[2] != class[3] && class[1] != class[3]);
    CHECK(class[0] == 0);
    arena_free(a);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(a_printed_table_reads_back),
        TEST(faulty_tables_are_refused),
        TEST(words_fall_into_classes_by_their_longest_ending),
        TEST(marks_are_no_letters_of_an_ending),
        TEST(the_excess_is_what_is_above_the_mean_of_all_orders),
        TEST(a_learned_table_tells_running_from_shuffled_text),
        TEST(items_that_stand_alike_share_a_class),
        {0},
    };

    return test_main(table, argc, argv);
}
