/* warc_date.c -- the 14 digits that ARC files, and some writers of WARC files,
 * have for a date. */
#include <stdio.h>

#include "warc_impl.h"

#define DIGITS 14

struct str
warc_iso_date(struct buf *head, struct str date)
{
    size_t at = head->n, digits = 0;
    char text[WARC_ISO_DATE];
    const char *d = date.p;

    while (digits < date.n && digits < DIGITS && ascii_digit(d[digits]))
        digits++;
    if (digits < DIGITS)
        return date;
    snprintf(text, sizeof text, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", d, d + 4,
             d + 6, d + 8, d + 10, d + 12);
    buf_c(head, text);
    return str_n(head->p + at, head->n - at);
}
