/* web_about.c -- see web_about.h: a line "section.key=value" for every option
 * of the chain, and of the others that decide what a crawl keeps. */
#include "web_about.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"

#include <time.h>

#define YEAR "lab.year="
#define YEAR_UNKNOWN 2026

/* Are fingerprints made by it? */
static bool
makes_fingerprints(const struct opt *row)
{
    static const char *const keys[] = {"shingle_size", "fingerprint", "values",
                                       "seed"};

    if (strcmp(row->section, "dedup") != 0)
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(row->key, keys[i]) == 0)
            return true;
    return false;
}

/* What a page is recorded as depends on it. */
static bool
is_fixed(const struct opt *row)
{
    if (strcmp(row->section, "clean") == 0)
        return strcmp(row->key, "threads") != 0 &&
               strcmp(row->key, "data") != 0 &&
               strcmp(row->key, "page_max") != 0;
    return (strcmp(row->section, "fetch") == 0 &&
            strcmp(row->key, "body_max") == 0) ||
           makes_fingerprints(row);
}

/* What a crawl of it keeps depends on it, so two crawls that are compared have
 * to agree on it; the next may choose otherwise. */
static bool
is_brought(const struct opt *row)
{
    return row->change == OPT_CORPUS &&
           (strcmp(row->section, "scope") == 0 ||
            strcmp(row->section, "dedup") == 0 ||
            strcmp(row->section, "politeness") == 0);
}

static bool
counts(const struct opt *row)
{
    return is_fixed(row) || is_brought(row);
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

/* As if the operator had not. */
static enum status
set(struct opts *o, const struct opt *row, struct str recorded)
{
    struct buf text = {0};
    struct opts one;
    enum status st;

    opts_init(&one);
    buf_printf(&text, "[%s]\n", row->section);
    buf_str(&text, str_sub(recorded, strlen(row->section) + 1, recorded.n));
    buf_char(&text, '\n');
    st = opts_read_text(&one, "recorded web", buf_view(&text));
    if (st == ST_OK)
        opts_copy(o, &one, row);
    opts_free(&one);
    buf_free(&text);
    return st;
}

/* The operator's value stands, if it can. */
static enum status
contradicted(struct str recorded, struct str mine, const struct opt *row,
             const char *path)
{
    if (is_fixed(row)) {
        log_error(
            "lab",
            "%s was recorded with %.*s, yours is %.*s: leave that out, or "
            "record the web again (--record)",
            path, STRF(recorded), STRF(mine));
        return ST_USAGE;
    }
    log_warn("lab", "%s was recorded with %.*s; now %.*s", path, STRF(recorded),
             STRF(mine));
    return ST_OK;
}

static enum status
follow(struct str recorded, struct opts *o, const struct opts *presets,
       const struct opt *row, const char *path)
{
    struct buf mine = {0}, preset = {0};
    enum status st = ST_OK;

    line(&mine, o, row);
    line(&preset, presets, row);
    if (recorded.n == 0 && is_fixed(row)) /* of a version without the option */
        recorded = buf_view(&preset);
    if (recorded.n > 0 && !str_eq(buf_view(&mine), recorded)) {
        if (opts_given(o, row->section, row->key)) {
            st = contradicted(recorded, buf_view(&mine), row, path);
        } else {
            log_info("lab", "%s brings %.*s", path, STRF(recorded));
            st = set(o, row, recorded);
        }
    }
    buf_free(&mine);
    buf_free(&preset);
    return st;
}

enum status
web_follow_about(const struct web *w, struct opts *o, const char *path)
{
    struct opts presets;
    enum status st = ST_OK;

    opts_init(&presets);
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        if (counts(row) &&
            follow(line_of(w->about, row), o, &presets, row, path) != ST_OK)
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
