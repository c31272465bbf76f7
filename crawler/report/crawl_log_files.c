/* crawl_log_files.c -- a crawl's log with what was moved away from it, in the
 * order of their first lines: a copy of the folder may have other times of
 * files. */
#include <stdlib.h>
#include <sys/stat.h>

#include "base/folder_glob.h"
#include "base/log.h"
#include "base/memory.h"
#include "crawl_log.h"

struct log_file {
    const char *path;
    uint64_t first_ms; /* of its first line; without one: last written to */
};

static int
by_time(const void *a, const void *b)
{
    const struct log_file *x = a, *y = b;

    if (x->first_ms != y->first_ms)
        return x->first_ms < y->first_ms ? -1 : 1;
    return strcmp(y->path, x->path); /* .2 is older than .1 */
}

/* The log, crawl.jsonl.1, crawl.jsonl-20261127.gz; not crawl.jsonl.bak, which
 * would count twice. */
static bool
is_log(const char *path)
{
    struct str end = str_c(strrchr(path, '/'));

    end = str_sub(end, strlen("/crawl.jsonl"), end.n);
    return end.n == 0 || (end.n > 1 && (end.p[0] == '.' || end.p[0] == '-') &&
                          ascii_digit(end.p[1]));
}

static uint64_t
begin_of(const char *path, const struct stat *sb)
{
    uint64_t first_ms = S_ISREG(sb->st_mode) ? crawl_log_first_ms(path) : 0;

    return first_ms > 0 ? first_ms
                        : (uint64_t)sb->st_mtim.tv_sec * 1000 +
                              (uint64_t)sb->st_mtim.tv_nsec / 1000000;
}

static struct log_file *
in_order(const glob_t *found, size_t *n)
{
    struct log_file *file =
        memory_need(calloc(found->gl_pathc + 1, sizeof *file));
    struct stat sb;

    *n = 0;
    for (size_t i = 0; i < found->gl_pathc; i++)
        if (is_log(found->gl_pathv[i]) && stat(found->gl_pathv[i], &sb) == 0)
            file[(*n)++] = (struct log_file){found->gl_pathv[i],
                                             begin_of(found->gl_pathv[i], &sb)};
    qsort(file, *n, sizeof *file, by_time);
    return file;
}

/* Log rotation may compress in ways that nobody here reads (xz, bzip2). */
static void
say_unread(const struct log_file *file, const struct crawl_log_counts *c)
{
    struct stat sb;

    if (c->lines == 0 && !str_ends(str_c(file->path), S(CRAWL_LOG_FILE)) &&
        stat(file->path, &sb) == 0 && sb.st_size > 0)
        log_warn("crawl-log",
                 "%s: no line of it is one of a crawl log (plain files, gzip "
                 "and zstd are read): the figures are without it",
                 file->path);
}

enum status
crawl_log_read_all(const char *dir,
                   void (*take)(void *self, const struct crawl_log_entry *e),
                   void *self, struct crawl_log_counts *counts)
{
    enum status st = ST_NONE, one;
    glob_t found = {0};
    struct log_file *file;
    size_t n;
    int rc;

    *counts = (struct crawl_log_counts){0};
    if ((rc = folder_glob(dir, CRAWL_LOG_FILE "*", 0, &found)) != 0)
        found.gl_pathc = 0;
    if (rc == GLOB_ABORTED)
        st = ST_IO;
    file = in_order(&found, &n);
    for (size_t i = 0; i < n && st != ST_IO; i++) {
        struct crawl_log_counts c;

        if ((one = crawl_log_read(file[i].path, take, self, &c)) != ST_NONE)
            st = one;
        if (one == ST_OK)
            say_unread(&file[i], &c);
        counts->lines += c.lines;
        counts->skipped += c.skipped;
    }
    free(file);
    globfree(&found);
    return st;
}
