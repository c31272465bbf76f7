/* profile_input.h -- the documents of a file, for a language profile. */
#ifndef CLEAN_PROFILE_INPUT_H
#define CLEAN_PROFILE_INPUT_H

#include "clean/language/profiler.h"

/* Add what is in the file at `path`, which is one of
 *   - UTF-8 text, cut at line ends into documents of `words_n` words or a
 *     little more (0: it is one document);
 *   - a token file: lines `# ID <TAB> types <TAB> tokens`, each followed by
 *     lines `TYPE <TAB> count ...` of that document.
 * It may be compressed.  ST_IO, ST_INVALID: reported. */
enum status profile_input(struct profiler *p, const char *path,
                          uint64_t words_n);

#endif
