/* title_cut.h -- where a title can be cut: "Page - Site", "Site | Page".
 *
 * Sites put their name before or behind the title, parted by a dash, a bar, a
 * colon, a guillemet or a dot. */
#ifndef CLEAN_TITLE_CUT_H
#define CLEAN_TITLE_CUT_H

#include "base/str.h"

#define TITLE_CUTS_MAX 6u /* of a title are looked at */

struct title_cut {
    struct str front, back; /* of the whole title, trimmed */
    size_t at, end;         /* of the mark between them */
    bool colon, arrow;      /* what part titles and sections, too */
};

/* The first mark at `from` or behind it; false: there is none. */
bool title_cut_next(struct str title, size_t from, struct title_cut *cut);

/* Does a mark part `s` from the rest of the title, at either end? */
bool title_has_at_end(struct str title, struct str s);

/* "Word [Site]", as DokuWiki has it: false when it is not so. */
bool title_bracketed(struct str title, struct str *front, struct str *back);

/* Has it four words at most, as names of sites have? */
bool title_is_short(struct str s);

#endif
