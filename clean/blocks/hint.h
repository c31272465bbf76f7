/* hint.h -- categories of an element by the words in its class and id.
 *
 * All patterns of hint.tbl.h are found in one pass by an Aho-Corasick
 * automaton (Aho & Corasick 1975) turned into a table of transitions.  Built
 * once per process, read-only after. */
#ifndef CLEAN_HINT_H
#define CLEAN_HINT_H

#include "base/str.h"

enum hint {
#define HINT(id, patterns) HINT_##id,
#include "hint.tbl.h"
#undef HINT
    HINT_N
};

/* Build the automaton; may be called often and from any thread. */
void hint_init(void);

/* A bit 1 << HINT_x for each category found in `class_value` or `id_value`, and
 * behind them a bit 1 << (HINT_N + CLASS_x) for each of class_word.tbl.h. */
uint32_t hint_find(struct str class_value, struct str id_value);

#endif
