/* segment.c -- see segment.h.
 *
 * ICU's word break iterator (UAX #29 with dictionaries) over UTF-8.  It keeps
 * state, so each call works with a copy of its own: some microseconds, and only
 * texts in such scripts come here. */
#include "segment.h"

#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>

struct segmenter {
    UBreakIterator *words;
};

struct segmenter *
segmenter_new(void)
{
    struct segmenter *g = calloc(1, sizeof *g);
    UErrorCode e = U_ZERO_ERROR;

    if (g == NULL)
        return NULL;
    g->words = ubrk_open(UBRK_WORD, "", NULL, 0, &e);
    if (U_FAILURE(e)) {
        segmenter_free(g);
        return NULL;
    }
    return g;
}

void
segmenter_free(struct segmenter *g)
{
    if (g == NULL)
        return;
    if (g->words != NULL)
        ubrk_close(g->words);
    free(g);
}

static const size_t *
cuts_of(UBreakIterator *it, struct arena *a, struct str s)
{
    size_t room = s.n / 2 + 8, n = 0;
    size_t *cuts = arena_raw(a, room * sizeof *cuts);

    for (int32_t at = ubrk_first(it); at != UBRK_DONE; at = ubrk_next(it)) {
        if (n + 2 > room) {
            cuts =
                arena_grow(a, cuts, n * sizeof *cuts, 2 * room * sizeof *cuts);
            room *= 2;
        }
        cuts[n++] = (size_t)at;
    }
    cuts[n] = s.n; /* once more: readers stop here */
    return cuts;
}

const size_t *
segment_cuts(const struct segmenter *g, struct arena *a, struct str s)
{
    UText text = UTEXT_INITIALIZER;
    UErrorCode e = U_ZERO_ERROR;
    const size_t *cuts = NULL;
    UBreakIterator *it;

    it = ubrk_clone(g->words, &e);
    utext_openUTF8(&text, s.p, (int64_t)s.n, &e);
    if (U_SUCCESS(e))
        ubrk_setUText(it, &text, &e);
    if (U_SUCCESS(e))
        cuts = cuts_of(it, a, s);
    utext_close(&text);
    if (it != NULL)
        ubrk_close(it);
    return cuts;
}
