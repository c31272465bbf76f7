/* fuzz_robots.c -- robots.txt is read and asked without a fault. */
#include "crawler/admit/robots.h"
#include "fuzz.h"

/* The first line is the target, the rest the file. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str all = str_n((const char *)data, n);
    size_t cut = str_find(all, '\n', 0);
    struct str others[] = {STR("GPTBot"), STR("CCBot")};
    const struct opt_list also = {others, 2};
    struct robots *r = robots_parse(str_sub(all, cut + 1, all.n),
                                    (struct str)STR("winnow"), &also);
    struct buf once = {0}, twice = {0};

    robots_allowed(r, str_sub(all, 0, cut));
    robots_crawl_delay_ms(r, 30000);
    robots_normalise(all, false, &once);
    robots_normalise(buf_view(&once), false, &twice);
    if (!str_eq(buf_view(&once), buf_view(&twice)))
        __builtin_trap(); /* normal forms are stable */
    buf_free(&once);
    buf_free(&twice);
    robots_free(r);
    return 0;
}
