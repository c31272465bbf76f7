/* language_runs.c -- see language_runs.h. */
#include "language_runs.h"

void
language_runs(struct labelled_sentence *s, size_t n, struct str wanted,
              uint64_t most)
{
    bool any = false;

    for (size_t i = 0; i < n; i++)
        any |= str_eq(s[i].lani, wanted);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t chars = 0;
        bool is_wanted;

        for (end = i; end < n && str_eq(s[end].lani, s[i].lani); end++)
            chars += s[end].chars;
        is_wanted = str_eq(s[i].lani, wanted) ||
                    (any && i > 0 && end < n && chars <= most);
        for (size_t k = i; k < end; k++)
            s[k].is_wanted = is_wanted;
    }
}
