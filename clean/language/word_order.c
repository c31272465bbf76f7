/* word_order.c -- reads and writes tables of word order and sums them up over a
 * text: one addition a pair, and once a text as many as a table has cells. */
#include "word_order.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "clean/chain/codepoint.h"
#include "clean/text/letters.h"

#define POINT_BITS 21 /* of a code point */
#define KEY_POINTS 3  /* so many make up a key; longer ones are hashed */
#define KEY_LONG ((uint64_t)1 << 62)

bool
order_is_line(struct str line)
{
    return str_starts(line, S("!order|")) || str_starts(line, S("!word|")) ||
           str_starts(line, S("!class|"));
}

static bool
real_within(struct str text, double low, double high, double *out)
{
    /* written so that NaN fails */
    return str_real(text, out) && *out >= low && *out <= high;
}

static bool
count_within(struct str text, uint64_t low, uint64_t high, uint32_t *out)
{
    uint64_t n;

    if (!str_u64(text, &n) || n < low || n > high)
        return false;
    *out = (uint32_t)n;
    return true;
}

struct word_order *
order_new(struct arena *a, uint32_t words_n, uint32_t classes_n)
{
    struct word_order *o = ARENA_NEW(a, struct word_order);

    o->words_n = words_n;
    o->classes_n = classes_n;
    o->words = ARENA_ARRAY(a, struct order_word, words_n + 1);
    o->endings = ARENA_ARRAY(a, struct str, classes_n);
    o->cells = arena_alloc(a, classes_n * sizeof *o->cells);
    return o;
}

/* `fields`: what stands behind "!order|". */
static enum status
parse_head(struct word_order **out, struct arena *a, struct str fields)
{
    struct str version, words, classes, running, spread;
    double common, excess, variance;
    uint32_t version_n, words_n, classes_n;

    if (*out != NULL || !str_cut(&fields, '|', &version) ||
        !str_cut(&fields, '|', &words) || !str_cut(&fields, '|', &classes) ||
        !str_cut(&fields, '|', &running) || !str_cut(&fields, '|', &spread) ||
        !count_within(version, ORDER_VERSION, ORDER_VERSION, &version_n) ||
        !count_within(words, 0, ORDER_WORDS_MAX, &words_n) ||
        !count_within(classes, 1, ORDER_CLASSES_MAX, &classes_n) ||
        !real_within(running, 0, 20, &excess) ||
        !real_within(spread, 0, 10000, &variance) ||
        !real_within(fields, 0, 20, &common))
        return ST_INVALID;
    *out = order_new(a, words_n, classes_n);
    (*out)->running = excess;
    (*out)->spread = variance;
    (*out)->common = common;
    return ST_OK;
}

bool
order_complete(const struct word_order *o)
{
    return o->words_read == o->words_n && o->classes_read == o->classes_n;
}

static enum status
parse_word(struct word_order *o, struct arena *a, struct str line)
{
    struct order_word *w = &o->words[o->words_read];
    struct str text, share;
    uint32_t class;

    if (o->words_read == o->words_n || !str_cut(&line, '|', &text) ||
        !str_cut(&line, '|', &share) || text.n == 0 || text.n > 256 ||
        !real_within(share, -20, 0, &w->share) ||
        !count_within(line, 0, o->classes_n - 1, &class))
        return ST_INVALID;
    w->text = arena_str(a, text);
    w->hash = hash64(text);
    w->class = (uint8_t) class;
    o->words_read++;
    return ST_OK;
}

/* A row of cells and the endings of its class. */
static enum status
parse_class(struct word_order *o, struct arena *a, struct str line)
{
    int8_t *cells = o->cells[o->classes_read];
    struct str row;

    if (o->classes_read == o->classes_n || !str_cut(&line, '|', &row) ||
        row.n != o->classes_n)
        return ST_INVALID;
    for (size_t i = 0; i < row.n; i++) {
        if (row.p[i] < 'A' || row.p[i] > 'Z')
            return ST_INVALID;
        cells[i] = (int8_t)(row.p[i] - 'A' + ORDER_CELL_MIN);
    }
    o->endings[o->classes_read++] = arena_str(a, line);
    return ST_OK;
}

enum status
order_parse_line(struct word_order **o, struct arena *a, struct str line)
{
    const struct str head = STR("!order|"), word = STR("!word|"),
                     class = STR("!class|");
    enum status st;

    if (str_starts(line, head))
        return parse_head(o, a, str_sub(line, head.n, line.n));
    if (*o == NULL)
        return ST_INVALID;
    st = str_starts(line, word)
             ? parse_word(*o, a, str_sub(line, word.n, line.n))
             : parse_class(*o, a, str_sub(line, class.n, line.n));
    return st == ST_OK && order_complete(*o) ? order_finish(*o, a) : st;
}

void
order_print_real(struct buf *out, double x)
{
    long long thousandths = llround(fabs(x) * 1000);

    buf_printf(out, "%s%lld.%03lld", x < 0 ? "-" : "", thousandths / 1000,
               thousandths % 1000);
}

void
order_print(const struct word_order *o, struct buf *out)
{
    buf_printf(out, "!order|%d|%u|%u|", ORDER_VERSION, o->words_n,
               o->classes_n);
    order_print_real(out, o->running);
    buf_char(out, '|');
    order_print_real(out, o->spread);
    buf_char(out, '|');
    order_print_real(out, o->common);
    buf_char(out, '\n');
    for (uint32_t i = 0; i < o->words_n; i++) {
        buf_printf(out, "!word|%.*s|", STRF(o->words[i].text));
        order_print_real(out, o->words[i].share);
        buf_printf(out, "|%u\n", o->words[i].class);
    }
    for (uint32_t i = 0; i < o->classes_n; i++) {
        buf_c(out, "!class|");
        for (uint32_t k = 0; k < o->classes_n; k++)
            buf_char(out, (char)(o->cells[i][k] - ORDER_CELL_MIN + 'A'));
        buf_printf(out, "|%.*s\n", STRF(o->endings[i]));
    }
}

/* The code point that ends before *at, which moves to its begin. */
static uint32_t
point_before(struct str word, size_t *at)
{
    size_t from;

    do
        --*at;
    while (*at > 0 && ((unsigned char)word.p[*at] & 0xc0) == 0x80);
    from = *at;
    return codepoint_next(word, &from);
}

static uint64_t
mixed(uint64_t key)
{
    return key * 0x9e3779b97f4a7c15u;
}

/* An ending of a word, read from its end. */
struct ending_scan {
    struct str word;
    size_t at; /* where it begins */
    uint32_t points, letters;
    uint64_t key;
};

/* One code point more; false: there is none, or no ending has so many. */
static bool
lengthen(struct ending_scan *e)
{
    uint32_t cp;

    if (e->at == 0 || e->points == ORDER_ENDING_POINTS)
        return false;
    cp = point_before(e->word, &e->at);
    e->letters += !letters_mark(cp);
    if (e->points < KEY_POINTS)
        e->key |= (uint64_t)cp << (e->points * POINT_BITS);
    else
        e->key = mixed(e->key ^ cp) >> 2 | KEY_LONG;
    e->points++;
    return e->letters <= ORDER_ENDING_LETTERS;
}

uint64_t
order_ending(struct str *word, uint32_t points)
{
    struct ending_scan e = {.word = *word, .at = word->n};

    while (e.points < points)
        if (!lengthen(&e))
            return 0;
    *word = str_sub(*word, e.at, word->n);
    return e.key;
}

uint64_t
order_word_key(uint64_t hash)
{
    return hash | (uint64_t)1 << 63;
}

static bool
slot_used(const void *slot)
{
    return ((const struct order_slot *)slot)->tag != 0;
}

static bool
slot_is(const void *index, const void *slot, const void *tag)
{
    (void)index;
    return ((const struct order_slot *)slot)->tag == *(const uint32_t *)tag;
}

static const struct hashmap_kind slots_kind = {sizeof(struct order_slot),
                                               slot_used, slot_is, NULL, NULL};

static uint32_t
tag_of(uint64_t key)
{
    return (uint32_t)(mixed(key) >> 16) | 1;
}

struct order_index
order_index_new(struct arena *a, uint32_t n)
{
    struct order_index x;

    hashmap_init(&x.slots, &slots_kind, a, n);
    return x;
}

/* The slot of a key, or the free one where it belongs. */
static inline const struct order_slot *
find_slot(const struct order_index *x, uint64_t key)
{
    uint32_t tag = tag_of(key);

    return hashmap_find(&x->slots, &slots_kind, x, mixed(key), &tag);
}

void
order_index_add(struct order_index *x, uint64_t key, uint16_t value)
{
    uint32_t tag = tag_of(key);
    struct order_slot *s =
        hashmap_put(&x->slots, &slots_kind, x, mixed(key), &tag);

    *s = (struct order_slot){tag, value};
}

uint16_t
order_index_value(const struct order_index *x, uint64_t key)
{
    return find_slot(x, key)->value; /* of a free one: 0 */
}

/* The keys of the endings of a word, shorter ones first; how many. */
static inline int
ending_keys(struct str word, uint64_t key[ORDER_ENDING_POINTS])
{
    const unsigned char *end = (const unsigned char *)word.p + word.n;
    struct ending_scan e = {.word = word, .at = word.n};

    if (word.n >= 3 && (end[-1] | end[-2] | end[-3]) < 0x80) {
        key[0] = end[-1];
        key[1] = key[0] | (uint64_t)end[-2] << POINT_BITS;
        key[2] = key[1] | (uint64_t)end[-3] << 2 * POINT_BITS;
        return 3;
    }
    while (lengthen(&e))
        key[e.points - 1] = e.key;
    return (int)e.points - (e.letters > ORDER_ENDING_LETTERS);
}

uint16_t
order_index_find(const struct order_index *x, struct str word, uint64_t hash)
{
    uint64_t key[ORDER_ENDING_POINTS];
    const struct order_slot *s = find_slot(x, order_word_key(hash));

    if (s->tag != 0)
        return s->value;
    for (int n = ending_keys(word, key); n-- > 0;)
        if ((s = find_slot(x, key[n]))->tag != 0)
            return s->value;
    return 0;
}

static uint32_t
points_in(struct str word)
{
    uint32_t n = 0;

    for (size_t at = word.n; at > 0 && n <= ORDER_ENDING_POINTS; n++)
        point_before(word, &at);
    return n;
}

/* ST_INVALID: one of the endings is too long. */
static enum status
index_endings(struct word_order *o, uint8_t class)
{
    struct str rest = o->endings[class], ending;

    while (str_word(&rest, &ending)) {
        uint64_t key = order_ending(&ending, points_in(ending));

        if (key == 0)
            return ST_INVALID;
        order_index_add(&o->index, key, class);
    }
    return ST_OK;
}

enum status
order_finish(struct word_order *o, struct arena *a)
{
    uint32_t endings_n = 0;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < o->classes_n; i++) {
        struct str rest = o->endings[i], ending;

        while (str_word(&rest, &ending))
            endings_n++;
    }
    if (endings_n > ORDER_ENDINGS_MAX)
        return ST_INVALID;
    o->index = order_index_new(a, o->words_n + endings_n);
    for (uint32_t i = 0; i < o->words_n; i++)
        order_index_add(&o->index, order_word_key(o->words[i].hash),
                        o->words[i].class);
    for (uint32_t i = 0; i < o->classes_n && st == ST_OK; i++)
        st = index_endings(o, (uint8_t)i);
    return st;
}

/* The sum of the cells over all pairs of two different words, if any could
 * follow any: each occurs count[its class] times. */
static double
sum_any_order(const struct word_order *o, const int32_t *count)
{
    double sum = 0;

    for (uint32_t i = 0; i < o->classes_n; i++) {
        const int8_t *cells = o->cells[i];
        int32_t row = -cells[i];

        if (count[i] == 0)
            continue;
        for (uint32_t k = 0; k < ORDER_CLASSES_MAX; k++)
            row += count[k] * cells[k];
        sum += (double)count[i] * row;
    }
    return sum;
}

double
order_excess_of(const struct word_order *o, const uint8_t *class,
                const uint32_t *tokens, const struct token_run *runs,
                uint32_t runs_n)
{
    int32_t count[ORDER_CLASSES_MAX] = {0};
    int64_t sum = 0;
    double words = 0, pairs = 0;

    for (uint32_t i = 0; i < runs_n; i++) {
        const uint32_t *word = tokens + runs[i].first;
        uint8_t before;

        if (runs[i].n == 0)
            continue;
        before = class[word[0]];
        count[before]++;
        for (uint32_t k = 1; k < runs[i].n; k++) {
            uint8_t after = class[word[k]];

            sum += o->cells[before][after];
            count[after]++;
            before = after;
        }
        words += runs[i].n;
        pairs += runs[i].n - 1;
    }
    if (pairs == 0)
        return 0;
    return (double)sum / pairs -
           sum_any_order(o, count) / (words * (words - 1));
}

double
order_excess(const struct word_order *o, const uint8_t *class,
             const uint32_t *sequence, uint32_t n)
{
    struct token_run all = {0, n};

    return order_excess_of(o, class, sequence, &all, 1);
}
