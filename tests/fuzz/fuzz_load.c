/* fuzz_load.c -- any bytes as a line of a frontier's dump: no crash. */
#include <stdint.h>

#include "frontier/intake/pending.h"
#include "frontier/tools/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena *a = arena_new();
    struct load_line line;
    struct candidate c;

    if (load_line(&line, str_n((const char *)data, n), a) &&
        line.kind == LOAD_LINK)
        (void)candidate_read(&c, line.row);
    (void)candidate_read(&c, str_n((const char *)data, n));
    arena_free(a);
    return 0;
}
