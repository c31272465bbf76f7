/* cleanse.h -- tags, e-mail addresses, URIs and hashtags in running text.
 *
 * The patterns are texrex's.  A match takes the blanks round it with it and is
 * replaced by a blank, the replacer and a blank (tags: by one blank).  All
 * calls are pure; texts are valid UTF-8, results live in the arena or are the
 * text itself when nothing changes. */
#ifndef CLEAN_CLEANSE_H
#define CLEAN_CLEANSE_H

#include "letters.h"

/* <b>, </b>, <!--x-->, <?php ...>: from < and a letter, !, ? or / to >. */
struct str cleanse_tags(struct arena *a, struct str s);

/* Letters, digits and . _ - on both sides of an @, before it % and +, too, with
 * a dot and two letters or more at the end; not with words of scripts without
 * blanks that stand right beside it. */
struct str cleanse_emails(const struct letters *l, struct arena *a,
                          struct str s, struct str replacer);

/* Two to six letters, :// and what follows, or www. and what follows; the
 * punctuation at the end stays. */
struct str cleanse_uris(const struct letters *l, struct arena *a, struct str s,
                        struct str replacer);

/* # and letters or digits, with at least one letter. */
struct str cleanse_hashtags(const struct letters *l, struct arena *a,
                            struct str s, struct str replacer);

#endif
