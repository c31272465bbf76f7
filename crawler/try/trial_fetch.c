/* trial_fetch.c -- a page from the Web: a crawl of one page.
 *
 * It is crawl_run() itself, with all its rules (scope, robots.txt, addresses,
 * delays, redirects, limits), in a scratch folder, with this URL as the seed
 * and limits.pages = 1.  How that ended stands in its log; the page as it came
 * in its WARC file, from where it goes through the chain like any other. */

#include "base/folder_glob.h"
#include "base/log.h"
#include "base/options/command.h"
#include "clean/archive/source.h"
#include "crawler/admit/address_policy.h"
#include "crawler/crawl/crawl.h"
#include "crawler/fetch/fetch_reply.h"
#include "crawler/report/crawl_log.h"
#include "crawler/scratch/scratch.h"
#include "trial.h"

#define RETRY_MS                                                               \
    86400000u /* nobody waits so long: what fails ends the crawl               \
               */
#define WAIT_MORE_S 5u

/* Lists of nothing, and no services but one's own. */
static struct opts
options(const struct opts *o)
{
    struct opts own = *o;

    own.seeds_file = own.dedup_pub = S("");
    own.seeds_url = (struct opt_list){0};
    own.frontier_url = S("inproc://frontier");
    own.dedup_url = S("inproc://dedup");
    own.frontier_sync = own.dedup_sync = S("none");
    own.frontier_map_gib = own.dedup_map_gib = 1;
    own.frontier_cache_mib = 1;
    own.limits_pages = 1;
    own.limits_documents = own.limits_bytes = own.limits_seconds = 0;
    own.limits_wait_seconds = o->politeness_crawl_delay_max_ms / 1000 +
                              opt_delay_range(o).most_ms / 1000 + WAIT_MORE_S;
    own.politeness_retries = 0;
    own.politeness_retry_ms = RETRY_MS;
    own.sitemaps_use = S("off");
    own.recrawl_interval_seconds = 0;
    own.fetch_parallel = 1;
    own.clean_threads = 1;
    own.output_warc = true;
    own.output_keep_rejected = false;
    own.output_disk_free_mib = 0;
    return own;
}

struct visits { /* what the crawl's log says */
    struct trial *t;
    struct str page, id;  /* of the last page; "": there is none */
    enum verdict verdict; /* ... or of what came last */
    enum crawl_log_kind kind;
    struct str url;
};

static void
take(void *self, const struct crawl_log_entry *e)
{
    struct visits *v = self;

    v->verdict = e->verdict;
    v->kind = e->kind;
    v->url = arena_str(v->t->arena, e->url);
    if (e->kind == CRAWL_LOG_REDIRECT && !str_ends(e->url, S("/robots.txt")))
        v->t->redirects++;
    if (e->kind != CRAWL_LOG_PAGE)
        return;
    v->page = v->url;
    v->id = arena_str(v->t->arena, e->id);
    v->t->status = e->status;
    v->t->received = e->received;
    v->t->ms = e->ms;
}

static const char *
advice(enum verdict v)
{
    switch (v) {
    case VERDICT_PRIVATE_ADDRESS:
        return "; a host of yours is admitted by --set "
               "fetch.allow_private=HOST";
    case VERDICT_TLS_VERIFY:
        return "; --set fetch.tls_verify=off does not look at it";
    case VERDICT_DISALLOWED: return "; save the page and try the file";
    default: return "";
    }
}

/* It did not come to a page: why. */
static enum status
no_page(const struct visits *v)
{
    if (v->url.n == 0)
        fputs("winnow try: the page was not fetched\n", stderr);
    else
        fprintf(stderr, "winnow try: %.*s%s: %s: %s%s\n", STRF(v->url),
                v->kind == CRAWL_LOG_ROBOTS
                    ? " cannot be read, so nothing may be fetched there"
                    : "",
                verdict_name(v->verdict), verdict_text(v->verdict),
                advice(v->verdict));
    return ST_NONE;
}

/* The first answer to this URL with a page in it. */
static enum status
read_page(struct trial *t, const char *archive, const struct visits *v)
{
    struct source *s;
    struct source_page page;
    enum status st = source_open(&s, archive, t->opts->fetch_body_max);

    if (st != ST_OK)
        return st;
    do
        st = source_next(s, t->arena, &page);
    while (st == ST_OK &&
           (!fetch_reply_has_page(page.status) || !str_eq(page.url, v->page)));
    if (st == ST_OK) {
        trial_take(t, &page, S(""));
        t->doc.origin.file = S(""); /* it goes */
        t->doc.origin.offset = t->doc.origin.length = 0;
        t->address = page.ip;
    }
    source_close(s);
    return st;
}

static enum status
look(struct trial *t, const struct scratch *folder)
{
    struct visits v = {.t = t, .verdict = VERDICT_NONE};
    struct str log =
        arena_printf(t->arena, "%s/%s", folder->path, CRAWL_LOG_FILE);
    struct crawl_log_counts counts;
    enum status st = crawl_log_read(log.p, take, &v, &counts);
    glob_t found;

    if (st == ST_OK && v.page.n > 0 && v.verdict != VERDICT_NOT_HTML &&
        folder_glob(folder->path, "warc/*.warc*", 0, &found) == 0) {
        st = read_page(t, found.gl_pathv[0], &v);
        globfree(&found);
        if (st != ST_NONE)
            return st;
    }
    return st == ST_OK || st == ST_NONE ? no_page(&v) : st;
}

/* An exit code of command.h. */
static int
crawl(const struct opts *o, const char *dir, const char *url)
{
    struct crawl_setup setup = {
        .opts = o, .dir = dir, .seeds = &url, .seeds_n = 1, .quiet = true};
    const struct job_request request = {.dir = dir, .file = true};
    enum log_level threshold = log_threshold;
    struct opts settled = *o; /* nothing is taken from elsewhere */
    struct job *job;
    int code = EXIT_FAILED;

    if (log_threshold == LOG_WARN) /* how it went is asked afterwards */
        log_threshold = LOG_ERROR;
    if (job_settle(&job, &settled, &request) == ST_OK) {
        setup.job = job;
        code = crawl_run(&setup);
    }
    job_free(job);
    log_threshold = threshold;
    return code;
}

static bool
may_ask(const struct trial *t, const struct url *url)
{
    struct address_policy *p;
    bool may;

    if (address_policy_open(&p, t->opts) != ST_OK)
        return true; /* the crawl will say so */
    may = address_policy_has_contact(t->opts->fetch_user_agent) ||
          t->opts->fetch_hosts_file.n > 0 ||
          address_policy_may_be_local(p, url->host);
    address_policy_close(p);
    return may;
}

int
trial_fetch(struct trial *t, const char *text)
{
    const struct opts own = options(t->opts);
    struct scratch folder = {.path = ""};
    struct url url;
    enum status st = ST_OK;
    int code = EXIT_DONE;

    if (url_parse_plain(&url, t->arena, str_c(text), NULL) != ST_OK) {
        fprintf(stderr, "winnow try: %s: not an http or https URL\n", text);
        return EXIT_USAGE;
    }
    if (!may_ask(t, &url)) {
        fprintf(stderr,
                "winnow try: who runs %.*s should know whom to write to: "
                "--contact YOUR-ADDRESS (mail or URL), or fetch.user_agent in "
                "a job\n",
                STRF(url.host));
        return EXIT_USAGE;
    }
    if (scratch_make(&folder) != ST_OK)
        return EXIT_FAILED;
    code = crawl(&own, folder.path, arena_cstr(t->arena, url.href));
    if (code == EXIT_DONE)
        st = look(t, &folder);
    scratch_remove(&folder);
    return st == ST_OK ? code : EXIT_FAILED;
}
