/* language_called.h -- what else than its code a language is called. */
#ifndef CLEAN_LANGUAGE_CALLED_H
#define CLEAN_LANGUAGE_CALLED_H

#include <stdbool.h>

#include "base/str.h"

/* Does `word` mean the language that has `code` (ISO 639-1)?  Its name in
 * English or in itself, its code of three letters, with a region (nl-BE); any
 * case. */
bool language_called(struct str word, struct str code);

#endif
