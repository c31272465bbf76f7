/* language_tag.h -- languages as markup names them: "nl", "pt-BR", "zh_Hans"
 * (BCP 47, and common spellings of it). */
#ifndef BASE_LANGUAGE_TAG_H
#define BASE_LANGUAGE_TAG_H

#include "base/arena.h"

#define LANGUAGE_TAG_MAX 16u /* longer ones say nothing more */

/* Lower case, in `a`; "": it names no language ("x-default"). */
struct str language_tag(struct arena *a, struct str written);

#endif
