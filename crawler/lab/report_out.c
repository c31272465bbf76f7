/* report_out.c -- the files of an experiment. */
#include "reports.h"
#include "whole_file.h"
#include "winnow/log.h"

#include <errno.h>
#include <sys/stat.h>

static enum status
write_one(const char *folder, const char *name, const char *suffix,
          const struct buf *text)
{
    struct buf path = {0};
    enum status st;

    buf_printf(&path, "%s/%s%s", folder, name, suffix);
    buf_char(&path, '\0');
    st = whole_file_write(path.p, buf_view(text));
    buf_free(&path);
    return st;
}

enum status
report_lab_files(const struct findings *f, const struct report_tables *t,
                 const char *folder)
{
    struct buf text = {0};
    enum status st = ST_OK;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        log_error("lab", "cannot make %s: %s", folder, strerror(errno));
        return ST_IO;
    }
    for (size_t i = 0; i < t->n && st == ST_OK; i++) {
        buf_clear(&text);
        table_tsv(t->table[i], &text);
        st = write_one(folder, t->table[i]->name, ".tsv", &text);
    }
    if (st == ST_OK) {
        buf_clear(&text);
        report_lab_markdown(f, t, &text);
        st = write_one(folder, "report", ".md", &text);
    }
    if (st == ST_OK) {
        buf_clear(&text);
        report_lab_html(f, t, &text);
        st = write_one(folder, "report", ".html", &text);
    }
    if (st == ST_OK) {
        buf_clear(&text);
        report_lab_json(f, &text);
        st = write_one(folder, "lab", ".json", &text);
    }
    buf_free(&text);
    return st;
}
