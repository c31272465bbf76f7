/* Any bytes as a profile: refused, or usable and the same when read back. */
#include <stdlib.h>

#include "../../clean/profile.h"
#include "winnow/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    uint32_t counts[PROFILE_TYPES_MAX];
    struct arena *a = arena_new();
    struct profile p, q;
    struct buf text = {0};
    size_t line;
    double badness;

    if (profile_parse(&p, a, str_n((const char *)data, n), S("xx"), &line) ==
        ST_OK) {
        for (uint32_t i = 0; i < p.types_n; i++)
            counts[i] = i;
        badness = profile_badness(&p, counts, 1000, false);
        must(badness >= 0 && badness <= p.worst);
        profile_print(&p, &text);
        if (profile_parse(&q, a, buf_view(&text), S("xx"), &line) == ST_OK)
            must(q.types_n == p.types_n);
    } else
        must(line <= n + 1);
    buf_free(&text);
    arena_free(a);
    return 0;
}
