/* fuzz_tdmrep.c -- a tdmrep.json is read and asked without a fault, and what it
 * says comes through the text that is stored. */
#include "crawler/admit/robots.h"
#include "crawler/admit/tdmrep.h"
#include "fuzz.h"

/* The first line is the target, the rest the file. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str all = str_n((const char *)data, n);
    size_t cut = str_find(all, '\n', 0);
    struct arena *a = arena_new();
    struct str text = tdmrep_read(str_sub(all, cut + 1, all.n), a);
    struct robots *r = robots_parse(text, (struct str)STR("winnow"), NULL);
    struct str said = tdmrep_of(robots_tdmrep(r), str_sub(all, 0, cut), a);

    MUST(robots_allowed(r, str_sub(all, 0, cut)));
    MUST(text.n == 0 || robots_tdmrep(r).n == text.n - 2);
    MUST(said.n == 0 ||
         str_starts(said, (struct str)STR("tdm-reservation: 1\n")) ||
         str_eq(said, (struct str)STR("tdm-reservation: 0\n")));
    robots_free(r);
    arena_free(a);
    return 0;
}
