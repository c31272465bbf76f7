/* profiles.c -- reads every profile of a folder, in the order of their names.
 */
#include "profiles.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "clean/chain/data_dir.h"

#define PROFILE_SIZE_MAX ((size_t)1 << 20)

struct profiles {
    struct arena *arena;
    struct profile *list;
    size_t n;
};

static struct profiles *
profiles_new(void)
{
    struct profiles *p = memory_zero(1, sizeof *p);

    if (p == NULL)
        return NULL;
    p->arena = arena_new();
    p->list = ARENA_ARRAY(p->arena, struct profile, PROFILES_MAX);
    return p;
}

static enum status
load_file(struct profiles *p, const char *path, struct str language)
{
    struct buf text = {0};
    size_t line = 0;
    enum status st = file_read(&text, path, PROFILE_SIZE_MAX);

    if (st == ST_IO)
        log_error("clean", "profile=%s error=\"%s\"", path, strerror(errno));
    if (st == ST_OK && p->n == PROFILES_MAX)
        st = ST_LIMIT;
    if (st == ST_OK)
        st = profile_parse(&p->list[p->n], p->arena, buf_view(&text), language,
                           &line);
    if (st == ST_OK)
        p->n++;
    else if (st != ST_IO)
        log_error("clean", "profile=%s line=%zu error=\"%s\" expected=\"%s\"",
                  path, line, status_name(st),
                  line > 0 ? "TYPE|mean|sd|limit"
                           : "all lines of a profile (is it cut?)");
    buf_free(&text);
    return st;
}

struct folder_names {
    struct dirent **item;
    int n;
};

static void
free_names(void *self)
{
    struct folder_names *x = self;

    for (int i = 0; i < x->n; i++)
        free(x->item[i]);
    free(x->item);
}

static int
is_profile(const struct dirent *entry)
{
    struct str name = str_c(entry->d_name);

    return name.n > 5 && str_ends(name, S(".prof"));
}

static enum status
load_all(struct profiles *p, const char *folder)
{
    struct folder_names names = {0};
    struct memory_held held;
    enum status st = ST_OK;

    names.n = scandir(folder, &names.item, is_profile, alphasort);
    memory_hold(&held, free_names, &names);
    if (names.n <= 0) {
        log_error("clean", "profiles=%s error=\"%s\"", folder,
                  names.n < 0 ? strerror(errno)
                              : "no *.prof here (clean.data)");
        st = ST_IO;
    }
    for (int i = 0; i < names.n && st == ST_OK; i++) {
        char path[4096];
        struct str name = str_c(names.item[i]->d_name);

        snprintf(path, sizeof path, "%s/%s", folder, name.p);
        st = load_file(p, path, str_sub(name, 0, name.n - 5));
    }
    memory_let_go(&held);
    free_names(&names);
    return st;
}

/* The language of nl.prof. */
static struct str
named_after(struct str path)
{
    struct str name = path;

    for (size_t i = 0; i < path.n; i++)
        if (path.p[i] == '/')
            name = str_sub(path, i + 1, path.n);
    return str_sub(name, 0, str_find(name, '.', 0));
}

static enum status
load_named(struct profiles *p, const struct opt_list *files)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < files->n && st == ST_OK; i++) {
        struct str item = files->item[i];
        size_t equals = str_find(item, '=', 0);
        struct str path =
            equals < item.n ? str_sub(item, equals + 1, item.n) : item;
        struct str language =
            equals < item.n ? str_sub(item, 0, equals) : named_after(path);

        st = load_file(p, arena_cstr(p->arena, path),
                       arena_str(p->arena, language));
    }
    return st;
}

enum status
profiles_open(struct profiles **out, const struct opts *o, struct arena *a)
{
    struct profiles *p = profiles_new();
    enum status st;

    *out = NULL;
    if (p == NULL)
        return ST_NOMEM;
    st = o->clean_profiles.n > 0
             ? load_named(p, &o->clean_profiles)
             : load_all(
                   p, arena_printf(a, "%.*s/profiles", STRF(data_dir(a, o))).p);
    if (st == ST_OK)
        *out = p;
    else
        profiles_free(p);
    return st;
}

void
profiles_free(struct profiles *p)
{
    if (p == NULL)
        return;
    arena_free(p->arena);
    memory_free(p);
}

size_t
profiles_n(const struct profiles *p)
{
    return p->n;
}

const struct profile *
profiles_at(const struct profiles *p, size_t i)
{
    return &p->list[i];
}
