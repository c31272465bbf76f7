/* word_order.c -- reads and writes tables of word order and sums them up over a
 * text: one addition a pair. */
#include "word_order.h"

#include <math.h>
#include <stdlib.h>

#include "clean/chain/codepoint.h"
#include "winnow/buf.h"

/* Running text varies by kind of text and, with few words, by chance.  What is
 * lost within that counts little: LOST_FREE_ALL at most. */
#define LOST_FREE 0.3
#define LOST_FREE_ALL 0.1

bool
order_is_line(struct str line)
{
    return str_starts(line, S("!order|")) || str_starts(line, S("!word|")) ||
           str_starts(line, S("!ending|")) || str_starts(line, S("!rest|"));
}

static bool
real_within(struct str text, double low, double high, double *out)
{
    /* written so that NaN fails */
    return str_real(text, out) && *out >= low && *out <= high;
}

struct word_order *
order_new(struct arena *a)
{
    struct word_order *o = ARENA_NEW(a, struct word_order);

    o->classes = ARENA_ARRAY(a, struct order_class, ORDER_CLASSES_MAX);
    o->cells = arena_alloc(a, ORDER_CLASSES_MAX * ORDER_CLASSES_MAX);
    return o;
}

/* `fields`: what stands behind "!order|". */
static enum status
parse_head(struct word_order **out, struct arena *a, struct str fields)
{
    struct str version, words, endings, running;
    struct word_order *o = order_new(a);
    uint64_t version_n, words_n, endings_n;

    if (*out != NULL || !str_cut(&fields, '|', &version) ||
        !str_cut(&fields, '|', &words) || !str_cut(&fields, '|', &endings) ||
        !str_cut(&fields, '|', &running) || !str_u64(version, &version_n) ||
        version_n != ORDER_VERSION || !str_u64(words, &words_n) ||
        words_n > ORDER_WORDS_MAX || !str_u64(endings, &endings_n) ||
        endings_n > ORDER_ENDINGS_MAX ||
        !real_within(running, -20, 20, &o->running) ||
        !real_within(fields, 0, 10000, &o->spread))
        return ST_INVALID;
    o->words_n = (uint32_t)words_n;
    o->endings_n = (uint32_t)endings_n;
    *out = o;
    return ST_OK;
}

static uint32_t
classes_wanted(const struct word_order *o)
{
    return o->words_n + o->endings_n + 1;
}

bool
order_complete(const struct word_order *o)
{
    return o->classes_n == classes_wanted(o);
}

static const char *
kind(const struct word_order *o, uint32_t class)
{
    return class < o->words_n                  ? "word"
           : class < o->words_n + o->endings_n ? "ending"
                                               : "rest";
}

/* The next class: its name, its share, its row of cells. */
static enum status
parse_class(struct word_order *o, struct arena *a, struct str line)
{
    struct order_class *c = &o->classes[o->classes_n];
    int8_t *cells = o->cells + (size_t)o->classes_n * ORDER_CLASSES_MAX;
    struct str of, text, share;

    line = str_sub(line, 1, line.n);
    if (order_complete(o) || !str_cut(&line, '|', &of) ||
        !str_eq(of, str_c(kind(o, o->classes_n))) ||
        !str_cut(&line, '|', &text) || !str_cut(&line, '|', &share) ||
        (text.n == 0) != (o->classes_n == classes_wanted(o) - 1) ||
        text.n > 256 || !real_within(share, -20, 0, &c->share) ||
        line.n != classes_wanted(o))
        return ST_INVALID;
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] < 'A' || line.p[i] > 'Z')
            return ST_INVALID;
        cells[i] = (int8_t)(line.p[i] - 'A' + ORDER_CELL_MIN);
    }
    c->text = arena_str(a, text);
    c->hash = hash64(text);
    o->classes_n++;
    if (order_complete(o))
        order_finish(o);
    return ST_OK;
}

enum status
order_parse_line(struct word_order **o, struct arena *a, struct str line)
{
    const struct str head = STR("!order|");

    if (str_starts(line, head))
        return parse_head(o, a, str_sub(line, head.n, line.n));
    return *o == NULL ? ST_INVALID : parse_class(*o, a, line);
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
               o->endings_n);
    order_print_real(out, o->running);
    buf_char(out, '|');
    order_print_real(out, o->spread);
    buf_char(out, '\n');
    for (uint32_t i = 0; i < o->classes_n; i++) {
        buf_printf(out, "!%s|%.*s|", kind(o, i), STRF(o->classes[i].text));
        order_print_real(out, o->classes[i].share);
        buf_char(out, '|');
        for (uint32_t k = 0; k < o->classes_n; k++)
            buf_char(out, (char)(o->cells[i * ORDER_CLASSES_MAX + k] -
                                 ORDER_CELL_MIN + 'A'));
        buf_char(out, '\n');
    }
}

uint32_t
order_last_letter(struct str word)
{
    size_t at = word.n;

    if (at == 0)
        return 0;
    do
        at--;
    while (at > 0 && ((unsigned char)word.p[at] & 0xc0) == 0x80);
    return codepoint_next(word, &at);
}

static void
index_endings(struct word_order *o)
{
    uint8_t rest = (uint8_t)(o->classes_n - 1);

    memset(o->ascii, rest, sizeof o->ascii);
    for (size_t i = 0; i < ORDER_CLASSES_MAX; i++)
        o->other[i].letter = 0;
    for (uint32_t i = o->words_n; i < rest; i++) {
        uint32_t letter = order_last_letter(o->classes[i].text);
        uint32_t at = letter % ORDER_CLASSES_MAX;

        if (letter < 128) {
            o->ascii[letter] = (uint8_t)i;
            continue;
        }
        while (o->other[at].letter != 0)
            at = (at + 1) % ORDER_CLASSES_MAX;
        o->other[at].letter = letter;
        o->other[at].class = (uint8_t)i;
    }
}

void
order_finish(struct word_order *o)
{
    double sum = 0, all = 0;

    for (uint32_t i = 0; i < o->classes_n; i++)
        all += pow(10, o->classes[i].share);
    for (uint32_t i = 0; i < o->classes_n; i++)
        for (uint32_t k = 0; k < o->classes_n; k++)
            sum += pow(10, o->classes[i].share + o->classes[k].share) *
                   o->cells[i * ORDER_CLASSES_MAX + k];
    o->shuffled = sum / (all * all);
    index_endings(o);
}

uint8_t
order_ending(const struct word_order *o, struct str word)
{
    uint32_t letter = order_last_letter(word), at = letter % ORDER_CLASSES_MAX;

    if (letter < 128)
        return o->ascii[letter];
    for (; o->other[at].letter != 0; at = (at + 1) % ORDER_CLASSES_MAX)
        if (o->other[at].letter == letter)
            return o->other[at].class;
    return (uint8_t)(o->classes_n - 1);
}

int64_t
order_sum(const struct word_order *o, const uint8_t *class,
          const uint32_t *sequence, uint32_t n)
{
    int64_t sum = 0;
    uint8_t before;

    if (n == 0)
        return 0;
    before = class[sequence[0]];
    for (uint32_t i = 1; i < n; i++) {
        uint8_t after = class[sequence[i]];

        sum += o->cells[before * ORDER_CLASSES_MAX + after];
        before = after;
    }
    return sum;
}

double
order_lost(const struct word_order *o, int64_t sum, uint32_t n)
{
    double gap = o->running - o->shuffled, lost, free;

    if (n < 2 || gap <= 0)
        return 0;
    lost = (o->running - (double)sum / (n - 1)) / gap;
    free = fmin(0.9, hypot(LOST_FREE, sqrt(o->spread / (n - 1)) / gap));
    if (lost <= free)
        return fmax(0, LOST_FREE_ALL * lost / free);
    return fmin(1, LOST_FREE_ALL +
                       (1 - LOST_FREE_ALL) * (lost - free) / (1 - free));
}
