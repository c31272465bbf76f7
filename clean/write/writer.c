/* writer.c -- the table of formats. */
#include "writers.h"

const struct writer *const writer_table[] = {
#define FORMAT(name, suffix) &writer_##name,
    OUTPUT_FORMATS(FORMAT, FORMAT)
#undef FORMAT
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
