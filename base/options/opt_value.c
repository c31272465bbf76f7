/* opt_value.c -- see opt_value.h.
 *
 * A type is one row of `types`: how text becomes the C value, how the value
 * becomes text again, and what to tell who wrote something else. */
#include "opt_value.h"
#include "opt_alias.h"
#include "opt_number.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/regex.h"
#include "base/url/url.h"

#define SHOWN_MAX 60

void
opt_value_quote(struct str text, struct buf *out)
{
    struct str shown = str_sub(text, 0, SHOWN_MAX);

    for (size_t i = 0; i < shown.n; i++)
        buf_char(out, (unsigned char)shown.p[i] < 32 || shown.p[i] == 127
                          ? '?'
                          : shown.p[i]);
    if (shown.n < text.n)
        buf_c(out, "...");
}

static bool
within(const struct setting *s, double value)
{
    const struct opt *row = s->row;

    if ((row->low == 0 && row->high == 0) ||
        (value >= row->low && value <= row->high))
        return true;
    buf_c(s->why, "out of range");
    return false;
}

static bool
set_num(const struct setting *s)
{
    uint64_t v;

    if (!str_u64(s->text, &v)) {
        buf_c(s->why, "not a whole number");
        return false;
    }
    if (!within(s, (double)v))
        return false;
    *(uint64_t *)s->field = v;
    return true;
}

static bool
set_scaled(const struct setting *s, opt_number *read, const char *form)
{
    uint64_t v;

    if (!read(s->text, &v)) {
        buf_c(s->why, form);
        return false;
    }
    if (!within(s, (double)v))
        return false;
    *(uint64_t *)s->field = v;
    return true;
}

static bool
set_ms(const struct setting *s)
{
    return set_scaled(s, opt_number_ms,
                      "not a time (write 1500, 1500ms, 1.5s, 2min or 1h)");
}

static bool
set_bytes(const struct setting *s)
{
    return set_scaled(s, opt_number_bytes,
                      "not a size (write 65536, 64k, 64KiB, 4MiB or 1GiB)");
}

static bool
set_real(const struct setting *s)
{
    double v;

    for (size_t i = 0; i < s->text.n; i++) /* strtod also reads hex and inf */
        if (!ascii_digit(s->text.p[i]) && memchr("+-.eE", s->text.p[i], 5) == 0)
            goto bad;
    if (!str_real(s->text, &v))
        goto bad;
    if (!within(s, v))
        return false;
    *(double *)s->field = v;
    return true;
bad:
    buf_c(s->why, "not a number");
    return false;
}

/* 1 on, 0 off, -1 neither. */
static int
flag_word(struct str text)
{
    static const char *const on[] = {"on", "yes", "true", "1"};
    static const char *const off[] = {"off", "no", "false", "0"};

    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        if (str_eq_nocase(text, str_c(on[i])))
            return 1;
        if (str_eq_nocase(text, str_c(off[i])))
            return 0;
    }
    return -1;
}

static bool
set_flag(const struct setting *s)
{
    int v = flag_word(s->text);

    if (v < 0) {
        buf_c(s->why, "neither on, yes, true, 1 nor off, no, false, 0");
        return false;
    }
    *(bool *)s->field = v == 1;
    return true;
}

static bool
set_text(const struct setting *s)
{
    *(struct str *)s->field = arena_str(s->arena, s->text);
    return true;
}

/* It could not be written into a job, which is lines. */
static bool
holds_control(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] < 32 || text.p[i] == 127)
            return true;
    return false;
}

static bool
set_path(const struct setting *s)
{
    struct str rest = s->text;

    if (rest.n == 0 || rest.p[0] == '/')
        return set_text(s);
    if (holds_control(s->folder)) {
        buf_c(s->why, "in a folder whose name holds a control character");
        return false;
    }
    while (str_starts(rest, S("./")))
        rest = str_sub(rest, 2, rest.n);
    *(struct str *)s->field =
        arena_printf(s->arena, "%.*s/%.*s", STRF(s->folder), STRF(rest));
    return true;
}

static bool
set_data(const struct setting *s)
{
    if (str_find(s->text, '/', 0) == s->text.n)
        return set_text(s);
    return set_path(s);
}

static bool
set_regex(const struct setting *s)
{
    struct regex *r = NULL;
    struct buf why = {0};
    enum status st = ST_OK;

    if (s->text.n > 0)
        st = regex_open(&r, s->text, &why);
    if (st == ST_NOMEM)
        memory_fail(st, s->text.n); /* as whatever options allocate */
    if (st != ST_OK)
        buf_printf(s->why, "not a regular expression: %.*s",
                   STRF(buf_view(&why)));
    regex_close(r);
    buf_free(&why);
    return st == ST_OK && set_text(s);
}

/* What can be the name of an attribute in the formats that are written. */
static bool
is_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_alpha(s.p[i]) && s.p[i] != '_' &&
            (i == 0 ||
             (!ascii_digit(s.p[i]) && s.p[i] != '-' && s.p[i] != '.')))
            return false;
    return s.n > 0;
}

/* Whether `word` is the one of the table, or begins as it does before its *,
 * for which a name stands. */
static bool
is_word(struct str known, struct str word)
{
    if (str_ends(known, S("*")))
        return str_starts(word, str_sub(known, 0, known.n - 1)) &&
               is_name(str_sub(word, known.n - 1, word.n));
    return str_eq(known, word);
}

/* One of the words in the row's unit. */
static bool
known_word(const struct setting *s, struct str word)
{
    struct str rest = str_c(s->row->unit), one;
    struct nearest near;

    nearest_init(&near, word);
    while (str_cut(&rest, '|', &one)) {
        if (is_word(one, word))
            return true;
        nearest_offer(&near, one);
    }
    if (word.n != s->text.n) {
        opt_value_quote(word, s->why);
        buf_c(s->why, ": ");
    }
    buf_c(s->why, "not a known word");
    if (nearest_best(&near).n > 0)
        buf_printf(s->why, ", did you mean %.*s?", STRF(nearest_best(&near)));
    return false;
}

static bool
set_words(const struct setting *s)
{
    struct setting now = *s;

    now.text = opt_alias_word(s->row, s->text);
    return known_word(&now, now.text) && set_text(&now);
}

/* A known word stands in a list once. */
static bool
repeats(const struct setting *s, const struct opt_list *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(list->item[i], list->item[n])) {
            opt_value_quote(list->item[n], s->why);
            buf_c(s->why, ": given twice");
            return true;
        }
    return false;
}

static bool
takes_as_many(const struct setting *s, size_t n)
{
    const struct opt *row = s->row;
    bool many = (double)n > row->high;

    if ((row->low == 0 && row->high == 0) || (!many && (double)n >= row->low))
        return true;
    buf_printf(s->why, "%zu words, at %s %.0f", n, many ? "most" : "least",
               many ? row->high : row->low);
    return false;
}

typedef bool next_word(struct str *rest, struct str *word);

static bool
set_items(const struct setting *s, next_word *next)
{
    struct str rest = s->text, word;
    struct opt_list list = {0};

    while (next(&rest, &word))
        list.n++;
    if (!takes_as_many(s, list.n))
        return false;
    list.item = ARENA_ARRAY(s->arena, struct str, list.n);
    rest = s->text;
    for (size_t i = 0; next(&rest, &word); i++) {
        word = opt_alias_word(s->row, word);
        if (s->row->unit[0] && !known_word(s, word))
            return false;
        list.item[i] = arena_str(s->arena, word);
        if (s->row->unit[0] && repeats(s, &list, i))
            return false;
    }
    *(struct opt_list *)s->field = list;
    return true;
}

static bool
set_list(const struct setting *s)
{
    return set_items(s, str_word);
}

#define NAMES_SAID_MAX 20u /* of a list; a file may be all of another kind */

static bool
set_hosts(const struct setting *s)
{
    struct opt_list list;
    struct setting to = *s;
    struct arena *a;
    struct str name;
    size_t wrong = 0;

    to.field = &list;
    if (!set_list(&to))
        return false;
    a = arena_new();
    for (size_t i = 0; i < list.n; i++)
        if (url_host_written(&name, a, list.item[i]) != ST_OK &&
            wrong++ < NAMES_SAID_MAX)
            buf_printf(s->why, "%s%.*s", wrong == 1 ? "not a host name: " : " ",
                       STRF(list.item[i]));
    arena_free(a);
    if (wrong > NAMES_SAID_MAX)
        buf_printf(s->why, " and %zu more", wrong - NAMES_SAID_MAX);
    if (wrong > 0)
        buf_printf(s->why, " (%s)", s->row->help);
    else
        *(struct opt_list *)s->field = list;
    return wrong == 0;
}

static bool
set_delays(const struct setting *s)
{
    struct setting to = *s;
    struct opt row = *s->row; /* whose bounds are those of the times */
    struct opt_list list;
    struct arena *a = arena_new();
    bool good;

    to.field = &list;
    to.row = &row;
    row.unit = "";
    row.low = row.high = 0;
    good = set_list(&to);
    for (size_t i = 0; good && i < list.n; i++) {
        struct str host;
        uint64_t ms;

        good = opt_delay(list.item[i], a, &host, &ms) && within(s, (double)ms);
        if (!good) {
            buf_c(s->why, s->why->n > 0 ? ": " : "no HOST=TIME: ");
            opt_value_quote(list.item[i], s->why);
        }
    }
    arena_free(a);
    if (good)
        *(struct opt_list *)s->field = list;
    return good;
}

static bool
set_allow(const struct setting *s)
{
    struct setting list = *s;
    struct str rest = s->text, word;
    size_t words = 0, flags = 0;
    int last = -1;

    for (; str_word(&rest, &word); words++)
        if (flag_word(word) >= 0) {
            last = flag_word(word);
            flags++;
        }
    if (flags > 0 && words > 1) {
        buf_c(s->why, "either yes (all), no (none) or a list of hosts");
        return false;
    }
    if (flags > 0)
        list.text = last == 1 ? S("yes") : S("");
    return set_list(&list);
}

/* As str_word(), but for apostrophes. */
bool
opt_list_next(struct str *rest, struct str *word)
{
    struct str all = *rest;
    size_t from = 0, end = all.n;

    while (from < all.n && (ascii_space(all.p[from]) || all.p[from] == ','))
        from++;
    if (from < all.n && all.p[from] == '\'')
        end = str_find(all, '\'', from + 1);
    if (end == all.n)
        return str_word(rest, word);
    *word = str_sub(all, from + 1, end);
    *rest = str_sub(all, end + 1, all.n);
    return true;
}

static bool
is_several_words(struct str s)
{
    struct str word;

    return s.n > 0 && (!str_word(&s, &word) || s.n > 0);
}

void
opt_list_item(struct str item, struct buf *out)
{
    bool quotes = is_several_words(item);

    if (quotes)
        buf_char(out, '\'');
    buf_str(out, item);
    if (quotes)
        buf_char(out, '\'');
}

/* Each item's path, behind its name, as set_path() has it. */
static bool
set_paths(const struct setting *s)
{
    struct opt_list *list = s->field;

    if (!set_items(s, opt_list_next))
        return false;
    for (size_t i = 0; i < list->n; i++) {
        struct str path = list->item[i], name;
        size_t equals = str_find(path, '=', 0);
        struct setting one = *s;

        name = equals < path.n ? str_sub(path, 0, equals + 1) : S("");
        one.text = str_sub(path, name.n, path.n);
        one.field = &path;
        if (!set_path(&one))
            return false;
        if (is_several_words(path) && str_find(path, '\'', 0) < path.n) {
            opt_value_quote(path, s->why);
            buf_c(s->why, ": blanks and an apostrophe in one path of a list");
            return false;
        }
        list->item[i] =
            arena_printf(s->arena, "%.*s%.*s", STRF(name), STRF(path));
    }
    return true;
}

static void
show_num(const void *field, struct buf *out)
{
    buf_printf(out, "%" PRIu64, *(const uint64_t *)field);
}

static void
show_bytes(const void *field, struct buf *out)
{
    opt_number_show_bytes(*(const uint64_t *)field, out);
}

static void
show_real(const void *field, struct buf *out)
{
    opt_number_show_real(*(const double *)field, out);
}

static void
show_flag(const void *field, struct buf *out)
{
    buf_c(out, *(const bool *)field ? "on" : "off");
}

static void
show_text(const void *field, struct buf *out)
{
    buf_str(out, *(const struct str *)field);
}

static void
show_list(const void *field, struct buf *out)
{
    const struct opt_list *list = field;

    for (size_t i = 0; i < list->n; i++) {
        if (i > 0)
            buf_char(out, ' ');
        opt_list_item(list->item[i], out);
    }
}

static const struct {
    const char *name;
    bool (*set)(const struct setting *s);
    void (*show)(const void *field, struct buf *out);
} types[] = {
    {"text", set_text, show_text},     {"path", set_path, show_text},
    {"data", set_data, show_text},     {"regex", set_regex, show_text},
    {"words", set_words, show_text},   {"list", set_list, show_list},
    {"allow", set_allow, show_list},   {"paths", set_paths, show_list},
    {"num", set_num, show_num},        {"ms", set_ms, show_num},
    {"bytes", set_bytes, show_bytes},  {"real", set_real, show_real},
    {"flag", set_flag, show_flag},     {"hosts", set_hosts, show_list},
    {"delays", set_delays, show_list},
};

#define TYPES_N (sizeof types / sizeof *types)

static size_t
type_of(const struct opt *row)
{
    size_t i = 0;

    while (i < TYPES_N && strcmp(types[i].name, row->type) != 0)
        i++;
    assert(i < TYPES_N); /* a typedef in opt.h without a row here */
    return i;
}

bool
opt_value_set(const struct setting *s)
{
    if (holds_control(s->text)) {
        buf_c(s->why, "holds a control character");
        return false;
    }
    return types[type_of(s->row)].set(s);
}

void
opt_value_show(const struct opt *row, const void *field, struct buf *out)
{
    types[type_of(row)].show(field, out);
}

static void
show_bound(const struct opt *row, double bound, struct buf *out)
{
    uint64_t whole = bound > 0 ? (uint64_t)bound : 0;

    if (strcmp(row->type, "bytes") == 0)
        show_bytes(&whole, out);
    else if (bound < 1e16 && floor(bound) >= bound)
        buf_printf(out, "%.0f", bound);
    else
        show_real(&bound, out);
}

void
opt_range(const struct opt *row, struct buf *out)
{
    bool words = strchr(row->unit, '|') != NULL;

    if (words) {
        struct str rest = str_c(row->unit), one;

        for (const char *sep = ""; str_cut(&rest, '|', &one); sep = ", ")
            buf_printf(out, "%s%.*s", sep, STRF(one));
    } else if (strcmp(row->type, "flag") == 0) {
        buf_c(out, "on or off");
    } else if (strcmp(row->type, "allow") == 0) {
        buf_c(out, "yes, no or hosts");
    } else if (row->low < row->high) {
        show_bound(row, row->low, out);
        buf_c(out, " to ");
        show_bound(row, row->high, out);
        if (row->unit[0] && strcmp(row->unit, "bytes") != 0)
            buf_printf(out, " %s", row->unit);
    }
}
