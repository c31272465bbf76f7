/* table.h -- the tables of an experiment, made once and written as TSV,
 * Markdown and HTML. */
#ifndef LAB_TABLE_H
#define LAB_TABLE_H

#include "base/arena.h"
#include "base/buf.h"
#include "spread.h"

struct lab_range { /* of a cell: "0.512", "0.401", "0.633"; without one "" */
    struct str mean, low, high;
};

struct lab_table {
    const char *name;  /* of its file */
    const char *title; /* plain text */
    const char *note;  /* what the columns mean; "" */
    struct arena *arena;
    struct str *cell;        /* the first row holds the names of the columns */
    struct lab_range *range; /* of each cell */
    size_t cells_n, columns_n;
    uint64_t ranged;   /* columns that have ranges, the first is bit 0 */
    bool data;         /* for machines: not in Markdown and HTML */
    size_t rows_shown; /* in Markdown and HTML; 0: all */
};

/* Columns separated by blanks; name, title and note must be static. */
struct lab_table *table_new(struct arena *a, const char *name,
                            const char *title, const char *note,
                            const char *columns);

/* One cell after the other, row by row. */
void table_text(struct lab_table *t, struct str s);
void table_count(struct lab_table *t, uint64_t n);
/* NAN is "-" here and in all below. */
void table_real(struct lab_table *t, double x, int decimals);
/* "0.512 [0.401, 0.633]" */
void table_range(struct lab_table *t, double x, double low, double high);

/* The mean; with the range unless its ends look the same. */
void table_spread(struct lab_table *t, const struct spread *s, int decimals);

struct table_list {
    struct lab_table *table[20];
    size_t n;
};
void table_list_add(struct table_list *all, struct lab_table *t);

/* For programs: a column with ranges is three, NAME, NAME_low and NAME_high;
 * "-" is NA. */
void table_tsv(const struct lab_table *t, struct buf *out);
void table_markdown(const struct lab_table *t, struct buf *out);
void table_html(const struct lab_table *t, struct buf *out);
/* An array of objects: columns likewise, numbers as numbers, "-" as null, else
 * text. */
struct json;
void table_json(const struct lab_table *t, struct json *j);

#endif
