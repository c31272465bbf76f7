/* models.c -- see models.h: SHA-256, as sha256sum prints it.
 *
 * Language profiles count as one model, since each takes part in the judgement
 * of every page (is it another language?): the digest of what `LC_ALL=C
 * sha256sum *.prof` prints in their folder. */
#include "models.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/warc/digest.h"
#include "clean/chain/data_dir.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define MODEL_BYTES_MAX ((size_t)2 << 30)

/* What is being put together. */
struct digesting {
    struct models *models;
    struct arena *arena;
};

static bool
hex_sha256(struct str bytes, struct buf *out)
{
    char hex[DIGEST_SHA256_N];
    struct digest_sha256 *d = digest_sha256_new();

    if (d == NULL)
        return false;
    digest_sha256_add(d, bytes);
    digest_sha256_end(d, hex);
    buf_c(out, hex);
    return true;
}

static bool
hex_of_file(const char *path, struct buf *out)
{
    struct buf bytes = {0};
    bool good = file_read(&bytes, path, MODEL_BYTES_MAX) == ST_OK &&
                hex_sha256(buf_view(&bytes), out);

    buf_free(&bytes);
    return good;
}

static void
add(struct digesting *g, struct str name, struct str hex)
{
    struct buf digest = {0};

    buf_printf(&digest, "sha256:%.*s", STRF(hex));
    (void)models_add(g->models, g->arena, name, buf_view(&digest));
    buf_free(&digest);
}

static void
add_file(struct digesting *g, struct str path)
{
    struct buf hex = {0};

    if (hex_of_file(arena_cstr(g->arena, path), &hex))
        add(g, path_base(path), buf_view(&hex));
    buf_free(&hex);
}

static int
is_profile(const struct dirent *entry)
{
    struct str name = str_c(entry->d_name);

    return name.n > 5 && str_ends(name, S(".prof"));
}

/* A line "DIGEST  NAME", as sha256sum has it. */
static void
list_profile(const char *path, struct str name, struct buf *list)
{
    if (hex_of_file(path, list)) {
        buf_c(list, "  ");
        buf_str(list, name);
        buf_char(list, '\n');
    }
}

static int
by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* whatever the locale */
}

static void
list_folder(struct arena *a, struct str folder, struct buf *list)
{
    struct dirent **names = NULL;
    int n = scandir(arena_cstr(a, folder), &names, is_profile, by_bytes);

    for (int i = 0; i < n; i++) {
        struct str path =
            arena_printf(a, "%.*s/%s", STRF(folder), names[i]->d_name);

        list_profile(path.p, str_c(names[i]->d_name), list);
        free(names[i]);
    }
    free(names);
}

static void
add_profiles(struct digesting *g, const struct opts *o, struct str data)
{
    const struct opt_list *files = &o->clean_profiles;
    struct arena *a = g->arena;
    struct buf list = {0}, hex = {0};

    for (size_t i = 0; i < files->n; i++) {
        struct str item = files->item[i];
        size_t equals = str_find(item, '=', 0);

        item = equals < item.n ? str_sub(item, equals + 1, item.n) : item;
        list_profile(arena_cstr(a, item), files->item[i], &list);
    }
    if (files->n == 0)
        list_folder(a, arena_printf(a, "%.*s/profiles", STRF(data)), &list);
    if (list.n > 0 && hex_sha256(buf_view(&list), &hex))
        add(g, S("profiles"), buf_view(&hex));
    buf_free(&list);
    buf_free(&hex);
}

static void
add_network(struct digesting *g, struct str name, struct str data)
{
    struct arena *a = g->arena;

    if (str_eq(name, S("none")))
        return;
    if (str_find(name, '/', 0) == name.n)
        name = arena_printf(a, "%.*s/%.*s", STRF(data), STRF(name));
    add_file(g, name);
    add_file(g, arena_printf(a, "%.*s.first", STRF(name)));
    add_file(g, arena_printf(a, "%.*s.forest", STRF(name)));
    add_file(g, arena_printf(a, "%.*s.kinds", STRF(name)));
}

void
models_of(struct models *m, struct arena *a, const struct opts *o)
{
    struct digesting g = {m, a};
    struct str data = data_dir(a, o);

    m->n = 0;
    add_network(&g, o->clean_network, data);
    add_profiles(&g, o, data);
    if (!str_eq(o->clean_english, S("off")))
        add_file(&g, arena_printf(a, "%.*s/british-american.tsv", STRF(data)));
    if (o->clean_replacements.n > 0)
        add_file(&g, o->clean_replacements);
    if (o->clean_geo.n > 0)
        add_file(&g, o->clean_geo);
}

bool
models_add(struct models *m, struct arena *a, struct str name,
           struct str digest)
{
    if (m->n == MODELS_MAX)
        return false;
    m->item[m->n++] =
        (struct model_digest){arena_str(a, name), arena_str(a, digest)};
    return true;
}

struct str
models_digest(const struct models *m, struct str name)
{
    for (size_t i = 0; i < m->n; i++)
        if (str_eq(m->item[i].name, name))
            return m->item[i].digest;
    return S("none");
}

void
models_json(const struct models *m, struct json *j)
{
    json_object(j);
    for (size_t i = 0; i < m->n; i++) {
        json_name(j, m->item[i].name);
        json_str(j, m->item[i].digest);
    }
    json_object_end(j);
}

void
models_facts(const struct models *m, struct buf *out)
{
    for (size_t i = 0; i < m->n; i++)
        buf_printf(out, "model %.*s = %.*s\n", STRF(m->item[i].name),
                   STRF(m->item[i].digest));
}
