/* manual.h -- the manual page, made from the tables of commands and options. */
#ifndef BASE_MANUAL_H
#define BASE_MANUAL_H

#include "base/options/command.h"

/* winnow(1) in man(7) macros.  `table` ends with NULL. */
void manual_write(const struct command *const *table, FILE *to);

#endif
