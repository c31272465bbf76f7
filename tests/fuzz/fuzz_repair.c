/* fuzz_repair.c -- replacement files, and the repairs of text.  Up to the first
 * NUL: rules; behind it: text. */
#include <stdlib.h>

#include "clean/charset/utf8.h"
#include "clean/repair/ascii_art.h"
#include "clean/repair/mojibake.h"
#include "clean/repair/replacer.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str all = str_n((const char *)data, n);
    size_t cut = str_find(all, '\0', 0);
    struct arena *a = arena_new();
    struct str rules = utf8_repair(a, str_sub(all, 0, cut));
    struct str text = utf8_repair(a, str_sub(all, cut + 1, n)), once;
    struct replacer *r;
    uint32_t bad;

    if (replacer_parse(&r, rules, &bad) == ST_OK) {
        if (!utf8_valid(replacer_apply(r, a, text)))
            abort();
        replacer_free(r);
    }
    once = mojibake_repair(a, text);
    if (!utf8_valid(once) || once.n > text.n)
        abort();
    once = ascii_art_remove(a, text);
    if (!utf8_valid(once) || once.n > text.n ||
        !str_eq(ascii_art_remove(a, once), once))
        abort();
    arena_free(a);
    return 0;
}
