/* warc_dictionary.c -- see warc_dictionary.h.
 *
 * Bounds: SAMPLE_MAX of a record, samples of `enough` and one record; of a file
 * its dictionary frame. */
#include "warc_dictionary.h"

#include <dirent.h>

#include "base/file.h"
#include "base/log.h"

#define SAMPLE_MAX ((size_t)32 << 10) /* what pages share is in their heads */
#define FRAME_MAX (ZSTD_DICTIONARY_MAX + 8)

/* ---- learnt ---- */

bool
warc_samples_enough(const struct warc_samples *s)
{
    return s->text.n >= s->enough;
}

void
warc_samples_add(struct warc_samples *s, struct str record)
{
    size_t n = record.n < SAMPLE_MAX ? record.n : SAMPLE_MAX;

    if (n == 0 || warc_samples_enough(s))
        return;
    buf_add(&s->text, record.p, n);
    buf_add(&s->sizes, &n, sizeof n);
}

void
warc_samples_free(struct warc_samples *s)
{
    buf_free(&s->text);
    buf_free(&s->sizes);
}

enum status
warc_dictionary_learn(struct zstd_dictionary **out,
                      const struct warc_samples *s)
{
    size_t n = s->sizes.n / sizeof(size_t);
    enum status st = zstd_dictionary_train(
        out, buf_view(&s->text), (const size_t *)(const void *)s->sizes.p,
        (unsigned)n);

    if (st == ST_OK)
        log_info("warc", "dictionary of %zu records, bytes=%zu packed", n,
                 zstd_dictionary_frame(*out).n);
    else
        log_warn("warc",
                 "the first %zu records make no dictionary: files are "
                 "written without one",
                 n);
    return st;
}

/* ---- from files ---- */

static bool
has_one(const char *path)
{
    struct buf begin = {0};
    enum status st = file_read(&begin, path, 4);
    bool has = (st == ST_OK || st == ST_LIMIT) &&
               str_starts(buf_view(&begin), S(ZSTD_DICTIONARY_MAGIC));

    buf_free(&begin);
    return has;
}

/* Its path; n 0: none has one. */
static struct buf
last_with_one(const char *folder, const char *prefix)
{
    struct buf last = {0}, path = {0};
    DIR *d = opendir(folder);
    struct dirent *e;

    while (d != NULL && (e = readdir(d)) != NULL) {
        struct str name = str_c(e->d_name);

        if (!str_starts(name, str_c(prefix)) || !str_ends(name, S(".warc.zst")))
            continue;
        buf_clear(&path);
        buf_printf(&path, "%s/%s", folder, e->d_name);
        buf_char(&path, '\0');
        if (str_cmp(buf_view(&path), buf_view(&last)) > 0 && has_one(path.p)) {
            buf_clear(&last);
            buf_str(&last, buf_view(&path));
        }
    }
    if (d != NULL)
        closedir(d);
    buf_free(&path);
    return last;
}

enum status
warc_dictionary_of_folder(struct zstd_dictionary **out, const char *folder,
                          const char *prefix)
{
    struct buf path = last_with_one(folder, prefix), begin = {0};
    enum status st = ST_NONE;

    if (path.n > 0) {
        st = file_read(&begin, path.p, FRAME_MAX);
        if (st == ST_OK || st == ST_LIMIT)
            st = zstd_dictionary_read(out, buf_view(&begin));
        if (st != ST_OK)
            log_warn("warc",
                     "file=%s its dictionary cannot be read: another "
                     "one is made",
                     path.p);
    }
    buf_free(&path);
    buf_free(&begin);
    return st == ST_OK ? ST_OK : ST_NONE;
}
