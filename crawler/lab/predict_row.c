/* predict_row.c -- see predict_row.h. */
#include "predict_row.h"

void
predict_row(struct lab_table *t, const struct predict *p)
{
    table_count(t, p->n);
    table_count(t, p->true_positive);
    table_count(t, p->false_positive);
    table_count(t, p->false_negative);
    table_count(t, p->true_negative);
    table_real(t, p->precision, 3);
    table_real(t, p->recall, 3);
    table_real(t, p->f1, 3);
    table_real(t, p->auc, 3);
}
