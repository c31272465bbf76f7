/* opt_number.h -- numbers of options: with units, and as they are written. They
 * do not depend on the locale.  Pure. */
#ifndef BASE_OPT_NUMBER_H
#define BASE_OPT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* False: the text is no such number. */
typedef bool opt_number(struct str text, uint64_t *out);
opt_number opt_number_ms;    /* 1500, 1500ms, 1.5s, 2min: milliseconds */
opt_number opt_number_bytes; /* 4194304, 4MiB, 4M, 64k */

/* As text that is read back equal, with the largest unit that leaves it whole;
 * with as few digits as that takes. */
void opt_number_show_bytes(uint64_t bytes, struct buf *out);
void opt_number_show_real(double value, struct buf *out);

#endif
