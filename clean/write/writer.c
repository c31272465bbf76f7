/* writer.c -- the table of formats. */
#include "writers.h"

/* In the order of output.format's words (a test holds them together). */
const struct writer *const writer_table[] = {
    &writer_text,
    &writer_xml,
    &writer_jsonl,
    &writer_vertical,
    &writer_cwb,
    &writer_wet,
    &writer_links,
    &writer_tokens,
    &writer_shingles,
    &writer_tender,
    &writer_metrics,
    &writer_index,
    NULL,
};

const struct writer *
writer_find(struct str name)
{
    for (const struct writer *const *w = writer_table; *w != NULL; w++)
        if (str_eq(name, str_c((*w)->name)))
            return *w;
    return NULL;
}
