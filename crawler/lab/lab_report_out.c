/* lab_report_out.c -- the pages around tables and plots, and the files. */
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "lab_report.h"

#include <errno.h>
#include <sys/stat.h>

static void
summary(const struct experiment *e, struct buf *out)
{
    const struct opt_list *languages = &e->opts->clean_language;

    buf_printf(out,
               "%llu pages can be reached from %zu seeds, %llu of them can be "
               "kept. Each crawl fetches at most %llu pages",
               (unsigned long long)e->pages, e->seeds_n,
               (unsigned long long)e->kept_total,
               (unsigned long long)e->pages_max);
    buf_printf(out, ", with a delay of %llu ms per host",
               (unsigned long long)e->opts->politeness_delay_ms);
    if (e->rate > 0)
        buf_printf(out, " and %g fetches a second", e->rate);
    for (size_t i = 0; i < e->patiences_n && !experiment_timeless(e); i++)
        buf_printf(out, "%s %g", i == 0 ? "; patience of every scorer" : ",",
                   e->patience[i]);
    buf_printf(out, "; random seed%s %llu", e->chances_n > 1 ? "s" : "",
               (unsigned long long)e->opts->frontier_random_seed);
    if (e->chances_n > 1)
        buf_printf(out, " to %llu",
                   (unsigned long long)(e->opts->frontier_random_seed +
                                        e->chances_n - 1));
    buf_c(out, "; language");
    for (size_t i = 0; i < languages->n; i++)
        buf_printf(out, " %.*s", STRF(languages->item[i]));
    buf_printf(out, "%s; winnow %s.", languages->n == 0 ? " any" : "",
               WINNOW_VERSION);
}

void
lab_report_job(const struct experiment *e, struct json *j)
{
    const struct opt_list *languages = &e->opts->clean_language;

    json_kstr(j, "version", S(WINNOW_VERSION));
    json_key(j, "language");
    json_array(j);
    for (size_t i = 0; i < languages->n; i++)
        json_str(j, languages->item[i]);
    json_array_end(j);
}

static void
markdown(struct lab_report *r, const char *title, const struct buf *about)
{
    buf_printf(&r->markdown, "# %s\n\n", title);
    buf_str(&r->markdown, buf_view(about));
    buf_c(&r->markdown, "\n\n");
    for (size_t i = 0; i < r->tables.n; i++)
        if (!r->tables.table[i]->data)
            table_markdown(r->tables.table[i], &r->markdown);
}

static void
html(struct lab_report *r, const char *title, const struct buf *about)
{
    buf_printf(
        &r->html,
        "<!doctype html>\n<html lang=\"en\"><head><meta "
        "charset=\"utf-8\"><title>%s</title>\n<style>body{font:15px/"
        "1.45 sans-serif;max-width:1100px;margin:2em auto;padding:0 1em}"
        "table{border-collapse:collapse;font-size:13px}th,td{padding:3px "
        "9px;border-bottom:1px solid #ddd;text-align:right}th:first-"
        "child,td:first-child{text-align:left}svg{max-width:100%%;height:"
        "auto}</style></head><body>\n<h1>%s</h1>\n<p>",
        title, title);
    buf_str(&r->html, buf_view(about));
    buf_c(&r->html, "</p>\n");
    buf_str(&r->html, buf_view(&r->plots));
    for (size_t i = 0; i < r->tables.n; i++)
        if (!r->tables.table[i]->data)
            table_html(r->tables.table[i], &r->html);
    buf_c(&r->html, "</body></html>\n");
}

void
lab_report_findings(struct lab_report *r, const struct findings *f,
                    struct arena *a)
{
    struct buf about = {0};

    summary(f->e, &about);
    if (f->links_some > 0)
        buf_printf(&about,
                   " Of %zu links that any crawl met %zu were met by all: on "
                   "those predictions are compared.",
                   f->links_some, f->links);
    lab_report_tables(&r->tables, f, a);
    markdown(r, "Laboratory", &about);
    lab_report_plots(f, &r->plots);
    html(r, "Laboratory", &about);
    lab_report_json(f, &r->json);
    buf_free(&about);
}

void
lab_report_preset(struct lab_report *r, const struct preset *p,
                  const struct experiment *e)
{
    struct json j = {.out = &r->json};
    struct buf about = {0}, title = {0};

    summary(e, &about);
    buf_printf(&title, "Laboratory: %s", p->name);
    buf_char(&title, '\0');
    markdown(r, title.p, &about);
    html(r, title.p, &about);
    json_object(&j);
    json_kstr(&j, "preset", str_c(p->name));
    lab_report_job(e, &j);
    json_ku64(&j, "pages", e->pages);
    json_ku64(&j, "kept_total", e->kept_total);
    for (size_t i = 0; i < r->tables.n; i++) {
        json_key(&j, r->tables.table[i]->name);
        table_json(r->tables.table[i], &j);
    }
    json_object_end(&j);
    buf_char(&r->json, '\n');
    buf_free(&about);
    buf_free(&title);
}

void
lab_report_free(struct lab_report *r)
{
    buf_free(&r->plots);
    buf_free(&r->markdown);
    buf_free(&r->html);
    buf_free(&r->json);
}

static enum status
write_one(const char *folder, const char *name, const char *suffix,
          const struct buf *text)
{
    struct buf path = {0};
    enum status st;

    buf_printf(&path, "%s/%s%s", folder, name, suffix);
    buf_char(&path, '\0');
    if ((st = file_write(path.p, buf_view(text))) != ST_OK)
        log_error("lab", "cannot write %s: %s", path.p, strerror(errno));
    buf_free(&path);
    return st;
}

enum status
lab_report_write(const struct lab_report *r, const char *folder)
{
    struct buf text = {0};
    enum status st = ST_OK;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        log_error("lab", "cannot make %s: %s", folder, strerror(errno));
        return ST_IO;
    }
    for (size_t i = 0; i < r->tables.n && st == ST_OK; i++) {
        buf_clear(&text);
        table_tsv(r->tables.table[i], &text);
        st = write_one(folder, r->tables.table[i]->name, ".tsv", &text);
    }
    buf_free(&text);
    if (st == ST_OK)
        st = write_one(folder, "report", ".md", &r->markdown);
    if (st == ST_OK)
        st = write_one(folder, "report", ".html", &r->html);
    return st == ST_OK ? write_one(folder, "lab", ".json", &r->json) : st;
}
