/* library_options.c -- the options of a cleaner, as JSON. */
#include "base/json.h"
#include "library.h"

static bool
is_ours(const struct opt *row)
{
    struct str section = str_c(row->section);

    return str_eq(section, S("clean")) || str_eq(section, S("output")) ||
           str_eq(section, S("dedup"));
}

static void
add_value(const char *key, const struct opts *o, const struct opt *row,
          struct buf *scratch, struct json *j)
{
    buf_clear(scratch);
    opts_show(o, row, scratch);
    json_kstr(j, key, buf_view(scratch));
}

static void
add_option(const struct opts *o, const struct opts *presets,
           const struct opt *row, struct buf *scratch, struct json *j)
{
    bool words = strchr(row->unit, '|') != NULL; /* they are its range */

    buf_clear(scratch);
    buf_printf(scratch, "%s.%s%c", row->section, row->key, '\0');
    json_object(j);
    json_kstr(j, "key", str_c(scratch->p));
    json_kstr(j, "type", str_c(row->type));
    add_value("value", o, row, scratch, j);
    add_value("preset", presets, row, scratch, j);
    buf_clear(scratch);
    opt_range(row, scratch);
    json_kstr(j, "range", buf_view(scratch));
    json_kstr(j, "unit", words ? S("") : str_c(row->unit));
    json_kstr(j, "help", str_c(row->help));
    json_object_end(j);
}

void
library_options(const struct opts *o, struct buf *out)
{
    struct buf scratch = {0};
    struct opts presets;
    struct json j = {.out = out};

    opts_init(&presets);
    json_array(&j);
    for (size_t i = 0; i < opt_table_n; i++)
        if (is_ours(&opt_table[i]))
            add_option(o, &presets, &opt_table[i], &scratch, &j);
    json_array_end(&j);
    buf_char(out, '\0');
    buf_free(&scratch);
    opts_free(&presets);
}
