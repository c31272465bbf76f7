/* sibling_input.h -- reads two lists of words, for a table of stems. */
#ifndef CLEAN_SIBLING_INPUT_H
#define CLEAN_SIBLING_INPUT_H

#include "clean/text/sibling_learn.h"
#include "winnow/status.h"

/* Read the lists of a language and of its sibling, lines "COUNT <TAB> WORD" as
 * hydra has them; entries that are no words are passed over.  *out is for
 * sibling_learner_free().  ST_IO, ST_INVALID: reported. */
enum status sibling_input(struct sibling_learner **out, const char *path,
                          const char *sibling_path);

#endif
