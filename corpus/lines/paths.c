/* paths.c -- see paths.h. */
#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/buf.h"
#include "base/facts.h"
#include "base/folder_glob.h"
#include "base/memory.h"

void
paths_add(struct paths *p, const char *path)
{
    p->path = memory_need(realloc(p->path, (p->n + 1) * sizeof *p->path));
    p->path[p->n++] = memory_need(strdup(path));
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
sort_and_unite(struct paths *p)
{
    size_t n = 0;

    if (p->n == 0)
        return;
    qsort(p->path, p->n, sizeof *p->path, by_name);
    for (size_t i = 1; i < p->n; i++)
        if (strcmp(p->path[n], p->path[i]) == 0)
            free(p->path[i]);
        else
            p->path[++n] = p->path[i];
    p->n = n + 1;
}

/* A folder is none of the files that whoever asks goes on to read. */
static bool
are_files(const struct paths *p, const struct invocation *in, const char *flag)
{
    struct stat sb;

    for (size_t i = 0; i < p->n; i++)
        if (stat(p->path[i], &sb) == 0 && S_ISDIR(sb.st_mode)) {
            command_usage(in, "--%s %s: is a folder; name files: '%s/*'", flag,
                          p->path[i], p->path[i]);
            return false;
        }
    return true;
}

/* What crawls and `winnow clean` say of the documents that they have made
 * stands beside them, and nobody means it by a wildcard. */
static bool
is_document_file(const char *path)
{
    struct str name = str_c(path), beside = S(PROVENANCE_FILE);
    size_t before = name.n - beside.n;

    return !str_ends(name, beside) ||
           (before > 0 && strchr("/.", path[before - 1]) == NULL);
}

bool
paths_of_flag(struct paths *out, const struct invocation *in, const char *flag)
{
    size_t n;
    const char *const *pattern = invocation_flag_all(in, flag, &n);

    *out = (struct paths){0};
    for (size_t i = 0; i < n; i++) {
        size_t before = out->n;
        glob_t found;

        if (strcmp(pattern[i], "-") == 0 || access(pattern[i], F_OK) == 0) {
            paths_add(out, pattern[i]);
            continue;
        }
        int rc = glob(pattern[i], GLOB_BRACE | GLOB_TILDE, folder_glob_fault,
                      &found);

        for (size_t k = 0; rc == 0 && k < found.gl_pathc; k++)
            if (is_document_file(found.gl_pathv[k]))
                paths_add(out, found.gl_pathv[k]);
        if (rc == 0)
            globfree(&found);
        if (out->n == before) {
            command_usage(in, "--%s %s: %s", flag, pattern[i],
                          rc == 0 || rc == GLOB_NOMATCH
                              ? "there is no such file"
                              : "cannot be read");
            paths_free(out);
            return false;
        }
    }
    sort_and_unite(out);
    if (are_files(out, in, flag))
        return true;
    paths_free(out);
    return false;
}

/* What readdir() gives; errno is 0 when it met the end. */
static void
add_entries(struct paths *p, DIR *d, const char *folder, const char *pattern)
{
    struct buf path = {0};
    const struct dirent *e;

    while ((errno = 0, e = readdir(d)) != NULL) {
        if (fnmatch(pattern, e->d_name, FNM_PERIOD) != 0)
            continue;
        buf_clear(&path);
        buf_printf(&path, "%s/%s", folder, e->d_name);
        buf_char(&path, '\0');
        paths_add(p, path.p);
    }
    buf_free(&path);
}

enum status
paths_in_folder(struct paths *p, const char *folder, const char *pattern)
{
    size_t from = p->n;
    DIR *d = opendir(folder);
    int fault;

    if (d == NULL)
        return errno == ENOENT || errno == ENOTDIR ? ST_NONE : ST_IO;
    add_entries(p, d, folder, pattern);
    fault = errno;
    closedir(d);
    errno = fault;
    if (p->n > from)
        qsort(p->path + from, p->n - from, sizeof *p->path, by_name);
    return fault == 0 ? ST_OK : ST_IO;
}

void
paths_free(struct paths *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->path[i]);
    free(p->path);
    *p = (struct paths){0};
}
