/* nearest.c -- see nearest.h.
 *
 * Optimal string alignment distance over three rows on the stack; bounded by
 * NEAREST_SIZE_MAX squared steps per candidate. */
#include "base/nearest.h"

#define PREFIX_MIN 3 /* "de" must not suggest every name that starts so */

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t
distance(struct str a, struct str b)
{
    size_t row[3][NEAREST_SIZE_MAX + 1];
    size_t *before = row[0], *above = row[1], *here = row[2];

    for (size_t j = 0; j <= b.n; j++)
        above[j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        size_t *free_row = before;

        here[0] = i;
        for (size_t j = 1; j <= b.n; j++) {
            char x = ascii_lower(a.p[i - 1]), y = ascii_lower(b.p[j - 1]);

            here[j] = least(above[j], here[j - 1]) + 1;
            here[j] = least(here[j], above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == ascii_lower(b.p[j - 2]) &&
                y == ascii_lower(a.p[i - 2]))
                here[j] = least(here[j], before[j - 2] + 1);
        }
        before = above;
        above = here;
        here = free_row;
    }
    return above[b.n];
}

void
nearest_init(struct nearest *near, struct str word)
{
    *near = (struct nearest){.word = word, .distance = SIZE_MAX};
}

void
nearest_offer(struct nearest *near, struct str candidate)
{
    struct str word = near->word;
    size_t d;

    if (word.n == 0 || word.n > NEAREST_SIZE_MAX || candidate.n == 0 ||
        candidate.n > NEAREST_SIZE_MAX)
        return;
    d = distance(word, candidate);
    if (d > 1 && least(word.n, candidate.n) >= PREFIX_MIN &&
        (str_starts_nocase(candidate, word) ||
         str_starts_nocase(word, candidate)))
        d = 1;
    if (d < near->distance && d <= 1 + word.n / 4) {
        near->distance = d;
        near->best = candidate;
    }
}

struct str
nearest_best(const struct nearest *near)
{
    return near->best.p ? near->best : S("");
}
