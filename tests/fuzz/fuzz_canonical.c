/* fuzz_canonical.c -- any headers are read; what they name as canonical is a
 * URL, and another page only of the same registered domain. */
#include "base/url/host.h"
#include "clean/blocks/block.h"
#include "clean/metadata/canonical.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct page_counts counts = {0};
    struct document d = {.arena = arena_new(), .page_counts = &counts};
    struct url other;

    d.origin.headers = str_n((const char *)data, n);
    MUST(url_parse_plain(&d.url, d.arena, S("http://www.a.be/p?q"), NULL) ==
         ST_OK);
    d.base = d.url;
    canonical_read(&d);
    if (d.canonical_other.n > 0) {
        MUST(str_eq(d.canonical_other, d.meta.canonical));
        MUST(!str_eq(d.canonical_other, d.url.href));
        MUST(url_parse_plain(&other, d.arena, d.canonical_other, NULL) ==
             ST_OK);
        MUST(str_eq(host_registered_domain(other.host), S("a.be")));
    }
    arena_free(d.arena);
    return 0;
}
