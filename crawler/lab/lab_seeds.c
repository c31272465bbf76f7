/* lab_seeds.c -- see lab_seeds.h; the files are read as those of a crawl. */
#include "lab_seeds.h"

#include "base/folder_glob.h"
#include "base/log.h"
#include "base/url/host.h"
#include "crawler/admit/seeds.h"

struct lab_seed_reader {
    struct lab_seeds *out;
    struct arena *a;
    struct opts opts; /* shares its strings */
    struct scope *scope;
    size_t bad;
};

static void
append(struct lab_seed_reader *r, const struct frontier_link *link, size_t n)
{
    struct lab_seeds *s = r->out;

    s->url = arena_grow(r->a, s->url, s->n * sizeof *s->url,
                        (s->n + n) * sizeof *s->url);
    for (size_t i = 0; i < n; i++)
        s->url[s->n++] = link[i].url;
}

static enum status
read_file(struct lab_seed_reader *r, const char *path, const char *from)
{
    struct seeds seeds;
    enum status st;

    st = seeds_read_file(&seeds, r->a, &r->opts, path, from, r->scope);
    if (st != ST_OK)
        return st;
    append(r, seeds.link, seeds.n);
    r->bad += seeds.bad;
    return ST_OK;
}

/* Files beside the folder that match; false: none. */
static bool
read_beside(struct lab_seed_reader *r, const char *dir, const char *pattern,
            enum status *st)
{
    struct str beside = arena_printf(r->a, "%s/..", dir);
    glob_t found = {0};
    int rc = folder_glob(beside.p, pattern, 0, &found);
    bool any = rc == 0;

    if (rc == GLOB_ABORTED)
        *st = ST_IO;
    for (size_t i = 0; any && i < found.gl_pathc && *st == ST_OK; i++)
        *st = read_file(r, arena_cstr(r->a, str_c(found.gl_pathv[i])),
                        "seeds beside the folder");
    globfree(&found);
    return any;
}

static void
take_roots(struct lab_seed_reader *r, const struct str *host, size_t n)
{
    struct frontier_link link = {0};

    for (size_t i = 0; i < n; i++) {
        link.url = arena_printf(r->a, "http://%.*s/", STRF(host[i]));
        append(r, &link, 1);
    }
}

static enum status
open_reader(struct lab_seed_reader *r, struct lab_seeds *out, struct arena *a,
            const struct opts *o, const struct str *host, size_t n)
{
    struct str *hosts;
    size_t hosts_n = 0;

    *out = (struct lab_seeds){0};
    *r = (struct lab_seed_reader){.out = out, .a = a, .opts = *o};
    r->opts.scope_tld = r->opts.scope_domains = (struct opt_list){0};
    hosts = ARENA_ARRAY(a, struct str, n);
    for (size_t i = 0; i < n; i++)
        if (host_is_name(host[i])) /* of a web as it was recorded */
            hosts[hosts_n++] = host[i];
    r->opts.scope_hosts = (struct opt_list){hosts, hosts_n};
    return scope_open(&r->scope, &r->opts);
}

static enum status
close_reader(struct lab_seed_reader *r, enum status st, const char *where)
{
    scope_close(r->scope);
    if (st != ST_OK || r->out->n > 0)
        return st;
    log_error("lab",
              "%s: none of the seeds is on a host of this web (%zu were "
              "skipped); give others with --seeds FILE",
              where, r->bad);
    return ST_USAGE;
}

enum status
lab_seeds_read(struct lab_seeds *out, struct arena *a, const struct opts *o,
               const struct str *host, size_t hosts_n, const char *file)
{
    struct lab_seed_reader r;
    enum status st = open_reader(&r, out, a, o, host, hosts_n);

    return st == ST_OK ? close_reader(&r, read_file(&r, file, "--seeds"), file)
                       : st;
}

enum status
lab_seeds_beside(struct lab_seeds *out, struct arena *a, const struct opts *o,
                 const struct str *host, size_t hosts_n, const char *dir)
{
    const struct opt_list *languages = &o->clean_language;
    struct lab_seed_reader r;
    struct str own;
    bool found = false;
    enum status st = open_reader(&r, out, a, o, host, hosts_n);

    if (st != ST_OK)
        return st;
    if (languages->n > 0) {
        own = arena_printf(a, "seeds.%.*s.txt", STRF(languages->item[0]));
        found = read_beside(&r, dir, own.p, &st);
    }
    if (!found && !read_beside(&r, dir, "seeds*.txt", &st))
        take_roots(&r, host, hosts_n);
    return close_reader(&r, st, dir);
}
