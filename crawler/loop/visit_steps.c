/* visit_steps.c -- a visit's way through the loop thread: start (where to?) ->
 * resolve -> connect and fetch -> the workers.
 *
 * Names are looked up for every visit (from the DNS cache, whose TTLs are
 * short), and every address passes the address policy, so a name that moves to
 * a private address is caught.  When a connection fails, the next checked
 * address is tried at once; when it takes long, beside it, and whichever is
 * there first gets the request ("happy eyeballs", RFC 8305).  What is missing
 * to the run, not to the URL, is conditions.c's. */
#include "loop_impl.h"

#include "base/clock.h"
#include "base/url/host.h"
#include "crawler/admit/robots.h"
#include "crawler/admit/tdmrep.h"
#include "crawler/fetch/proxy.h"

#define RACE_MS 250 /* RFC 8305, section 5 */
#define RACE_LOOK_MS 50

struct step { /* what a callback needs */
    struct loop *loop;
    struct visit *visit;
    unsigned which; /* of its two transfers */
};

void
visit_finish(struct loop *l, struct visit *v, enum verdict fault)
{
    v->fault = fault;
    v->finished_ms = clock_wall_ms();
    if (fault == VERDICT_NO_FILES)
        v->contacted = false;
    slots_leave(l->slots, v);
    v->ended_ms = clock_steady_ms();
    crawl_to_workers(l->c, v);
}

static void connect_next(struct loop *l, struct visit *v);

/* To one of its addresses; one of IPv6 says nothing, since many machines have
 * none, unless fetch.address says that this one has. */
static bool
has_route(const struct loop *l, const struct visit *v)
{
    size_t v4 = 0;

    for (size_t i = 0; i < v->addresses_n; i++) {
        v4 += v->address[i].ss_family == AF_INET;
        if (condition_has_route(&l->own,
                                (const struct sockaddr *)&v->address[i]))
            return true;
    }
    return v4 == 0 && l->own.v6.sin6_family == AF_UNSPEC;
}

static bool
is_outside(const struct visit *v)
{
    return host_address_range(
               (const struct sockaddr *)&v->address[v->address_i]) !=
           HOST_LOOPBACK;
}

/* ---- two addresses at once ---- */

/* Whichever of the two is connected first sends the request, and it alone. */
static bool
may_send(void *arg)
{
    struct step *s = arg;

    if (s->visit->sender == 0)
        s->visit->sender = s->which;
    return s->visit->sender == s->which;
}

/* This one of the two is over.  False: the other goes on, or went before. */
static bool
decides(struct visit *v, unsigned which)
{
    struct transfer **own =
                        which == VISIT_FIRST ? &v->transfer : &v->race.transfer,
                    *other =
                        which == VISIT_FIRST ? v->race.transfer : v->transfer;
    struct fetch_reply *reply =
        which == VISIT_FIRST ? &v->reply : &v->race.reply;

    *own = NULL;
    if ((v->sender != 0 && v->sender != which) ||
        (other != NULL && (reply->fault == VERDICT_CONNECT ||
                           reply->fault == VERDICT_CONNECT_TIMEOUT))) {
        fetch_reply_free(reply);
        return false;
    }
    v->sender = which;
    if (other != NULL)
        fetch_end(other, VERDICT_RETURNED);
    if (which == VISIT_SECOND) {
        fetch_reply_free(&v->reply);
        v->reply = v->race.reply;
        v->race.reply = (struct fetch_reply){0};
        v->address_i = v->race.i;
    }
    return true;
}

static void
fetched(void *arg)
{
    struct step *s = arg;
    struct loop *l = s->loop;
    struct visit *v = s->visit;
    enum verdict fault;

    if (!decides(v, s->which))
        return;
    fault = v->reply.fault;
    if (v->proxied && !v->reply.no_authorities) {
        visit_proxied_ended(l, v);
        return;
    }
    if (v->reply.connected && is_outside(v))
        condition_there(l->c, CONDITION_NETWORK);
    if ((fault == VERDICT_CONNECT || fault == VERDICT_CONNECT_TIMEOUT) &&
        v->tried + 1 < v->addresses_n) {
        v->address_i = v->tried + 1;
        fetch_reply_free(&v->reply);
        connect_next(l, v);
        return;
    }
    if (fault == VERDICT_CONNECT || fault == VERDICT_CONNECT_TIMEOUT)
        dns_expire(l->dns, v->url.host);
    if (v->reply.no_authorities) {
        condition_missing(l->c, CONDITION_AUTHORITIES, v->url.host);
        fault = VERDICT_RETURNED;
    }
    if (verdict_kind(fault) == VERDICT_KIND_RETRY && !has_route(l, v)) {
        condition_missing(l->c, CONDITION_NETWORK, v->url.host);
        v->contacted = v->reply.connected;
        fault = VERDICT_RETURNED;
    }
    visit_finish(l, v, fault);
}

/* The frontier has to hear first where a name leads to: another host behind
 * the same address may be being contacted. */
static bool
address_is_news(const struct opts *o, const struct visit *v)
{
    return v->addresses_n > 0 && !v->lease.address_known && !v->contacted &&
           (o->politeness_address_loopback || is_outside(v));
}

static struct transfer *
attempt(struct loop *l, struct visit *v, size_t i, unsigned which)
{
    const struct opts *o = l->c->opts;
    struct step *s = ARENA_NEW(v->arena, struct step);
    struct fetch_request q = {.url = v->wire,
                              .address = v->address[i],
                              .proxied = v->proxied,
                              .html_only = v->lease.kind == FRONTIER_PAGE,
                              .may_send = may_send,
                              .cookies = v->cookies,
                              .etag = v->lease.etag,
                              .last_modified = v->lease.last_modified};

    q.body_max = v->lease.kind == FRONTIER_ROBOTS    ? ROBOTS_BODY_MAX
                 : v->lease.kind == FRONTIER_TDMREP  ? TDMREP_BODY_MAX
                 : v->lease.kind == FRONTIER_SITEMAP ? o->sitemaps_bytes_max
                                                     : o->fetch_body_max;
    if (q.html_only) {
        q.documents = l->c->documents;
        q.document_max = o->convert_body_max;
    }
    *s = (struct step){l, v, which};
    v->tried = i;
    return fetch_start(l->fetch, &q,
                       which == VISIT_FIRST ? &v->reply : &v->race.reply,
                       l->now_ms, fetched, s);
}

static void
connect_next(struct loop *l, struct visit *v)
{
    if (address_is_news(l->c->opts, v)) {
        visit_finish(l, v, VERDICT_RETURNED);
        return;
    }
    v->contacted = true;
    v->sender = 0;
    v->connect_ms = l->now_ms;
    v->transfer = attempt(l, v, v->address_i, VISIT_FIRST);
}

void
visit_race(struct loop *l)
{
    if (l->now_ms < l->race_ms)
        return;
    l->race_ms = l->now_ms + RACE_LOOK_MS;
    for (struct visit *v = slots_first(l->slots); v != NULL; v = v->later) {
        if (v->transfer == NULL || v->race.transfer != NULL || v->sender != 0 ||
            v->tried + 1 >= v->addresses_n ||
            l->now_ms < v->connect_ms + RACE_MS || fetch_connected(v->transfer))
            continue;
        v->race.i = v->tried + 1;
        v->race.transfer = attempt(l, v, v->race.i, VISIT_SECOND);
    }
}

static void
set_port(struct sockaddr_storage *a, uint16_t port)
{
    if (a->ss_family == AF_INET)
        ((struct sockaddr_in *)a)->sin_port = htons(port);
    else
        ((struct sockaddr_in6 *)a)->sin6_port = htons(port);
}

static bool
is_laboratory(const struct crawl *c)
{
    return hosts_file_n(c->hosts) > 0;
}

/* Keep the addresses that the policy admits, IPv4 first: a machine without
 * IPv6 shall not lose time.  VERDICT_NONE if any is left. */
static enum verdict
keep_addresses(struct loop *l, struct visit *v, const struct dns_answer *answer)
{
    enum verdict why = VERDICT_DNS;

    v->addresses_n = 0;
    for (int family = 0; family < 2; family++) {
        for (size_t i = 0; i < answer->addresses_n; i++) {
            const struct sockaddr_storage *a = &answer->address[i];
            enum verdict no;

            if ((a->ss_family == AF_INET6) != (family == 1))
                continue;
            if (!own_address_admits(&l->own, a->ss_family)) {
                why = VERDICT_CONNECT;
                continue;
            }
            no = address_policy_refusal(l->c->policy, v->url.host,
                                        (const struct sockaddr *)a);
            if (no != VERDICT_NONE) {
                why = no;
                continue;
            }
            v->address[v->addresses_n] = *a;
            set_port(&v->address[v->addresses_n++], v->url.port);
        }
    }
    if (v->proxied && v->addresses_n > 1) /* whose it is to try others */
        v->addresses_n = 1;
    return v->addresses_n > 0 ? VERDICT_NONE : why;
}

/* That is the run's fault, but in a laboratory. */
static enum verdict
contact_is_missing(struct loop *l, const struct visit *v, enum verdict fault)
{
    if (fault != VERDICT_NO_CONTACT || is_laboratory(l->c))
        return fault;
    condition_missing(l->c, CONDITION_CONTACT, v->url.host);
    return VERDICT_RETURNED;
}

static enum verdict
fault_of_answer(struct loop *l, struct visit *v,
                const struct dns_answer *answer)
{
    switch (answer->result) {
    case DNS_NO_SUCH_NAME: return VERDICT_NO_SUCH_HOST;
    case DNS_NO_FILES: return VERDICT_NO_FILES;
    case DNS_FAILED: return VERDICT_DNS;
    case DNS_SILENT:
        condition_missing(l->c, CONDITION_NAMES, v->url.host);
        return VERDICT_RETURNED;
    case DNS_FOUND: break;
    }
    return contact_is_missing(l, v, keep_addresses(l, v, answer));
}

/* Who has a hosts file and no contact stays on this machine: other hosts are
 * out of bounds. */
static bool
is_elsewhere(const struct crawl *c, struct str host)
{
    return is_laboratory(c) && c->opts->fetch_dns_servers.n == 0 &&
           !address_policy_has_contact(c->opts->fetch_user_agent) &&
           !host_is_ip(host) && !address_policy_may_be_local(c->policy, host);
}

static void
resolved(void *arg, const struct dns_answer *answer)
{
    struct step *s = arg;
    struct loop *l = s->loop;
    struct visit *v = s->visit;
    enum verdict fault;

    if (answer->heard)
        condition_there(l->c, CONDITION_NAMES);
    if (l->stopped_ms != 0)
        fault = VERDICT_RETURNED;
    else
        fault = fault_of_answer(l, v, answer);
    if (fault != VERDICT_NONE)
        visit_finish(l, v, fault);
    else
        connect_next(l, v);
}

static void
known_now(void *loop, const struct dns_answer *answer)
{
    struct loop *l = loop;

    if (answer->heard)
        condition_there(l->c, CONDITION_NAMES);
}

void
visit_expect(struct loop *l, struct str host)
{
    if (l->stopped_ms == 0 && l->looks_names_up && host.n > 0 &&
        hosts_file_find(l->c->hosts, host) == NULL && !host_is_ip(host) &&
        !is_elsewhere(l->c, host))
        dns_lookup(l->dns, host, l->now_ms, known_now, l);
}

/* Its addresses are only the proxy's to know. */
static void
go_by_name(struct loop *l, struct visit *v)
{
    enum verdict fault = contact_is_missing(
        l, v, address_policy_refuses_name(l->c->policy, v->url.host));

    if (fault == VERDICT_NONE)
        connect_next(l, v);
    else
        visit_finish(l, v, fault);
}

static void
find_way(struct loop *l, struct visit *v)
{
    struct dns_answer literal = {.result = DNS_FOUND, .addresses_n = 1};
    struct step *s = ARENA_NEW(v->arena, struct step);

    *s = (struct step){l, v, 0};
    if (host_is_ip(v->url.host)) {
        if (!host_address(&literal.address[0], v->url.host))
            literal.result = DNS_FAILED;
        resolved(s, &literal);
    } else if (is_elsewhere(l->c, v->url.host)) {
        visit_finish(l, v, VERDICT_NO_CONTACT);
    } else if (l->looks_names_up || host_under(v->url.host, S("localhost"))) {
        dns_lookup(l->dns, v->url.host, l->now_ms, resolved, s);
    } else {
        go_by_name(l, v);
    }
}

void
visit_start(struct loop *l, struct visit *v)
{
    const struct sockaddr_storage *lab =
        hosts_file_find(l->c->hosts, v->url.host);
    struct str scheme = lab != NULL ? S("http") : v->url.scheme;

    v->proxied = l->proxied && lab == NULL;
    v->by_name = v->proxied && !(l->looks_names_up &&
                                 proxy_kind_of(l->c->opts) == PROXY_SOCKS);
    slots_enter(l->slots, v, l->now_ms);
    if (l->stopped_ms != 0) {
        visit_finish(l, v, VERDICT_RETURNED);
        return;
    }
    if (address_policy_bad_port(v->url.port)) {
        visit_finish(l, v, VERDICT_PORT);
        return;
    }
    v->wire = arena_printf(v->arena, "%.*s://%.*s%.*s", STRF(scheme),
                           STRF(url_authority(&v->url, v->arena)),
                           STRF(v->url.target))
                  .p;
    if (lab != NULL) {
        v->address[0] = *lab;
        v->addresses_n = 1;
        connect_next(l, v);
    } else {
        find_way(l, v);
    }
}
