/* zip_read.c -- see zip_read.h.
 *
 * libzip (kept up, fuzzed by its authors, no code of its own for network or
 * paths when it reads from memory) rather than our own reader of headers, of
 * which the wild has all kinds.
 *
 * What a file says of its size is not believed: it is read until a limit.  Text
 * in XML packs 10 to 40 times smaller; a bomb has a thousand. */
#include "zip_read.h"

#include <stdlib.h>
#include <zip.h>

#include "base/memory.h"

#define ENTRIES_MAX 10000
#define FILE_MAX ((size_t)64 << 20)
#define TOTAL_MAX ((size_t)128 << 20)
#define RATIO_MAX 250u
#define RATIO_FROM                                                             \
    ((size_t)1 << 20) /* what is smaller may pack as it likes                  \
                       */
#define PIECE ((size_t)64 * 1024)

struct zip_read {
    zip_t *zip;
    size_t total;
};

enum status
zip_read_open(struct zip_read **out, struct str bytes, const char **why)
{
    zip_error_t error;
    zip_source_t *source;
    zip_t *zip;

    *out = NULL;
    *why = "no ZIP archive, or not all of it";
    zip_error_init(&error);
    source = zip_source_buffer_create(bytes.p, bytes.n, 0, &error);
    if (source == NULL)
        return ST_INVALID;
    if ((zip = zip_open_from_source(source, ZIP_RDONLY, &error)) == NULL) {
        zip_source_free(source);
        zip_error_fini(&error);
        return ST_INVALID;
    }
    zip_error_fini(&error);
    if (zip_get_num_entries(zip, 0) > ENTRIES_MAX) {
        *why = "too many files in the archive";
        zip_discard(zip);
        return ST_INVALID;
    }
    *out = memory_need(calloc(1, sizeof **out));
    (*out)->zip = zip;
    *why = NULL;
    return ST_OK;
}

void
zip_read_close(struct zip_read *z)
{
    if (z == NULL)
        return;
    zip_discard(z->zip);
    free(z);
}

/* Until the end, or a limit. */
static enum status
read_all(struct zip_read *z, zip_file_t *f, size_t packed, struct buf *out,
         const char **why)
{
    for (;;) {
        zip_int64_t n;

        buf_reserve(out, PIECE);
        n = zip_fread(f, out->p + out->n, PIECE);
        if (n < 0) {
            *why = "damaged file in the archive";
            return ST_INVALID;
        }
        if (n == 0)
            return ST_OK;
        out->n += (size_t)n;
        z->total += (size_t)n;
        if (out->n > FILE_MAX || z->total > TOTAL_MAX ||
            (out->n > RATIO_FROM && out->n / RATIO_MAX > packed)) {
            *why = "the archive unpacks to far more than it is";
            return ST_INVALID;
        }
    }
}

enum status
zip_read_file(struct zip_read *z, const char *name, struct buf *out,
              const char **why)
{
    zip_stat_t about;
    zip_file_t *f;
    enum status st;

    buf_clear(out);
    *why = NULL;
    zip_stat_init(&about);
    if (zip_stat(z->zip, name, ZIP_FL_ENC_GUESS, &about) != 0)
        return ST_NONE;
    if ((about.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 &&
        about.encryption_method != ZIP_EM_NONE) {
        *why = "encrypted";
        return ST_INVALID;
    }
    if ((f = zip_fopen_index(z->zip, about.index, 0)) == NULL) {
        *why = "damaged file in the archive";
        return ST_INVALID;
    }
    st = read_all(
        z, f,
        (about.valid & ZIP_STAT_COMP_SIZE) != 0 ? (size_t)about.comp_size : 0,
        out, why);
    zip_fclose(f);
    return st;
}
