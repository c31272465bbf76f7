/* link_words.h -- in which language the words of a link are: of its anchor and
 * of its URL's path.
 *
 * Few words are enough to tell a wanted language from others when they are
 * among the commonest ones ("comment", "voyage" tell nothing, "dans le" does),
 * so each word of a profile counts by how much more often it occurs in running
 * text than a word that no profile has, in logarithms to base 10; what a
 * wanted language has is compared with the best of all others (a naive Bayes
 * classifier over function words).  Accents do not count, since paths leave
 * them out.
 *
 * Read-only once it is open: threads share it. */
#ifndef CLEAN_LINK_WORDS_H
#define CLEAN_LINK_WORDS_H

#include "base/link.h"
#include "base/options/opt.h"
#include "base/status.h"

struct link_words_model; /* opaque; see clean/language/link_words.c */

/* From the profiles that clean.profiles names, or all of the data folder, for
 * the languages of clean.language.  *out is NULL if there are no such
 * languages: then every link is LINK_WORDS_NONE.  The caller owns it.  ST_IO,
 * ST_INVALID: reported, *out is NULL. */
enum status link_words_open(struct link_words_model **out,
                            const struct opts *o);
void link_words_close(struct link_words_model *m); /* NULL is allowed */

/* Of a link with this anchor text (UTF-8) and absolute URL.  m: NULL is
 * allowed. */
enum link_words link_words_of(const struct link_words_model *m,
                              struct str anchor, struct str url);

#endif
