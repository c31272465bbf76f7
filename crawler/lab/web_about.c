/* web_about.c -- see web_about.h: a line "section.key=value" for every option
 * of the chain, and the few others that shape a page. */
#include "web_about.h"

#include "winnow/buf.h"
#include "winnow/log.h"

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
    w->about = arena_str(w->texts.arena, buf_view(&all));
    w->agent = arena_str(w->texts.arena, o->fetch_user_agent);
    buf_free(&all);
    buf_free(&one);
}

static bool
has_line(struct str about, struct str wanted)
{
    struct str part;

    while (str_cut(&about, '\n', &part))
        if (str_eq(part, wanted))
            return true;
    return false;
}

enum status
web_check_about(const struct web *w, const struct opts *o, const char *path)
{
    struct buf mine = {0}, preset = {0};
    struct opts presets;
    enum status st = ST_OK;

    opts_init(&presets);
    for (size_t i = 0; i < opt_table_n; i++) {
        if (!counts(&opt_table[i]))
            continue;
        line(&mine, o, &opt_table[i]);
        line(&preset, &presets, &opt_table[i]);
        if (str_eq(buf_view(&mine), buf_view(&preset)) ||
            has_line(w->about, buf_view(&mine)))
            continue;
        log_error("lab",
                  "%s was recorded with another %s.%s than %.*s: record the "
                  "web again (--record)",
                  path, opt_table[i].section, opt_table[i].key,
                  STRF(buf_view(&mine)));
        st = ST_USAGE;
    }
    opts_free(&presets);
    buf_free(&mine);
    buf_free(&preset);
    return st;
}
