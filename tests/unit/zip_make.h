/* zip_make.h -- ZIP archives in memory, for tests. */
#ifndef ZIP_MAKE_H
#define ZIP_MAKE_H

#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "base/str.h"

struct zip_file_text {
    const char *name;
    struct str text;
};

/* The files up to one without a name; the caller frees .p. */
static inline struct str
zip_make(const struct zip_file_text *files)
{
    zip_source_t *to = zip_source_buffer_create(NULL, 0, 0, NULL);
    zip_t *z = zip_open_from_source(to, ZIP_TRUNCATE, NULL);
    zip_stat_t about;
    char *p;

    zip_source_keep(to);
    for (; files->name != NULL; files++) {
        zip_int64_t i = zip_file_add(
            z, files->name,
            zip_source_buffer(z, files->text.p, files->text.n, 0), 0);

        if (strcmp(files->name, "mimetype") == 0)
            zip_set_file_compression(z, (zip_uint64_t)i, ZIP_CM_STORE, 0);
    }
    if (zip_close(z) != 0 || zip_source_stat(to, &about) != 0 ||
        zip_source_open(to) != 0 || (p = malloc(about.size)) == NULL ||
        zip_source_read(to, p, about.size) != (zip_int64_t)about.size)
        abort();
    zip_source_close(to);
    zip_source_free(to);
    return (struct str){p, about.size};
}

#endif
