/* page_set.c -- see page_set.h. */
#include "page_set.h"

#include <fts.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

void
page_set_init(struct page_set *s)
{
    *s = (struct page_set){.arena = arena_new()};
}

void
page_set_free(struct page_set *s)
{
    arena_free(s->arena);
}

static bool
add_file(struct page_set *s, const char *path)
{
    FILE *f = fopen(path, "rb");
    struct stat sb;
    char *p;
    size_t n;

    if (f == NULL || fstat(fileno(f), &sb) != 0) {
        perror(path);
        if (f != NULL)
            fclose(f);
        return false;
    }
    p = arena_raw(s->arena, (size_t)sb.st_size + 1);
    n = fread(p, 1, (size_t)sb.st_size, f);
    fclose(f);
    if (s->n == s->room) {
        size_t room = s->room ? 2 * s->room : 1024;

        s->path = arena_grow(s->arena, s->path, s->n * sizeof *s->path,
                             room * sizeof *s->path);
        s->bytes = arena_grow(s->arena, s->bytes, s->n * sizeof *s->bytes,
                              room * sizeof *s->bytes);
        s->room = room;
    }
    s->path[s->n] = arena_cstr(s->arena, str_c(path));
    s->bytes[s->n++] = str_n(p, n);
    s->bytes_n += n;
    return true;
}

static int
by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool
add_folder(struct page_set *s, const char *path)
{
    char *const roots[] = {arena_cstr(s->arena, str_c(path)), NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    bool good = walk != NULL;
    FTSENT *e;

    while (good && (e = fts_read(walk)) != NULL)
        if (e->fts_info == FTS_F && strstr(e->fts_name, ".htm") != NULL)
            good = add_file(s, e->fts_path);
    if (walk == NULL)
        perror(path);
    else
        fts_close(walk);
    return good;
}

bool
page_set_add(struct page_set *s, const char *path)
{
    struct stat sb;

    if (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
        return add_folder(s, path);
    return add_file(s, path);
}

bool
page_set_list(struct page_set *s, const char *path)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    char line[4096];
    bool good = f != NULL;

    if (f == NULL)
        perror(path);
    while (good && fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        good = line[0] == '\0' || page_set_add(s, line);
    }
    if (f != NULL && f != stdin)
        fclose(f);
    return good;
}
