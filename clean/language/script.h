/* script.h -- in which script a word is written. */
#ifndef CLEAN_SCRIPT_H
#define CLEAN_SCRIPT_H

#include <stdint.h>

#include "base/str.h"

/* A bit for the script of a word in UTF-8, by its first letter; scripts that
 * are not told apart share one.  Han, Hiragana and Katakana have a bit each. */
uint32_t script_of(struct str word);

#define SCRIPT_SHARE_MIN 0.1 /* of the words, to be one of a text's scripts */

#endif
