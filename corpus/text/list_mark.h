/* list_mark.h -- the marks of lists that are written in one line: "1) one 2)
 * two", "a. one b. two", bullets. */
#ifndef CORPUS_LIST_MARK_H
#define CORPUS_LIST_MARK_H

#include <stdbool.h>

#include "language_words.h"
#include "text_scan.h"

struct list_mark {
    uint32_t bullet;           /* 0: none */
    unsigned value;            /* of the number or letter; 0: a bullet alone */
    bool letter, upper;        /* "a", and "A" */
    bool opened, dot, bracket; /* "(" in front, "." and ")" behind */
    size_t end;                /* where the item's text begins */
    enum scan_case text;       /* of the letter that the item begins with */
};

/* The mark at `at`, with the item's first letter behind it.  False: there is
 * none, or one that ordinary sentences begin with, too ("A. Smith"; "3. Mai"
 * where numbers with a stop are ordinals). */
bool list_mark_read(struct list_mark *m, const struct language_words *words,
                    struct str s, size_t at);

/* Where the list's next mark begins (the next number, the same form) behind
 * `from`; s.n: not within the next LIST_ITEM_MAX bytes, or not at all. */
size_t list_mark_next(const struct list_mark *m,
                      const struct language_words *words, struct str s,
                      size_t from);

enum { LIST_ITEM_MAX = 400 };

#endif
