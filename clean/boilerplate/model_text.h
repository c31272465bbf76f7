/* model_text.h -- the lines and numbers of a model's text file (forest.h).
 *
 * Lines key=value; numbers stand between blanks. */
#ifndef CLEAN_MODEL_TEXT_H
#define CLEAN_MODEL_TEXT_H

#include <stdio.h>

#include "base/status.h"
#include "base/str.h"

/* The value of `key`, up to the end of its line; false if absent. */
bool model_text_find(struct str text, struct str key, struct str *value);

/* Take the next number off *rest; blanks before it are skipped.  False: there
 * is none, or it is beyond 1e9. */
bool model_text_number(struct str *rest, double *out);

/* The file at `path`, as `write` prints the model into it, with decimal points
 * whatever the locale.  ST_IO: reported. */
enum status model_text_save(const char *path,
                            void (*write)(const void *model, FILE *to),
                            const void *model);

#endif
