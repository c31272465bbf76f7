/* segment.c -- see segment.h.
 *
 * ICU's word break iterator (UAX #29 with dictionaries) over UTF-8.  It keeps
 * state, so each call works with a copy of its own: some microseconds, and only
 * texts in such scripts come here. */
#include "segment.h"
#include "base/memory.h"

#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>

struct segmenter {
    UBreakIterator *words;
};

enum status
segmenter_open(struct segmenter **out)
{
    struct segmenter *g = memory_zero(1, sizeof *g);
    UErrorCode e = U_ZERO_ERROR;

    *out = NULL;
    if (g == NULL)
        return ST_NOMEM;
    g->words = ubrk_open(UBRK_WORD, "", NULL, 0, &e);
    if (U_FAILURE(e)) {
        segmenter_free(g);
        return e == U_MEMORY_ALLOCATION_ERROR ? ST_NOMEM : ST_IO;
    }
    *out = g;
    return ST_OK;
}

void
segmenter_free(struct segmenter *g)
{
    if (g == NULL)
        return;
    if (g->words != NULL)
        ubrk_close(g->words);
    memory_free(g);
}

/* The cuts and s.n once more, where readers stop; how many.  None lies between
 * the bytes of a character, so there is room for s.n + 2. */
static size_t
find_cuts(UBreakIterator *it, struct str s, size_t *cuts)
{
    size_t n = 0;

    for (int32_t at = ubrk_first(it); at != UBRK_DONE && n <= s.n;
         at = ubrk_next(it))
        cuts[n++] = (size_t)at;
    cuts[n++] = s.n;
    return n;
}

const size_t *
segment_cuts(const struct segmenter *g, struct arena *a, struct str s)
{
    size_t room = (s.n + 2) * sizeof(size_t), n = 0;
    size_t *cuts = arena_raw(a, room); /* before ICU has anything */
    UText text = UTEXT_INITIALIZER;
    UErrorCode e = U_ZERO_ERROR;
    UBreakIterator *it = ubrk_clone(g->words, &e);

    utext_openUTF8(&text, s.p, (int64_t)s.n, &e);
    if (U_SUCCESS(e))
        ubrk_setUText(it, &text, &e);
    if (U_SUCCESS(e))
        n = find_cuts(it, s, cuts);
    utext_close(&text);
    if (it != NULL)
        ubrk_close(it);
    cuts = arena_grow(a, cuts, room, n * sizeof *cuts);
    return n > 0 ? cuts : NULL;
}
