/* registry_along.c -- see registry_along.h. */
#include "registry_along.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"

#define REGISTRY_MAX ((size_t)1 << 20)

/* ---- find ---- */

static struct str
without(struct str name, const char *end)
{
    size_t n = strlen(end);

    return str_ends(name, str_c(end)) ? str_sub(name, 0, name.n - n) : name;
}

/* NAME-00001 without its number. */
static struct str
without_number(struct str name)
{
    size_t digits = name.n;

    while (digits > 0 && ascii_digit(name.p[digits - 1]))
        digits--;
    return digits > 0 && digits + 5 <= name.n && name.p[digits - 1] == '-'
               ? str_sub(name, 0, digits - 1)
               : name;
}

static bool
is_there(struct buf *path, size_t from, struct str base, const char *suffix)
{
    path->n = from;
    buf_printf(path, "%.*s%s.registry", STRF(base), suffix);
    buf_char(path, '\0');
    return access(path->p + from, R_OK) == 0;
}

/* FOLDER/corpus.ENDING.registry; of a crawl beside that folder. */
static bool
is_of_folder(struct buf *path, size_t from, struct str folder,
             const char *suffix)
{
    struct buf base = {0};
    bool found;

    buf_printf(&base, "%.*scorpus", STRF(folder));
    found = is_there(path, from, buf_view(&base), suffix);
    buf_clear(&base);
    buf_printf(&base, "%.*s../corpus", STRF(folder));
    found = found || is_there(path, from, buf_view(&base), suffix);
    buf_free(&base);
    return found;
}

bool
registry_along_find(const char *file, const char *suffix, struct buf *path)
{
    struct str name = str_c(file), bare = name, folder = name;
    size_t from = path->n;

    bare = without(without(bare, ".gz"), ".zst");
    bare = without(bare, suffix);
    while (folder.n > 0 && folder.p[folder.n - 1] != '/')
        folder.n--;
    if (is_there(path, from, name, "") || is_there(path, from, bare, suffix) ||
        is_there(path, from, without_number(bare), suffix) ||
        is_of_folder(path, from, folder, suffix))
        return true;
    path->n = from;
    return false;
}

/* ---- write ---- */

enum status
registry_along_write(const char *from, const char *to,
                     const struct registry_place *at)
{
    struct buf old = {0}, text = {0};
    const char *path = from;
    enum status st = file_read(&old, from, REGISTRY_MAX);

    if (st == ST_OK) {
        registry_moved(&text, buf_view(&old), at);
        path = to;
        st = file_write(to, buf_view(&text));
    }
    if (st != ST_OK)
        log_error("tecl", "file=%s fault=\"%s\"", path,
                  st == ST_LIMIT ? "no registry" : strerror(errno));
    buf_free(&old);
    buf_free(&text);
    return st == ST_LIMIT ? ST_IO : st;
}
