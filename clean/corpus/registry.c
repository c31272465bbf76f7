/* registry.c -- see registry.h.
 *
 * Both corpus managers want absolute paths.  What is not one plain file is
 * named as a command that prints it ("| zcat ..."), which Sketch Engine runs
 * itself. */
#include "registry.h"

#include <limits.h>

#include "base/arena.h"
#include "base/file.h"
#include "corpus_out.h"

static struct str
absolute(struct arena *a, const char *path)
{
    struct buf out = {.arena = a};

    file_absolute(&out, path);
    return buf_view(&out);
}

/* For the shell. */
static struct str
quoted(struct arena *a, struct str s)
{
    struct buf out = {.arena = a};

    buf_shell(&out, s);
    return buf_view(&out);
}

static const char *
printer(enum pack p)
{
    return p == PACK_GZIP ? "zcat" : p == PACK_ZSTD ? "zstdcat" : "cat";
}

static struct str
source(struct arena *a, const struct registry_files *f, struct str base)
{
    const char *suffix = f->writer->suffix, *packed = pack_suffix(f->pack);
    struct str shell = quoted(a, base);

    switch (f->kind) {
    case REGISTRY_FOLDER:
        return arena_printf(a,
                            "| find %.*s -name '*.%s%s' -print0 | sort -z | "
                            "xargs -0 %s",
                            STRF(shell), suffix, packed, printer(f->pack));
    case REGISTRY_SPLIT:
        return arena_printf(a, "| %s %.*s-*.%s%s", printer(f->pack),
                            STRF(shell), suffix, packed);
    case REGISTRY_ONE:
        base = arena_printf(a, "%.*s.%s%s", STRF(base), suffix, packed);
        break;
    default: break;
    }
    if (f->pack == PACK_NONE)
        return base;
    return arena_printf(a, "| %s %.*s", printer(f->pack),
                        STRF(quoted(a, base)));
}

enum status
registry_write(const struct opts *o, const struct registry_files *f)
{
    struct arena *a = arena_new();
    struct str base = absolute(a, f->base);
    const char *suffix = f->writer->suffix;
    struct registry_place at = {.text = source(a, f, base)};
    struct buf text = {0};
    const char *path;
    enum status st;

    if (f->beside != NULL)
        base = absolute(a, f->beside);
    else if (f->kind == REGISTRY_FOLDER)
        base = arena_printf(a, "%.*s/corpus", STRF(base));
    if (f->kind != REGISTRY_EXACT)
        base = arena_printf(a, "%.*s.%s", STRF(base), suffix);
    at.folder = arena_printf(a, "%.*s.indexed", STRF(base));
    path = arena_cstr(a, arena_printf(a, "%.*s.registry", STRF(base)));
    f->writer->registry(o, &at, &text);
    st = corpus_out_file(path, buf_view(&text));
    buf_free(&text);
    arena_free(a);
    return st;
}
