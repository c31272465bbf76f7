/* completion.h -- what bash completes, made from the tables of commands and
 * options. */
#ifndef BASE_COMPLETION_H
#define BASE_COMPLETION_H

#include "base/options/command.h"

/* A script for bash: commands, their flags, the options that --set takes and
 * the words that these are one of; else names of files.  `table` ends with
 * NULL. */
void completion_write(const struct command *const *table, FILE *to);

#endif
