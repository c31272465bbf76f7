/* web_about.c -- see web_about.h: a line "section.key=value" for every option
 * of the chain, and the few others that shape a page. */
#include "web_about.h"

#include "winnow/buf.h"
#include "winnow/clock.h"
#include "winnow/log.h"

#include <time.h>

#define YEAR "lab.year="
#define YEAR_UNKNOWN 2026

static bool
counts(const struct opt *row)
{
    if (strcmp(row->section, "clean") == 0)
        return strcmp(row->key, "threads") != 0 &&
               strcmp(row->key, "data") != 0 &&
               strcmp(row->key, "page_max") != 0;
    return (strcmp(row->section, "fetch") == 0 &&
            strcmp(row->key, "body_max") == 0) ||
           (strcmp(row->section, "dedup") == 0 &&
            strcmp(row->key, "shingle_size") == 0);
}

static void
line(struct buf *out, const struct opts *o, const struct opt *row)
{
    buf_clear(out);
    buf_printf(out, "%s.%s=", row->section, row->key);
    opts_show(o, row, out);
}

static int
this_year(void)
{
    time_t now = (time_t)(clock_wall_ms() / 1000);
    struct tm tm;

    return gmtime_r(&now, &tm) != NULL ? tm.tm_year + 1900 : YEAR_UNKNOWN;
}

void
web_set_about(struct web *w, const struct opts *o)
{
    struct buf all = {0}, one = {0};

    for (size_t i = 0; i < opt_table_n; i++) {
        if (!counts(&opt_table[i]))
            continue;
        line(&one, o, &opt_table[i]);
        buf_str(&all, buf_view(&one));
        buf_char(&all, '\n');
    }
    buf_printf(&all, YEAR "%d\n", this_year());
    w->about = arena_str(w->texts.arena, buf_view(&all));
    w->agent = arena_str(w->texts.arena, o->fetch_user_agent);
    buf_free(&all);
    buf_free(&one);
}

/* The line of this option in `about`; "" when there is none. */
static struct str
line_of(struct str about, const struct opt *row)
{
    struct str part;

    while (str_cut(&about, '\n', &part)) {
        struct str name = str_sub(part, 0, str_find(part, '=', 0)), section;

        if (str_cut(&name, '.', &section) &&
            str_eq(section, str_c(row->section)) &&
            str_eq(name, str_c(row->key)))
            return part;
    }
    return S("");
}

static enum status
set(struct opts *o, const struct opt *row, struct str recorded)
{
    struct buf text = {0};
    enum status st;

    buf_printf(&text, "[%s]\n", row->section);
    buf_str(&text, str_sub(recorded, strlen(row->section) + 1, recorded.n));
    buf_char(&text, '\n');
    st = opts_read_text(o, "recorded web", buf_view(&text));
    buf_free(&text);
    return st;
}

/* One option; ST_INVALID: it was changed to something else. */
static enum status
follow(struct str recorded, struct opts *o, const struct opts *presets,
       const struct opt *row)
{
    struct buf mine = {0}, preset = {0};
    bool equal, at_preset;

    line(&mine, o, row);
    line(&preset, presets, row);
    equal = str_eq(buf_view(&mine), recorded);
    at_preset = str_eq(buf_view(&mine), buf_view(&preset));
    buf_free(&mine);
    buf_free(&preset);
    if (equal || (at_preset && recorded.n == 0))
        return ST_OK;
    return at_preset ? set(o, row, recorded) : ST_INVALID;
}

enum status
web_follow_about(const struct web *w, struct opts *o, const char *path)
{
    struct opts presets;
    enum status st = ST_OK, one;

    opts_init(&presets);
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (!counts(row))
            continue;
        one = follow(line_of(w->about, row), o, &presets, row);
        if (one == ST_INVALID)
            log_error("lab",
                      "%s was recorded with another %s.%s than yours: record "
                      "the web again (--record)",
                      path, row->section, row->key);
        if (one != ST_OK)
            st = ST_USAGE;
    }
    opts_free(&presets);
    return st;
}

uint64_t
web_start_ms(const struct web *w)
{
    struct str about = w->about, part;
    struct tm july = {
        .tm_year = YEAR_UNKNOWN - 1900, .tm_mon = 6, .tm_mday = 1};
    uint64_t year;

    while (str_cut(&about, '\n', &part))
        if (str_starts(part, S(YEAR)) &&
            str_u64(str_sub(part, sizeof YEAR - 1, part.n), &year) &&
            year >= 1970 && year < 3000)
            july.tm_year = (int)year - 1900;
    return (uint64_t)timegm(&july) * 1000;
}
