/* fuzz_spelling.c -- a spelling table and a text; up to the first NUL: the
 * table. */
#include "clean/repair/spelling.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str all = str_n((const char *)data, n);
    size_t cut = str_find(all, '\0', 0);
    struct str text = str_sub(all, cut + 1, n);
    struct arena *a = arena_new();
    struct spelling *s;
    uint32_t bad, counts[3] = {0};

    if (spelling_parse(&s, str_sub(all, 0, cut), &bad) == ST_OK) {
        spelling_count(s, text, counts);
        spelling_turn(s, a, text, SPELLING_AMERICAN);
        spelling_turn(s, a, text, SPELLING_BRITISH);
        spelling_free(s);
    }
    arena_free(a);
    return 0;
}
