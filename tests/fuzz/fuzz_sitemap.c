/* fuzz_sitemap.c -- sitemaps of any kind are read without a fault, and give no
 * more than their limits allow. */
#include "base/date.h"
#include "crawler/sitemap/sitemap.h"
#include "fuzz.h"

enum { ENTRIES_MAX = 100 };

static bool
count(void *self, const struct sitemap_entry *e)
{
    size_t *n = self;

    if (e->url.n == 0 || e->url.n > SITEMAP_URL_MAX || e->priority > 1)
        __builtin_trap();
    return ++*n < ENTRIES_MAX + 1;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const struct sitemap_limits limits = {ENTRIES_MAX, 1 << 20};
    struct str all = str_n((const char *)data, n);
    struct sitemap_result r;
    size_t found = 0;

    sitemap_read(&r, all, &limits, count, &found);
    if (found != r.entries || found > ENTRIES_MAX)
        __builtin_trap();
    date_read_ms(all);
    return 0;
}
