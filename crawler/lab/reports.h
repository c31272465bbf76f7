/* reports.h -- the findings of an experiment as text, and as files. */
#ifndef LAB_REPORTS_H
#define LAB_REPORTS_H

#include "findings.h"
#include "table.h"
#include "winnow/status.h"

struct report_tables {
    struct table *table[16];
    size_t n;
};

/* In `a`. */
void report_tables(struct report_tables *out, const struct findings *f,
                   struct arena *a);

void report_lab_json(const struct findings *f, struct buf *out);
void report_lab_markdown(const struct findings *f,
                         const struct report_tables *t, struct buf *out);
/* One file for any browser: plots and tables, nothing from outside. */
void report_lab_html(const struct findings *f, const struct report_tables *t,
                     struct buf *out);

/* A .tsv of every table, report.md, report.html and lab.json into `folder`
 * (made if it is missing).  ST_IO, ST_FULL: reported. */
enum status report_lab_files(const struct findings *f,
                             const struct report_tables *t, const char *folder);

#endif
