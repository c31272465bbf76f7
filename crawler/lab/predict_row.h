/* predict_row.h -- how well something predicted, as cells of a table. */
#ifndef LAB_PREDICT_ROW_H
#define LAB_PREDICT_ROW_H

#include "predict.h"
#include "table.h"

/* The names of the columns. */
#define PREDICT_ROW                                                            \
    "n true_positive false_positive false_negative true_negative precision "   \
    "recall F1 AUC"

void predict_row(struct lab_table *t, const struct predict *p);

#endif
