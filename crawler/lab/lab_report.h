/* lab_report.h -- an experiment or a preset as text, and as files. */
#ifndef LAB_LAB_REPORT_H
#define LAB_LAB_REPORT_H

#include "base/buf.h"
#include "findings.h"
#include "preset.h"
#include "table.h"

struct json;

struct lab_report { /* start with {0} */
    struct table_list tables;
    struct buf plots; /* SVG */
    struct buf markdown, html, json;
};

/* Fill it; tables live in `a`. */
void lab_report_findings(struct lab_report *r, const struct findings *f,
                         struct arena *a);
/* The same for a preset, whose tables and plots are made. */
void lab_report_preset(struct lab_report *r, const struct preset *p,
                       const struct experiment *e);
void lab_report_free(struct lab_report *r);

/* A .tsv of every table, report.md, report.html and lab.json into `folder`
 * (made if it is missing).  ST_IO, ST_FULL: reported. */
enum status lab_report_write(const struct lab_report *r, const char *folder);

/* ---- parts, each in a file of its own ---- */
void lab_report_tables(struct table_list *out, const struct findings *f,
                       struct arena *a);
void lab_report_links(struct table_list *out, const struct findings *f,
                      struct arena *a); /* appends */
/* Keys of an object: for which language the pages were cleaned, by what. */
void lab_report_job(const struct experiment *e, struct json *j);
void lab_report_json(const struct findings *f, struct buf *out);
void lab_report_plots(const struct findings *f, struct buf *out); /* SVG */

#endif
