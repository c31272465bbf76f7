/* HTTP responses made of anything: bodies keep their bound and lie in the block
 * or in the arena, codings end. */
#include "clean/archive/http_payload.h"
#include "fuzz.h"

#define BODY_MAX 5000
static void
touch(struct str s)
{
    volatile char sink = 0;

    for (size_t i = 0; i < s.n; i++)
        sink = (char)(sink ^ s.p[i]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena *a = arena_new();
    struct http_payload p;

    http_payload_parse(&p, str_n((const char *)data, n), BODY_MAX, a);
    MUST(p.body.n <= BODY_MAX && p.status < 1000);
    touch(p.body);
    touch(p.content_type);
    touch(p.x_robots_tag);
    arena_free(a);
    return 0;
}
