/* Any bytes as a profile: refused, or usable and the same when read back. */
#include <math.h>

#include "base/buf.h"
#include "base/hash.h"
#include "clean/language/profile.h"
#include "fuzz.h"

/* A table that was read can be used on any text. */
static void
use_order(const struct word_order *o)
{
    static const struct str words[] = {STR(""), STR("DE"), STR("\xd0\xaf"),
                                       STR("\xd0\xafSTEN")};
    const uint32_t sequence[] = {0, 1, 2, 3, 2, 0};
    uint8_t class[4];
    double excess;

    MUST(order_complete(o));
    for (int i = 0; i < 4; i++)
        MUST((class[i] = order_class(o, words[i], hash64(words[i]))) <
             o->classes_n);
    excess = order_excess(o, class, sequence, 6);
    MUST(excess >= 2 * ORDER_CELL_MIN - 1 && excess <= 2 * ORDER_CELL_MAX + 1);
}

static void
use_confusable(const struct confusable *s)
{
    static const struct token_type types[] = {
        {.text = STR("TKO"), .count = 3},
        {.text = STR("\xd0\xafSTEN"), .count = 1}};
    double leaning = confusable_leaning(s, types, 2, 4);

    MUST(confusable_complete(s));
    MUST(fabs(leaning) <= CONFUSABLE_WEIGHT_MAX * CONFUSABLE_UNIT);
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
        badness = profile_badness(&p, counts, 1000);
        MUST(badness >= 0 && badness <= p.worst);
        if (p.order != NULL)
            use_order(p.order);
        if (p.confusable != NULL)
            use_confusable(p.confusable);
        profile_print(&p, &text);
        if (profile_parse(&q, a, buf_view(&text), S("xx"), &line) == ST_OK)
            MUST(q.types_n == p.types_n &&
                 (q.order == NULL) == (p.order == NULL));
    } else
        MUST(line <= n + 1);
    buf_free(&text);
    arena_free(a);
    return 0;
}
