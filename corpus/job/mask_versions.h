/* mask_versions.h -- numbers with dots that are versions and no addresses.
 *
 * Pure, thread-safe. */
#ifndef CORPUS_MASK_VERSIONS_H
#define CORPUS_MASK_VERSIONS_H

#include "base/str.h"

/* "1.2": a number, a dot and another one. */
bool mask_is_dotted(struct str s);

/* Whether a number with a dot ("1.2") begins at `at` and a word for a version
 * says what it is: "Version 1.2.3.4", "versie: 1.2.3.4", or it is one of
 * several such: "versions 1.2.3.4, 1.2.3.5 and 1.2.3.6". */
bool mask_is_version(struct str s, size_t at);

/* Whether the ending of a file's name begins here: "lib-1.2.3.4" before
 * ".tar.gz". */
bool mask_is_file_ending(struct str s);

#endif
