/* check.c -- what `winnow config check` asks beyond rules.c: the parts that a
 * crawl opens later, when its folder is made already.  Nothing here listens,
 * connects or asks a name server. */
#include "rules.h"

#include "crawler/fetch/dns.h"
#include "crawler/sign/signer.h"
#include "frontier/score/scorer.h"
#include "proto/options.h"
#include "shingle/service/dedup_service.h"

static enum status
check_addresses(const struct opts *o)
{
    const struct endpoint_options frontier = endpoint_options_frontier(o);
    enum status st = endpoint_check(o->frontier_url.p, &frontier);

    return dedup_service_check(o) == ST_OK ? st : ST_USAGE;
}

static enum status
check_scorer(const struct opts *o)
{
    const struct scorer *s = scorer_find(o->frontier_scorer);
    void *state = NULL;
    enum status st = ST_OK;

    if (s != NULL && s->open != NULL) {
        st = s->open(&state, o);
        s->close(state);
    }
    return st;
}

static void
watch_nothing(void *self, int fd, bool readable, bool writable)
{
    (void)self;
    (void)fd;
    (void)readable;
    (void)writable;
}

static enum status
check_names(const struct opts *o)
{
    const struct dns_io io = {.watch = watch_nothing};
    struct dns *dns = NULL;
    enum status st = dns_open(&dns, o, &io);

    if (st == ST_OK)
        dns_close(dns);
    return st;
}

static enum status
check_key(const struct opts *o)
{
    struct signer *signer = NULL;
    enum status st = ST_OK;

    if (o->fetch_sign_key.n > 0)
        st = signer_open(&signer, o->fetch_sign_key.p, o->fetch_sign_agent);
    signer_free(signer);
    return st;
}

enum status
crawl_check(const struct opts *o, bool no_seeds)
{
    const struct crawl_setup setup = {.opts = o, .no_seeds = no_seeds};
    struct crawl c = {.opts = o};
    struct arena *a = arena_new();
    struct seeds seeds = {0};
    const enum status st[] = {crawl_rules_open(&c, &seeds, a, &setup),
                              check_addresses(o), check_scorer(o),
                              check_names(o), check_key(o)};

    crawl_rules_close(&c);
    arena_free(a);
    for (size_t i = 0; i < sizeof st / sizeof *st; i++)
        if (st[i] != ST_OK)
            return st[i];
    return ST_OK;
}
