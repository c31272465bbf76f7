/* opt_alias.h -- renamed options: what an old name is called now. */
#ifndef BASE_OPT_ALIAS_H
#define BASE_OPT_ALIAS_H

#include "base/options/opt.h"

/* The present key for `key` of `section`; `key` itself if it never changed. */
struct str opt_alias_key(struct str section, struct str key);

/* The present word for one of a value of `row`; `word` if it never changed. */
struct str opt_alias_word(const struct opt *row, struct str word);

#endif
