/* nearest.h -- "did you mean": the known name nearest to a mistyped one.
 *
 *     struct nearest near;
 *     nearest_init(&near, typed);
 *     nearest_offer(&near, candidate);       for every known name
 *     if (nearest_best(&near).n > 0) ...
 *
 * Distance: insertions, deletions, substitutions and swaps of neighbours, case
 * ignored; a name that the other one starts with counts as one step. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/str.h"

#define NEAREST_SIZE_MAX 64 /* longer words have no near miss */

struct nearest {
    struct str word, best;
    size_t distance;
};

/* `word` was typed; it and the candidates are borrowed as long as *near is
 * used.
 */
void nearest_init(struct nearest *near, struct str word);
void nearest_offer(struct nearest *near, struct str candidate);

/* The nearest candidate, or "" if none is near enough to be meant. */
struct str nearest_best(const struct nearest *near);

#endif
