/* lab_open.c -- see lab_open.h. */
#include "lab_open.h"

#include "base/buf.h"
#include "base/folder_glob.h"
#include "base/log.h"
#include "build.h"
#include "crawler/job/job.h"
#include "crawler/report/crawl_log.h"
#include "lab_seeds.h"
#include "web_about.h"
#include "web_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum form { NOT_THERE, SITES, CRAWL, A_FILE };

static struct str
below(struct arena *a, const char *dir, const char *name)
{
    return arena_printf(a, "%s/%s", dir, name);
}

static enum form
form_of(const char *path, struct arena *a)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return NOT_THERE;
    if (!S_ISDIR(st.st_mode))
        return A_FILE;
    return access(below(a, path, CRAWL_LOG_FILE).p, R_OK) == 0 ? CRAWL : SITES;
}

static enum status
from_sites(struct web **out, const struct lab_source *s, struct build *b,
           struct arena *a)
{
    struct site *site = NULL;
    struct lab_seeds seeds;
    const struct str *host;
    size_t n;
    enum status st = site_open(&site, s->web);

    if (st == ST_OK) {
        host = site_hosts(site, &n);
        st = s->seeds != NULL
                 ? lab_seeds_read(&seeds, a, s->opts, host, n, s->seeds)
                 : lab_seeds_beside(&seeds, a, s->opts, host, n, s->web);
    }
    if (st == ST_OK) {
        b->seeds = seeds.url;
        b->seeds_n = seeds.n;
        st = build_from_site(out, site, b);
    }
    site_close(site);
    return st;
}

static enum status
from_crawl(struct web **out, const struct lab_source *s, const struct build *b)
{
    glob_t found = {0};
    int rc = folder_glob(s->web, "warc/*.warc*", 0, &found);
    enum status st;

    if (rc == GLOB_ABORTED) {
        globfree(&found);
        return ST_IO;
    }
    if (rc != 0 || found.gl_pathc == 0) {
        log_error("lab",
                  "%s is a crawl without WARC files: crawl with output.warc = "
                  "on, then what it fetched can be replayed",
                  s->web);
        globfree(&found);
        return ST_USAGE;
    }
    st = build_from_archives(out, (const char *const *)found.gl_pathv,
                             found.gl_pathc, s->web, b);
    globfree(&found);
    return st;
}

static enum status
from_file(struct web **out, const struct lab_source *s, const struct build *b)
{
    enum status st = web_file_read(out, s->web);

    if (st == ST_NONE)
        return build_from_archives(out, &s->web, 1, NULL, b);
    return st == ST_OK ? web_follow_about(*out, s->opts, s->web) : st;
}

/* Only a folder of sites can be asked for seeds that are not in it yet. */
static enum status
choose_seeds(struct web *w, const struct lab_source *s, struct arena *a)
{
    struct str *host = ARENA_ARRAY(a, struct str, w->hosts.n);
    struct lab_seeds seeds;
    size_t unknown = 0;
    enum status st;

    for (uint32_t i = 0; i < w->hosts.n; i++)
        host[i] = w->host[i].name;
    st = lab_seeds_read(&seeds, a, s->opts, host, w->hosts.n, s->seeds);
    if (st != ST_OK)
        return st;
    w->seeds_n = 0;
    for (size_t i = 0; i < seeds.n; i++) {
        uint32_t page = intern_find(&w->urls, seeds.url[i]);

        if (page != INTERN_NONE && w->page[page].known)
            web_add_seed(w, page);
        else
            unknown++;
    }
    if (unknown > 0)
        log_warn("lab",
                 "%zu of %zu seeds are not in the recorded web and are left "
                 "out",
                 unknown, seeds.n);
    return ST_OK;
}

/* What a crawl was is what its pages are cleaned for, unless somebody wants to
 * know how it would be otherwise. */
static void
follow_job(struct opts *o, const char *dir)
{
    static const char *const sections[] = {"clean", "scope", "dedup",
                                           "politeness"};
    struct job *job;

    if (job_read(&job, dir) != ST_OK)
        return; /* of a version that wrote none, or told */
    for (size_t i = 0; i < opt_table_n; i++) {
        const struct opt *row = &opt_table[i];
        bool counts = strcmp(row->key, "user_agent") == 0;
        struct buf was = {0};

        for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
            counts |= row->change == OPT_CORPUS &&
                      strcmp(row->section, sections[k]) == 0;
        if (!counts || opts_same(o, &job->opts, row))
            continue;
        opts_show(&job->opts, row, &was);
        if (opts_given(o, row->section, row->key)) {
            log_warn("lab", "%s is a crawl with %s.%s = %.*s, not with yours",
                     dir, row->section, row->key, STRF(buf_view(&was)));
        } else {
            log_info("lab", "%s brings %s.%s = %.*s", dir, row->section,
                     row->key, STRF(buf_view(&was)));
            opts_copy(o, &job->opts, row);
        }
        buf_free(&was);
    }
    job_free(job);
}

static enum status
open_form(struct web **out, const struct lab_source *s, enum form form,
          struct arena *a)
{
    struct build b = {.opts = s->opts, .threads_n = s->threads_n};
    struct cleaner *cleaner = NULL;
    struct link_words_model *words = NULL;
    enum status st;

    if (form == CRAWL)
        follow_job(s->opts, s->web);
    st = cleaner_open(&cleaner, s->opts);
    if (st == ST_OK && (st = link_words_open(&words, s->opts)) != ST_OK)
        cleaner_close(cleaner);
    if (st != ST_OK)
        return st;
    b.cleaner = cleaner;
    b.link_words = words;
    st = form == SITES   ? from_sites(out, s, &b, a)
         : form == CRAWL ? from_crawl(out, s, &b)
                         : from_file(out, s, &b);
    link_words_close(words);
    cleaner_close(cleaner);
    if (st == ST_OK && form != SITES && s->seeds != NULL)
        st = choose_seeds(*out, s, a);
    return st;
}

enum status
lab_open(struct web **out, const struct lab_source *s)
{
    struct arena *a = arena_new();
    enum form form = form_of(s->web, a);
    enum status st = ST_USAGE;

    *out = NULL;
    if (form == NOT_THERE)
        log_error("lab", "--web %s: %s", s->web, strerror(errno));
    else
        st = open_form(out, s, form, a);
    if (st == ST_OK && s->record != NULL)
        st = web_file_write(*out, s->record);
    if (st == ST_OK)
        log_info("lab", "web=%s urls=%u links=%u hosts=%u seeds=%u", s->web,
                 (*out)->urls.n, (*out)->links_n, (*out)->hosts.n,
                 (*out)->seeds_n);
    if (st != ST_OK) {
        web_free(*out);
        *out = NULL;
    }
    arena_free(a);
    return st;
}
