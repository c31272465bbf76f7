/* conditions.c -- see conditions.h.
 *
 * How it is told from a fault of one host: a name server that is there answers
 * something, SERVFAIL at least, so silence to all that was asked is its own
 * (dns.c); and the kernel says without a packet whether it has a route, so it
 * is asked whenever a transfer fails.  Probes come after 1, 2, 4, 8, then every
 * 10 s. */
#include "conditions.h"

#include "crawl_state.h"

#include "base/clock.h"
#include "base/log.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#define STEP_MS 1000
#define STEP_MAX_MS 10000

const char *
condition_text(enum condition what)
{
    switch (what) {
    case CONDITION_NONE: break;
    case CONDITION_NAMES: return "no name server answers";
    case CONDITION_NETWORK: return "this machine has no network";
    case CONDITION_CONTACT: return "fetch.user_agent holds no contact URL";
    case CONDITION_AUTHORITIES: return "there are no authorities for TLS";
    case CONDITION_PROXY: return "fetch.proxy does not answer";
    case CONDITION_LOGIN: return "fetch.proxy wants another login";
    case CONDITION_FAR: return "fetch.proxy reaches no host any more";
    }
    return NULL;
}

/* It does not come back while we wait. */
static bool
ends_run(enum condition what)
{
    return what == CONDITION_CONTACT || what == CONDITION_AUTHORITIES;
}

static void
say_missing(const struct crawl *c, enum condition what, struct str host)
{
    if (what == CONDITION_CONTACT)
        log_error("crawl",
                  "fetch.user_agent = \"%.*s\" holds no contact URL, and %.*s "
                  "is not on this machine: say who you are (user_agent = "
                  "name/1.0 (+https://your.site/about-bot)), or narrow [scope]",
                  STRF(c->opts->fetch_user_agent), STRF(host));
    else if (what == CONDITION_AUTHORITIES)
        log_error("crawl",
                  "no certificate can be checked, that of %.*s neither: this "
                  "machine has no authorities (apt install ca-certificates, or "
                  "name a file: fetch.tls_ca)",
                  STRF(host));
    else
        log_warn("crawl",
                 "paused: %s (asked for %.*s); nothing is tried until that is "
                 "mended, for limits.wait_seconds=%llu at most",
                 condition_text(what), STRF(host),
                 (unsigned long long)c->opts->limits_wait_seconds);
}

void
condition_missing(struct crawl *c, enum condition what, struct str host)
{
    struct conditions *n = &c->conditions;
    uint64_t now = clock_steady_ms();
    bool fresh;

    pthread_mutex_lock(&c->lock);
    fresh = n->missing == CONDITION_NONE;
    if (fresh)
        *n = (struct conditions){what, now, now + STEP_MS, STEP_MS};
    if (ends_run(what)) {
        c->stop = true;
        if (c->end == CRAWL_RUNNING)
            c->end = CRAWL_FAILED;
        pthread_cond_broadcast(&c->changed);
    }
    pthread_mutex_unlock(&c->lock);
    if (fresh)
        say_missing(c, what, host);
}

static const char *
there_again(enum condition what)
{
    switch (what) {
    case CONDITION_NAMES: return "a name server answers again";
    case CONDITION_PROXY: return "the proxy answers again";
    case CONDITION_LOGIN: return "the proxy takes the login";
    case CONDITION_FAR: return "the proxy reaches hosts again";
    default: return "there is a network again";
    }
}

void
condition_there(struct crawl *c, enum condition what)
{
    bool was;

    pthread_mutex_lock(&c->lock);
    was = c->conditions.missing == what;
    if (was) {
        c->conditions.missing = CONDITION_NONE;
        pthread_cond_broadcast(&c->changed);
    }
    pthread_mutex_unlock(&c->lock);
    if (was)
        log_info("crawl", "going on: %s", there_again(what));
}

size_t
condition_slots(struct crawl *c, size_t slots)
{
    struct conditions *n = &c->conditions;
    uint64_t now = clock_steady_ms();

    if (n->missing == CONDITION_NONE || slots == 0)
        return slots;
    if (c->alive > 0 || now < n->probe_ms)
        return 0;
    n->step_ms = n->step_ms * 2 < STEP_MAX_MS ? n->step_ms * 2 : STEP_MAX_MS;
    n->probe_ms = now + n->step_ms;
    return 1;
}

bool
condition_gave_up(struct crawl *c)
{
    uint64_t most = c->opts->limits_wait_seconds * 1000, since;
    enum condition what;
    bool over;

    pthread_mutex_lock(&c->lock);
    what = c->conditions.missing;
    since = clock_steady_ms() - c->conditions.since_ms;
    over = what != CONDITION_NONE && c->alive == 0 && since > most;
    pthread_mutex_unlock(&c->lock);
    if (over)
        log_error("crawl", "%s, for %llu s now (limits.wait_seconds=%llu)",
                  condition_text(what), (unsigned long long)since / 1000,
                  (unsigned long long)most / 1000);
    return over;
}

bool
condition_has_route(const struct own_address *own,
                    const struct sockaddr *address)
{
    int fd = socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t n = address->sa_family == AF_INET ? sizeof(struct sockaddr_in)
                                                : sizeof(struct sockaddr_in6);
    bool route =
        fd < 0 ||
        (own_address_bind(own, fd, address->sa_family) &&
         connect(fd, address, n) == 0) ||
        (errno != ENETUNREACH && errno != ENETDOWN && errno != EADDRNOTAVAIL);

    if (fd >= 0)
        close(fd);
    return route;
}
