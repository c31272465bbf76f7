/* train_table.h -- every labelled block as a row of small numbers.
 *
 * Trees ask only whether a value is over a limit, so each input is cut into
 * TRAIN_BINS bins once, and a value becomes the number of its bin. */
#ifndef CLEAN_TRAIN_TABLE_H
#define CLEAN_TRAIN_TABLE_H

#include "train.h"

#define TRAIN_BINS 64u

struct train_table {
    uint32_t rows_n, inputs_n;
    uint8_t *bin;               /* [inputs_n][rows_n] */
    float (*limit)[TRAIN_BINS]; /* [inputs_n]: x > limit[b]: bin over b */
    uint8_t *limits_n;          /* [inputs_n], below TRAIN_BINS */
    uint32_t *page;             /* [rows_n] */
    float *weight;              /* [rows_n] */
    uint8_t *text;              /* [rows_n] 1: text, 0: boilerplate */
};

/* Rows are the blocks of positive weight of pages that are not suspect. */
struct train_table *train_table_new(const struct train_set *set, train_row *row,
                                    uint32_t inputs_n);
void train_table_free(struct train_table *t); /* NULL is allowed */

#endif
