/* opt_facts.c -- options as facts of a corpus (base/facts.h) that another
 * version may have written. */
#include "base/facts.h"
#include "opt.h"

static void
add_presets(struct str facts, struct buf *out)
{
    struct buf name = {0};
    struct opts presets;

    buf_str(out, facts);
    if (facts.n > 0 && facts.p[facts.n - 1] != '\n')
        buf_char(out, '\n');
    opts_init(&presets);
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];

        buf_clear(&name);
        buf_printf(&name, "%s.%s", row->section, row->key);
        if (opt_is_fact(row) && !facts_have(facts, buf_view(&name)))
            opts_show_line(&presets, row, out);
    }
    opts_free(&presets);
    buf_free(&name);
}

void
opts_compare_facts(struct str was, struct str is, struct buf *out)
{
    struct buf before = {0}, now = {0};

    add_presets(was, &before);
    add_presets(is, &now);
    facts_compare(buf_view(&before), buf_view(&now), out);
    buf_free(&before);
    buf_free(&now);
}
