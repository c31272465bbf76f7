/* confusable.c -- reads and writes tables of stems, and sums them up over a
 * text: one look-up a type. */
#include "confusable.h"

#include <math.h>

#include "base/buf.h"
#include "base/hash.h"

#define COUNTED_MIN 3.0
#define COUNTED_SHARE 0.003 /* of the text, for one word */

bool
confusable_is_line(struct str line)
{
    return str_starts(line, S("!sibling|")) || str_starts(line, S("!stems|"));
}

static bool
real_within(struct str text, double low, double high, double *out)
{
    /* written so that NaN fails */
    return str_real(text, out) && *out >= low && *out <= high;
}

/* Where the table for this language is, or a new one goes. */
static struct confusable **
place_of(struct confusable **first, struct str language)
{
    struct confusable **at = first;

    while (*at != NULL && !str_eq((*at)->language, language))
        at = &(*at)->next;
    return at;
}

/* `fields`: what stands behind "!sibling|". */
static enum status
parse_head(struct confusable **first, struct arena *a, struct str fields)
{
    struct str language, stems, mean, kinds;
    struct confusable s = {0}, **place;
    uint64_t n;

    if (!str_cut(&fields, '|', &language) || !str_cut(&fields, '|', &stems) ||
        !str_cut(&fields, '|', &mean) || !str_cut(&fields, '|', &kinds) ||
        language.n == 0 || !str_u64(stems, &n) || n == 0 ||
        n > CONFUSABLE_STEMS_MAX || !real_within(mean, -20, 20, &s.mean) ||
        !real_within(kinds, 1e-3, 20, &s.kinds) ||
        !real_within(fields, 0, 1000, &s.spread))
        return ST_INVALID;
    place = place_of(first, language);
    if (*place != NULL || (*first != NULL && !confusable_complete(*first)))
        return ST_INVALID;
    s.stems_n = (uint32_t)n;
    s.stems = ARENA_ARRAY(a, struct confusable_stem, n);
    s.language = arena_str(a, language);
    *place = ARENA_NEW(a, struct confusable);
    **place = s;
    return ST_OK;
}

/* `fields`: a weight and its stems. */
static enum status
parse_stems(struct confusable *s, struct arena *a, struct str fields)
{
    struct str number, stem;
    double weight;

    if (!str_cut(&fields, '|', &number) ||
        !real_within(number, -CONFUSABLE_WEIGHT_MAX, CONFUSABLE_WEIGHT_MAX,
                     &weight) ||
        lround(weight) == 0)
        return ST_INVALID;
    fields = arena_str(a, fields);
    while (str_word(&fields, &stem)) {
        if (s->stems_read == s->stems_n || confusable_stem(stem).n < stem.n)
            return ST_INVALID;
        s->stems[s->stems_read++] =
            (struct confusable_stem){stem, (int8_t)lround(weight)};
    }
    return ST_OK;
}

enum status
confusable_parse_line(struct confusable **s, struct arena *a, struct str line)
{
    const struct str head = STR("!sibling|"), stems = STR("!stems|");
    struct confusable *last = *s;
    enum status st;

    if (str_starts(line, head))
        return parse_head(s, a, str_sub(line, head.n, line.n));
    if (last == NULL)
        return ST_INVALID;
    while (last->next != NULL)
        last = last->next;
    st = parse_stems(last, a, str_sub(line, stems.n, line.n));
    if (st == ST_OK && last->stems_read == last->stems_n)
        confusable_finish(last, a);
    return st;
}

bool
confusable_complete(const struct confusable *s)
{
    while (s != NULL && s->stems_read == s->stems_n)
        s = s->next;
    return s == NULL;
}

static void
print_weight(const struct confusable *s, int weight, struct buf *out)
{
    bool any = false;

    for (uint32_t i = 0; i < s->stems_n; i++) {
        if (s->stems[i].weight != weight)
            continue;
        if (any)
            buf_char(out, ' ');
        else
            buf_printf(out, "!stems|%d|", weight);
        buf_str(out, s->stems[i].text);
        any = true;
    }
    if (any)
        buf_char(out, '\n');
}

static void
print_table(const struct confusable *s, struct buf *out)
{
    buf_printf(out, "!sibling|%.*s|%u|", STRF(s->language), s->stems_n);
    order_print_real(out, s->mean);
    buf_char(out, '|');
    order_print_real(out, s->kinds);
    buf_char(out, '|');
    order_print_real(out, s->spread);
    buf_char(out, '\n');
    for (int w = -CONFUSABLE_WEIGHT_MAX; w <= CONFUSABLE_WEIGHT_MAX; w++)
        print_weight(s, w, out);
}

void
confusable_print(const struct confusable *s, struct buf *out)
{
    for (; s != NULL; s = s->next)
        print_table(s, out);
}

void
confusable_finish(struct confusable *s, struct arena *a)
{
    s->index = order_index_new(a, s->stems_n);
    for (uint32_t i = 0; i < s->stems_n; i++)
        order_index_add(
            &s->index, hash64(s->stems[i].text),
            (uint16_t)(s->stems[i].weight + CONFUSABLE_WEIGHT_MAX + 1));
}

struct str
confusable_stem(struct str word)
{
    size_t letters = 0;

    for (size_t i = 0; i < word.n; i++)
        if (((unsigned char)word.p[i] & 0xc0) != 0x80 &&
            letters++ == CONFUSABLE_STEM_LETTERS)
            return str_sub(word, 0, i);
    return word;
}

double
confusable_weight(const struct confusable *s, struct str word)
{
    uint16_t value =
        order_index_value(&s->index, hash64(confusable_stem(word)));

    return value == 0 ? 0
                      : (value - CONFUSABLE_WEIGHT_MAX - 1) * CONFUSABLE_UNIT;
}

double
confusable_counted(uint32_t count, uint32_t tokens_n)
{
    return fmin(count, COUNTED_MIN + COUNTED_SHARE * tokens_n);
}

double
confusable_leaning(const struct confusable *s, const struct token_type *types,
                   uint32_t types_n, uint32_t tokens_n)
{
    double sum = 0;

    for (uint32_t i = 0; i < types_n; i++)
        sum += confusable_weight(s, types[i].text) *
               confusable_counted(types[i].count, tokens_n);
    return sum / tokens_n;
}
