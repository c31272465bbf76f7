/* inputs.c -- walks folders with fts(3): symbolic links to files are read,
 * those to folders not followed (but for those that are named), so a walk ends;
 * names that begin with a dot are left out, and indexes of archives (.cdxj). */
#include "inputs.h"

#include <errno.h>
#include <fts.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/folder_glob.h"
#include "base/hash.h"
#include "base/hashmap.h"
#include "base/path.h"

void
inputs_init(struct inputs *s)
{
    memset(s, 0, sizeof *s);
    s->arena = arena_new();
}

void
inputs_free(struct inputs *s)
{
    arena_free(s->arena);
}

/* The name of the result: the ending of HTML is replaced, any other kept. */
static struct str
result_name(struct str name)
{
    static const char *const endings[] = {".html", ".htm", ".xhtml"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct str ending = str_c(endings[i]);

        if (name.n > ending.n &&
            str_eq_nocase(str_sub(name, name.n - ending.n, name.n), ending))
            return str_sub(name, 0, name.n - ending.n);
    }
    return name;
}

static struct input *
add(struct inputs *s, const char *in, const char *out, struct str name)
{
    if (s->n == s->room) {
        size_t room = s->room ? s->room * 2 : 64;

        s->item = arena_grow(s->arena, s->item, s->room * sizeof *s->item,
                             room * sizeof *s->item);
        s->room = room;
    }
    s->item[s->n] = (struct input){.in = in, .out = out, .name = name};
    return &s->item[s->n++];
}

static const char *
below(struct inputs *s, const char *folder, struct str name)
{
    return arena_printf(s->arena, "%s/%.*s", folder, STRF(name)).p;
}

static enum status
cannot_be_read(const char *path, int fault)
{
    bool is_url = strncasecmp(path, "http://", 7) == 0 ||
                  strncasecmp(path, "https://", 8) == 0;

    fprintf(stderr, "winnow clean: %s: %s%s\n", path, strerror(fault),
            is_url ? " (pages are fetched by winnow try, one, and winnow crawl)"
                   : "");
    return ST_IO;
}

/* Is it a file to read?  False: a folder, or something that was reported and
 * makes *st ST_IO. */
static bool
is_file(const FTSENT *e, enum status *st)
{
    int fault = e->fts_errno;
    struct stat sb;

    if (e->fts_info == FTS_F)
        return true;
    if (e->fts_info == FTS_SL || e->fts_info == FTS_SLNONE) {
        if (stat(e->fts_accpath, &sb) == 0) {
            if (S_ISDIR(sb.st_mode))
                fprintf(stderr,
                        "winnow clean: %s: a link to a folder, not followed\n",
                        e->fts_path);
            return S_ISREG(sb.st_mode);
        }
        fault = errno;
    } else if (e->fts_info != FTS_DNR && e->fts_info != FTS_NS &&
               e->fts_info != FTS_ERR) {
        return false;
    }
    *st = cannot_be_read(e->fts_path, fault);
    return false;
}

/* The last name of a path; empty: it has none, or it says where but not what.
 */
static struct str
last_name(struct str path)
{
    size_t from;

    while (path.n > 0 && path.p[path.n - 1] == '/')
        path.n--;
    from = path.n;
    while (from > 0 && path.p[from - 1] != '/')
        from--;
    path = str_sub(path, from, path.n);
    return str_eq(path, S(".")) || str_eq(path, S("..")) ? S("") : path;
}

static enum status
walk(struct inputs *s, const char *in, const char *out)
{
    char *const roots[] = {arena_cstr(s->arena, str_c(in)), NULL};
    FTS *walk =
        fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
    struct str folder = last_name(str_c(roots[0]));
    enum status st = ST_OK;
    FTSENT *e;
    size_t skip = strlen(in);

    if (walk == NULL)
        return cannot_be_read(in, errno);
    s->folders++;
    while (skip > 1 && in[skip - 1] == '/')
        skip--;
    while ((errno = 0, e = fts_read(walk)) != NULL) {
        struct input *x;
        struct str name;

        if (e->fts_level > 0 && e->fts_name[0] == '.') {
            fts_set(walk, e, FTS_SKIP);
            continue;
        }
        if (!is_file(e, &st) || str_ends(str_c(e->fts_name), S(".cdxj")))
            continue;
        name = arena_str(s->arena, str_c(e->fts_path + skip));
        while (name.n > 0 && name.p[0] == '/')
            name = str_sub(name, 1, name.n);
        x = add(s, arena_cstr(s->arena, str_c(e->fts_path)),
                out ? below(s, out, result_name(name)) : NULL, name);
        x->folder = folder;
        x->from_folder = true;
    }
    if (errno != 0)
        st = cannot_be_read(in, errno);
    fts_close(walk);
    return st;
}

enum status
inputs_add(struct inputs *s, const char *in, const char *out,
           bool out_is_folder)
{
    struct str name = str_c(in);
    struct stat sb;

    if (strcmp(in, "-") == 0) {
        add(s, "-", out && out_is_folder ? below(s, out, S("stdin")) : out,
            S("-"));
        return ST_OK;
    }
    if (stat(in, &sb) != 0)
        return cannot_be_read(in, errno);
    if (S_ISDIR(sb.st_mode))
        return walk(s, in, out);
    in = arena_cstr(s->arena, name);
    if (out != NULL && out_is_folder) {
        name = path_base(str_c(in));
        out = below(s, out, result_name(name));
    }
    add(s, in, out, str_c(in));
    return ST_OK;
}

bool
inputs_is_pattern(const char *path)
{
    return strpbrk(path, "*?[") != NULL && access(path, F_OK) != 0;
}

enum status
inputs_add_matching(struct inputs *s, const char *pattern, const char *out,
                    bool out_is_folder)
{
    enum status st = ST_OK, one;
    glob_t found;
    int fault;

    if (!inputs_is_pattern(pattern))
        return inputs_add(s, pattern, out, out_is_folder);
    if ((fault = glob(pattern, 0, folder_glob_fault, &found)) != 0) {
        fprintf(stderr, "winnow clean: %s: %s\n", pattern,
                fault == GLOB_NOMATCH ? "no such files" : "cannot be read");
        return ST_IO;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = arena_cstr(s->arena, str_c(found.gl_pathv[i]));

        if ((one = inputs_add(s, path, out, out_is_folder)) != ST_OK)
            st = one;
    }
    globfree(&found);
    return st;
}

/* ---- results that would share a path ---- */

static int
by_result(const void *a, const void *b)
{
    const struct input *x = a, *y = b;
    int order = x->out && y->out ? strcmp(x->out, y->out) : 0;

    if (order == 0)
        order = str_cmp(x->name, y->name);
    return order ? order : strcmp(x->in, y->in);
}

static bool
is_result(const void *of, const void *slot, const void *key)
{
    (void)of;
    return strcmp(*(const char *const *)slot, key) == 0;
}

static bool
result_used(const void *slot)
{
    return *(const char *const *)slot != NULL;
}

static uint64_t
result_hash(const void *of, const void *slot)
{
    (void)of;
    return hash64(str_c(*(const char *const *)slot));
}

static const struct hashmap_kind results_kind = {
    sizeof(const char *), result_used, is_result, result_hash, NULL};

/* False: another input has it. */
static bool
take(struct hashmap *results, const char *out)
{
    const char **slot =
        hashmap_put(results, &results_kind, NULL, hash64(str_c(out)), out);

    if (*slot != NULL)
        return false;
    *slot = out;
    return true;
}

/* The input's whole name, "b.htm", so that it becomes "b.htm.txt". */
static const char *
longer_result(struct inputs *s, const struct input *x)
{
    struct str folder = str_c(x->out);

    while (folder.n > 0 && folder.p[folder.n - 1] != '/')
        folder.n--;
    return arena_printf(s->arena, "%.*s%s", STRF(folder),
                        path_base(str_c(x->in)).p)
        .p;
}

/* Who comes first keeps its path, then the others get one that is free. */
static void
part_results(struct inputs *s)
{
    bool *first = arena_alloc(s->arena, s->n * sizeof *first);
    struct hashmap results = {0};
    const char *before = "";
    size_t number = 2;

    hashmap_init(&results, &results_kind, NULL, s->n);
    for (size_t i = 0; i < s->n; i++)
        first[i] = take(&results, s->item[i].out);
    for (size_t i = 0; i < s->n; i++) {
        struct input *x = &s->item[i];
        const char *longer;

        if (first[i])
            continue;
        longer = longer_result(s, x);
        number = strcmp(longer, before) == 0 ? number : 2;
        x->out = before = longer;
        while (!take(&results, x->out))
            x->out = arena_printf(s->arena, "%s.%zu", longer, number++).p;
    }
    hashmap_free(&results);
}

/* Below a folder of its own, which is part of its name, too. */
static void
put_in_own_folder(struct inputs *s, struct input *x)
{
    const size_t name_n = result_name(x->name).n;

    if (x->folder.n == 0)
        return;
    if (x->out != NULL) {
        size_t before = strlen(x->out) - name_n;

        x->out = arena_printf(s->arena, "%.*s%.*s/%s", (int)before, x->out,
                              STRF(x->folder), x->out + before)
                     .p;
    }
    x->name =
        arena_printf(s->arena, "%.*s/%.*s", STRF(x->folder), STRF(x->name));
}

void
inputs_finish(struct inputs *s)
{
    bool to_files = s->n > 0 && s->item[0].out != NULL;

    for (size_t i = 0; s->folders > 1 && i < s->n; i++)
        put_in_own_folder(s, &s->item[i]);
    if (s->n > 1)
        qsort(s->item, s->n, sizeof *s->item, by_result);
    if (to_files)
        part_results(s);
}
