/* confusable_input.h -- reads two lists of words, for a table of stems. */
#ifndef CLEAN_CONFUSABLE_INPUT_H
#define CLEAN_CONFUSABLE_INPUT_H

#include "base/status.h"
#include "clean/language/confusable_learn.h"

/* Read the lists of a language and of its confusable language, lines "COUNT
 * <TAB> WORD" as hydra has them; entries that are no words are passed over.
 * *out is for confusable_learner_free().  ST_IO, ST_INVALID: reported. */
enum status confusable_input(struct confusable_learner **out, const char *path,
                             const char *confusable_path);

#endif
