/* opt_show.c -- the option table and its values for readers: an INI file that
 * reads back equal, a list for people, Markdown for the manual, JSON. */
#include "base/buf.h"
#include "base/json.h"
#include "base/options/opt.h"

#define COLUMNS 78

/* `text` in lines of at most COLUMNS, each after `lead`. */
static void
wrapped(FILE *to, const char *lead, struct str text)
{
    size_t room = COLUMNS - strlen(lead);

    while (text.n > 0) {
        size_t n = text.n;

        if (n > room) {
            for (n = room; n > 0 && text.p[n] != ' ';)
                n--;
            if (n == 0) /* a word longer than a line */
                n = str_find(text, ' ', 0);
        }
        fprintf(to, "%s%.*s\n", lead, STRF(str_sub(text, 0, n)));
        text = str_trim(str_sub(text, n, text.n));
    }
}

static bool
section_starts(size_t i)
{
    return i == 0 ||
           strcmp(opt_table[i].section, opt_table[i - 1].section) != 0;
}

/* "ms, 0 to 3600000 ms" */
static void
kind(const struct opt *row, struct buf *out)
{
    struct buf range = {0};

    buf_clear(out);
    opt_range(row, &range);
    buf_c(out, row->type);
    if (range.n > 0) {
        buf_c(out, ": ");
        buf_str(out, buf_view(&range));
    }
    buf_free(&range);
}

void
opts_dump(const struct opts *o, FILE *to)
{
    struct buf value = {0}, note = {0}, about = {0};

    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (section_starts(i))
            fprintf(to, "%s[%s]\n", i ? "\n" : "", row->section);
        kind(row, &note);
        buf_clear(&about);
        buf_printf(&about, "%s (%.*s)", row->help, STRF(buf_view(&note)));
        buf_clear(&value);
        opts_show(o, row, &value);
        fputc('\n', to);
        wrapped(to, "# ", buf_view(&about));
        fprintf(to, "%s =%s%.*s\n", row->key, value.n ? " " : "",
                STRF(buf_view(&value)));
    }
    buf_free(&value);
    buf_free(&note);
    buf_free(&about);
}

void
opts_list(FILE *to)
{
    struct buf note = {0};

    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (section_starts(i))
            fprintf(to, "%s[%s]\n", i ? "\n" : "", row->section);
        kind(row, &note);
        fprintf(to, "  %s.%s = %s  (%.*s)\n", row->section, row->key,
                row->preset[0] ? row->preset : "\"\"", STRF(buf_view(&note)));
        wrapped(to, "      ", str_c(row->help));
    }
    buf_free(&note);
}

/* Text of a table cell: | would end it. */
static void
cell(FILE *to, struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        fprintf(to, text.p[i] == '|' ? "\\%c" : "%c", text.p[i]);
}

void
opts_list_markdown(FILE *to)
{
    struct buf note = {0};

    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (section_starts(i))
            fprintf(to,
                    "%s## %s\n\n| key | preset | values | meaning |\n"
                    "|---|---|---|---|\n",
                    i ? "\n" : "", row->section);
        kind(row, &note);
        fprintf(to, "| `%s` | %s%s%s | ", row->key, row->preset[0] ? "`" : "",
                row->preset, row->preset[0] ? "`" : "");
        cell(to, buf_view(&note));
        fputs(" | ", to);
        cell(to, str_c(row->help));
        fputs(" |\n", to);
    }
    buf_free(&note);
}

static void
json_bound(struct json *j, const char *key, double bound)
{
    json_key(j, key);
    if (bound >= 0 && bound < 9e18 && (double)(uint64_t)bound >= bound)
        json_u64(j, (uint64_t)bound); /* all digits */
    else
        json_real(j, bound);
}

void
opts_list_json(FILE *to)
{
    struct buf out = {0}, range = {0};
    struct json j = {.out = &out};

    json_array(&j);
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];
        const bool bounded = row->low < row->high;

        buf_clear(&range);
        opt_range(row, &range);
        json_object(&j);
        json_kstr(&j, "section", str_c(row->section));
        json_kstr(&j, "key", str_c(row->key));
        json_kstr(&j, "type", str_c(row->type));
        json_kstr(&j, "preset", str_c(row->preset));
        json_kstr(&j, "range", buf_view(&range));
        if (bounded) {
            json_bound(&j, "low", row->low);
            json_bound(&j, "high", row->high);
        }
        json_kstr(&j, "unit", str_c(row->unit));
        json_kstr(&j, "change",
                  row->change == OPT_FREE     ? S("free")
                  : row->change == OPT_CORPUS ? S("corpus")
                                              : S("aside"));
        json_kstr(&j, "help", str_c(row->help));
        json_object_end(&j);
    }
    json_array_end(&j);
    fprintf(to, "%.*s\n", STRF(buf_view(&out)));
    buf_free(&out);
    buf_free(&range);
}

static bool
is_told(const struct opt *row, const char *section, bool others)
{
    return row->change != OPT_ASIDE &&
           (strcmp(row->section, section) == 0) != others;
}

void
opts_json(const struct opts *o, const char *section, bool others,
          struct json *j)
{
    struct opts presets;
    struct buf text = {0};

    opts_init(&presets);
    json_object(j);
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (!is_told(row, section, others) || opts_same(o, &presets, row))
            continue;
        buf_clear(&text);
        buf_printf(&text, "%s.%s", row->section, row->key);
        json_name(j, buf_view(&text));
        buf_clear(&text);
        opts_show(o, row, &text);
        json_str(j, buf_view(&text));
    }
    json_object_end(j);
    opts_free(&presets);
    buf_free(&text);
}
