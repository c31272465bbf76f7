/* pair_line.h -- documents and pairs as keys of lines, in the order of rank.
 *
 * A document is its rank as text: 9999999999 - size in 10 digits, a blank, its
 * id; so the larger document comes first, of equal sizes the one with the
 * smaller id, as in winnow tender.  A pair is the lesser document, a blank, the
 * better one. */
#ifndef CORPUS_PAIR_LINE_H
#define CORPUS_PAIR_LINE_H

#include "base/str.h"
#include "corpus/tender/shingle_line.h"

#define SIZE_MAX_SHOWN UINT64_C(9999999999)
enum { RANK_TEXT = 10 + 1 + ID_SIZE, PAIR_TEXT = 2 * RANK_TEXT + 1 };

/* Is it a pair; which documents.  Their ids are the last ID_SIZE bytes. */
static inline bool
pair_read(struct str key, struct str *lesser, struct str *better)
{
    if (key.n != PAIR_TEXT || key.p[RANK_TEXT] != ' ' || key.p[10] != ' ' ||
        key.p[RANK_TEXT + 11] != ' ')
        return false;
    *lesser = str_sub(key, 0, RANK_TEXT);
    *better = str_sub(key, RANK_TEXT + 1, PAIR_TEXT);
    return true;
}

#endif
