/* fuzz_page_kind.c -- a model of kinds of pages is outside input. */
#include <math.h>
#include <stdlib.h>

#include "clean/boilerplate/page_kind.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct page_kind_model m;
    float in[PAGE_KIND_INPUTS_N] = {0}, share[PAGE_KINDS_N];
    const char *fault;

    if (page_kind_parse(&m, str_n((const char *)data, n), &fault) != ST_OK)
        return 0;
    page_kind_shares(&m, in, share);
    for (int k = 0; k < PAGE_KINDS_N; k++)
        if (!isfinite(share[k]))
            abort();
    return 0;
}
