/* lab_seeds.c -- see lab_seeds.h; the files are read as those of a crawl. */
#include "lab_seeds.h"

#include "../seeds.h"
#include "winnow/log.h"

#include <glob.h>
#include <unistd.h>

struct reader {
    struct lab_seeds *out;
    struct arena *a;
    struct opts opts; /* shares its strings */
    struct scope *scope;
    size_t bad;
};

static void
append(struct reader *r, const struct frontier_link *link, size_t n)
{
    struct lab_seeds *s = r->out;

    s->url = arena_grow(r->a, s->url, s->n * sizeof *s->url,
                        (s->n + n) * sizeof *s->url);
    for (size_t i = 0; i < n; i++)
        s->url[s->n++] = link[i].url;
}

static enum status
read_file(struct reader *r, const char *path)
{
    struct seeds seeds;
    enum status st;

    r->opts.seeds_file = str_c(path);
    r->opts.seeds_url = (struct opt_list){0};
    st = seeds_read(&seeds, r->a, &r->opts, NULL, 0, r->scope);
    if (st != ST_OK)
        return st;
    append(r, seeds.link, seeds.n);
    r->bad += seeds.bad;
    return ST_OK;
}

/* Files beside the folder that match; false: none. */
static bool
read_beside(struct reader *r, const char *dir, const char *pattern,
            enum status *st)
{
    struct str path = arena_printf(r->a, "%s/../%s", dir, pattern);
    glob_t found;
    bool any = glob(path.p, 0, NULL, &found) == 0 && found.gl_pathc > 0;

    for (size_t i = 0; any && i < found.gl_pathc && *st == ST_OK; i++)
        *st = read_file(r, arena_cstr(r->a, str_c(found.gl_pathv[i])));
    if (any)
        globfree(&found);
    return any;
}

static void
take_roots(struct reader *r, const struct site *s)
{
    size_t n;
    const struct str *host = site_hosts(s, &n);
    struct frontier_link link = {0};

    for (size_t i = 0; i < n; i++) {
        link.url = arena_printf(r->a, "http://%.*s/", STRF(host[i]));
        append(r, &link, 1);
    }
}

static enum status
read_default(struct reader *r, const struct site *s, const char *dir)
{
    const struct opt_list *languages = &r->opts.clean_language;
    enum status st = ST_OK;
    struct str own;

    if (languages->n > 0) {
        own = arena_printf(r->a, "seeds.%.*s.txt", STRF(languages->item[0]));
        if (read_beside(r, dir, own.p, &st))
            return st;
    }
    if (!read_beside(r, dir, "seeds*.txt", &st))
        take_roots(r, s);
    return st;
}

enum status
lab_seeds_of_site(struct lab_seeds *out, struct arena *a, const struct opts *o,
                  const struct site *s, const char *dir, const char *file)
{
    struct reader r = {.out = out, .a = a, .opts = *o};
    size_t n;
    const struct str *host = site_hosts(s, &n);
    enum status st;

    *out = (struct lab_seeds){0};
    r.opts.scope_tld = r.opts.scope_domains = (struct opt_list){0};
    r.opts.scope_hosts = (struct opt_list){(struct str *)(uintptr_t)host, n};
    if ((st = scope_open(&r.scope, &r.opts)) != ST_OK)
        return st;
    st = file != NULL ? read_file(&r, file) : read_default(&r, s, dir);
    scope_close(r.scope);
    if (st == ST_OK && out->n == 0) {
        log_error("lab",
                  "no seed is on a host of %s (%zu seeds, all skipped); give "
                  "others with --seeds FILE",
                  dir, r.bad);
        st = ST_USAGE;
    }
    return st;
}
