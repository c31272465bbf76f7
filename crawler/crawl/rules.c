/* rules.c -- see rules.h.  Nothing here writes, listens or connects, so that
 * `winnow config check` can ask the same questions as a crawl. */
#include "rules.h"

#include "clean/sandbox/sandbox.h"
#include "crawler/admit/outlinks.h"
#include "crawler/admit/robots.h"
#include "crawler/admit/robots_cache.h"
#include "crawler/fetch/dns.h"
#include "crawler/fetch/fetch.h"
#include "crawler/fetch/own_address.h"
#include "crawler/fetch/proxy.h"
#include "crawler/visit/cookies.h"

#include "base/log.h"

#include <unistd.h>

#define ROBOTS_MEMORY_MAX ((size_t)64 * 1024 * 1024)

static enum status
check_contact(const struct crawl *c, const struct seeds *seeds)
{
    if (address_policy_has_contact(c->opts->fetch_user_agent) ||
        hosts_file_n(c->hosts) >
            0) /* a laboratory; see address_policy_refusal() too */
        return ST_OK;
    for (size_t i = 0; i < seeds->n; i++) {
        struct str host = outlink_host(seeds->link[i].url);

        if (address_policy_may_be_local(c->policy, host))
            continue;
        log_error("crawl",
                  "fetch.user_agent = \"%.*s\" holds no contact URL: before "
                  "anything but this machine is crawled (%.*s), say who you "
                  "are: user_agent = name/1.0 (+https://your.site/about-bot)",
                  STRF(c->opts->fetch_user_agent), STRF(host));
        return ST_USAGE;
    }
    return ST_OK;
}

static enum status
find_formats(struct crawl *c)
{
    const struct opt_list *l = &c->opts->output_format;
    enum status st = ST_OK;

    for (size_t i = 0; i < l->n && c->formats_n < OUTPUT_FORMATS_N; i++) {
        const struct writer *w = writer_find(l->item[i]);

        if (w == NULL) {
            log_error("crawl", "output.format: unknown format %.*s",
                      STRF(l->item[i]));
            st = ST_USAGE;
            continue;
        }
        c->format[c->formats_n++] = w;
    }
    return st;
}

enum status
crawl_no_seeds(const char *dir)
{
    struct buf where = {0};

    if (dir != NULL)
        buf_printf(&where, ", and no crawl in %s to go on with", dir);
    log_error(
        "crawl",
        "no seeds%.*s: give [seeds] file or url in the job, or --seed URL",
        STRF(buf_view(&where)));
    buf_free(&where);
    return ST_USAGE;
}

/* Is there a frontier in DIR? */
static bool
resumes(const struct crawl *c, struct arena *a)
{
    return c->dir != NULL &&
           access(arena_printf(a, "%s/frontier", c->dir).p, F_OK) == 0;
}

static enum status
read_seeds(const struct crawl *c, struct seeds *seeds, struct arena *a,
           const struct crawl_setup *setup)
{
    return setup->again != NULL
               ? seeds_read_file(seeds, a, c->opts, setup->again, "--again",
                                 c->scope)
               : seeds_read(seeds, a, c->opts, setup->seeds, setup->seeds_n,
                            c->scope);
}

/* A crawl that goes on may have seeds that its scope has no more; those of
 * --seed and --again are meant now. */
static enum status
check_seeds(const struct crawl *c, const struct seeds *seeds, struct arena *a,
            const struct crawl_setup *setup)
{
    if (seeds->n == 0 && seeds->bad > 0 &&
        (setup->seeds_n > 0 || setup->again != NULL || !resumes(c, a))) {
        log_error("crawl", "none of the %zu seeds can be used", seeds->bad);
        return ST_USAGE;
    }
    if (seeds->n == 0 && !setup->no_seeds &&
        crawl_is_own(c->opts->frontier_url) && !resumes(c, a))
        return crawl_no_seeds(c->dir);
    return check_contact(c, seeds);
}

/* The dedup service decides by what stage shingles gives. */
static enum status
open_cleaner(struct crawl *c)
{
    enum status st = cleaner_open(&c->cleaner, c->opts);

    if (st == ST_OK && !cleaner_has(c->cleaner, "shingles")) {
        log_error("crawl", "clean.chain: a crawl needs the stage shingles");
        st = ST_USAGE;
    }
    if (st == ST_OK && !str_eq(c->opts->dedup_known_sentences, S("off")) &&
        !cleaner_has(c->cleaner, "sentences")) {
        log_error("crawl", "clean.chain: dedup.known_sentences needs the stage "
                           "sentences");
        st = ST_USAGE;
    }
    if (st == ST_OK)
        st = link_words_open(&c->link_words, c->opts);
    return st == ST_OK ? sandbox_choose(&c->sandboxed, c->opts) : st;
}

/* It is sent in quotes (RFC 8941, 3.3.3), and somebody is to ask there. */
static bool
can_be_told(struct str agent)
{
    for (size_t i = 0; i < agent.n; i++)
        if (agent.p[i] <= ' ' || agent.p[i] > '~' || agent.p[i] == '"' ||
            agent.p[i] == '\\')
            return false;
    return str_starts_nocase(agent, S("https://"));
}

static enum status
check_signing(const struct opts *o)
{
    struct str agent = o->fetch_sign_agent;

    if (agent.n > 0 && o->fetch_sign_key.n == 0)
        log_error("crawl",
                  "fetch.sign_agent = %.*s without fetch.sign_key: no request "
                  "would be signed",
                  STRF(agent));
    else if (agent.n > 0 && !can_be_told(agent))
        log_error("crawl", "fetch.sign_agent = %.*s: not an https URL",
                  STRF(agent));
    else
        return ST_OK;
    return ST_USAGE;
}

enum status
crawl_check_lease(const struct opts *o, uint64_t seconds, struct str service)
{
    uint64_t fetch_ms =
        o->fetch_timeout_ms + DNS_TRIES * o->fetch_dns_timeout_ms;
    uint64_t least = fetch_ms / 1000 + 1;

    if (seconds >= least)
        return ST_OK;
    log_error("crawl",
              "%.*s%sfrontier.lease_seconds = %llu is less than a fetch may "
              "take, %llu with fetch.timeout_ms = %llu and %d times "
              "fetch.dns_timeout_ms = %llu: pages would be handed out again, "
              "and their hosts asked twice at once, while they are fetched",
              STRF(service), service.n > 0 ? ": " : "",
              (unsigned long long)seconds, (unsigned long long)least,
              (unsigned long long)o->fetch_timeout_ms, DNS_TRIES,
              (unsigned long long)o->fetch_dns_timeout_ms);
    return ST_USAGE;
}

/* A name that no line of a robots.txt could have would be heeded nowhere. */
static enum status
check_robots_also(const struct opts *o)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < o->politeness_robots_also.n; i++) {
        struct str name = o->politeness_robots_also.item[i];

        if (robots_token(name).n > 0)
            continue;
        log_error("crawl",
                  "politeness.robots_also = %.*s: not the name of a crawler, "
                  "as GPTBot is one (letters, digits, - and _)",
                  STRF(name));
        st = ST_USAGE;
    }
    return st;
}

/* Options that say nothing, or the contrary, without each other. */
static enum status
check_pairs(const struct opts *o)
{
    enum status st = check_signing(o);

    if (crawl_is_own(o->frontier_url) &&
        crawl_check_lease(o, o->frontier_lease_seconds, S("")) != ST_OK)
        st = ST_USAGE;
    if (o->recrawl_interval_seconds > 0 &&
        o->recrawl_interval_min_seconds > o->recrawl_interval_max_seconds) {
        log_error("crawl",
                  "recrawl.interval_min_seconds = %llu is more than "
                  "recrawl.interval_max_seconds = %llu",
                  (unsigned long long)o->recrawl_interval_min_seconds,
                  (unsigned long long)o->recrawl_interval_max_seconds);
        st = ST_USAGE;
    }
    return st;
}

/* All of them are tried, so that whoever has several faults in a job hears of
 * all at once; what needs another one that failed is left out. */
enum status
crawl_rules_open(struct crawl *c, struct seeds *seeds, struct arena *a,
                 const struct crawl_setup *setup)
{
    const struct opts *o = c->opts;
    struct own_address own;
    enum status st[] = {
        find_formats(c),
        scope_open(&c->scope, o),
        hosts_file_open(&c->hosts, o->fetch_hosts_file),
        address_policy_open(&c->policy, o),
        c->scope == NULL ? ST_OK : read_seeds(c, seeds, a, setup),
        open_cleaner(c),
        check_pairs(o),
        check_robots_also(o),
        fetch_check_authorities(o),
        fetch_check_logins(o),
        proxy_check(o),
        own_address_read(&own, o),
    };
    bool judged =
        st[1] == ST_OK && st[2] == ST_OK && st[3] == ST_OK && st[4] == ST_OK;
    enum status seeds_st = judged ? check_seeds(c, seeds, a, setup) : ST_OK;

    c->robots = robots_cache_new(ROBOTS_MEMORY_MAX);
    c->cookies = cookies_new();
    for (size_t i = 0; i < sizeof st / sizeof *st; i++)
        if (st[i] != ST_OK)
            return st[i] == ST_IO ? ST_USAGE : st[i];
    if (seeds_st == ST_OK)
        seeds_read_words(seeds, c->link_words);
    return seeds_st;
}

void
crawl_rules_close(struct crawl *c)
{
    link_words_close(c->link_words);
    cleaner_close(c->cleaner);
    address_policy_close(c->policy);
    hosts_file_close(c->hosts);
    cookies_free(c->cookies);
    robots_cache_free(c->robots);
    scope_close(c->scope);
}
