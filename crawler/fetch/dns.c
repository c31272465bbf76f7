/* dns.c -- hides c-ares: queries in flight, and the cache that it lacks.
 *
 * Every name that is known or wanted is one struct name (dns_names.h).  It is
 * WAITING in a line for a free place, ASKED (c-ares has it), or KNOWN (in
 * the cache, in the order of last use).  Lookups of a name that is not KNOWN
 * yet hang on it, so equal names share one query.
 *
 * Bounds: fetch.dns_parallel names are asked at once, WAITING_MAX lookups may
 * wait, fetch.dns_cache names are kept; each is counted when it bites.  A
 * pending query takes about 1 KB, a known name about 200 bytes.
 *
 * c-ares is set up so that nothing but the name server decides: no search
 * domains, no /etc/hosts (it would be read again for every lookup), no sorting
 * of addresses by trial connections.  resolv.conf is read at dns_open() only.
 * Its sockets stay open while queries are pending, with little randomness in
 * ports and ids: use a resolver on this machine or a trusted network.
 *
 * What does not fit a datagram is asked for by TCP, in a channel of its own:
 * where a TCP connection fails, c-ares closes all sockets of the server and
 * takes a try from every query of the channel.  With no TCP at the resolver one
 * such name, asked three times within a millisecond, ended all lookups that
 * were under way.
 *
 * When a name server has said that it knows no EDNS, `plain` asks without, all
 * that is under way at once and all that comes.  That is for good and for all
 * servers: what it costs is that answers of more than 512 bytes go by TCP.
 *
 * One thread.  c-ares may call back inside the calls that start a query, and
 * callbacks may look up more: see pump() and tell(). */
#include "dns_channel.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"

#define TTL_MIN_MS 5000u        /* less is asked again at every page */
#define TTL_MAX_MS 86400000u    /* a day, whatever the zone says */
#define NO_SUCH_NAME_MS 300000u /* NXDOMAIN, or no address */
#define FAILED_MS 60000u        /* SERVFAIL, timeouts, nonsense */
#define SILENT_MS 500u          /* nobody was there to ask */
#define NO_FILES_MS 500u        /* it was not asked at all */
#define WAITING_MAX 100000u     /* lookups past that fail at once */

struct dns {
    ares_channel channel, plain, stream; /* datagrams, the same, TCP */
    struct dns_socket by_datagram, by_stream;
    struct dns_io io;
    uint64_t now_ms;
    size_t parallel_max, cache_max;
    struct names names;
    struct name_list line;  /* WAITING, in order of arrival */
    struct name_list known; /* least recently used first */
    size_t asked_n, waiters_n;
    uint64_t heard; /* times that something came from a name server */
    bool no_edns;   /* asked by plain */
    bool pumping, closing;
    struct dns_stats stats;
};

/* ---- telling ---- */

static void
answer_without(dns_done *done, void *arg, enum dns_result result,
               const char *error)
{
    struct dns_answer a;

    a.result = result;
    a.error = error;
    a.addresses_n = 0;
    a.heard = false;
    done(arg, &a);
}

/* Tell all who wait.  They may look up again or make `e` leave the cache, so
 * it is not touched after the first of them was told. */
static void
tell(struct name *e)
{
    struct waiter *w = e->waiters;
    struct dns *d = e->dns;
    struct dns_answer answer;

    dns_answer_of(&answer, e);
    answer.heard = d->heard > e->heard;
    e->waiters = NULL;
    e->waiters_end = &e->waiters;
    while (w != NULL) {
        struct waiter *next = w->next;

        d->waiters_n--;
        w->done(w->arg, &answer);
        free(w);
        w = next;
    }
}

/* ---- c-ares: its codes and lifetimes end here ---- */

/* Copy the addresses, IPv4 first; *ttl_ms is the least of all records'. */
static void
keep_addresses(struct name *e, const struct ares_addrinfo *ai, uint64_t *ttl_ms)
{
    static const int family[] = {AF_INET, AF_INET6};
    struct address found[DNS_ADDRESSES_MAX];
    int64_t ttl_s = INT32_MAX;
    size_t n = 0;

    for (const struct ares_addrinfo_cname *c = ai->cnames; c; c = c->next)
        ttl_s = c->ttl < ttl_s ? c->ttl : ttl_s;
    for (int f = 0; f < 2; f++) {
        for (struct ares_addrinfo_node *a = ai->nodes; a; a = a->ai_next) {
            if (a->ai_family != family[f] || n == DNS_ADDRESSES_MAX)
                continue;
            found[n].family = f == 0 ? 4 : 6;
            if (f == 0)
                memcpy(found[n].bytes,
                       &((struct sockaddr_in *)(void *)a->ai_addr)->sin_addr,
                       4);
            else
                memcpy(found[n].bytes,
                       &((struct sockaddr_in6 *)(void *)a->ai_addr)->sin6_addr,
                       16);
            n++;
            ttl_s = a->ai_ttl < ttl_s ? a->ai_ttl : ttl_s;
        }
    }
    *ttl_ms = ttl_s > 0 ? (uint64_t)ttl_s * 1000 : 0;
    if (n > 0) { /* else it would seem to have none, which settles its URLs */
        e->address = memory_need(malloc(n * sizeof *found));
        memcpy(e->address, found, n * sizeof *found);
        e->addresses_n = n;
    }
}

/* c-ares does not say that it got no socket; it fails at once then, so the
 * shortage is still there. */
static bool
out_of_files(void)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return true;
    close(fd);
    return false;
}

/* Turn what c-ares says into e's answer; returns how long it holds. */
static uint64_t
keep_answer(struct name *e, int code, const struct ares_addrinfo *ai)
{
    uint64_t ttl_ms = 0;

    if (code == ARES_SUCCESS && ai != NULL)
        keep_addresses(e, ai, &ttl_ms);
    if (e->addresses_n > 0) {
        e->result = DNS_FOUND;
        e->error = NULL;
        return ttl_ms < TTL_MIN_MS   ? TTL_MIN_MS
               : ttl_ms > TTL_MAX_MS ? TTL_MAX_MS
                                     : ttl_ms;
    }
    switch (code) {
    case ARES_ENOTFOUND:
        e->result = DNS_NO_SUCH_NAME;
        e->error = "no such name";
        return NO_SUCH_NAME_MS;
    case ARES_SUCCESS:
    case ARES_ENODATA:
        e->result = DNS_NO_SUCH_NAME;
        e->error = "the name has no address";
        return NO_SUCH_NAME_MS;
    case ARES_EBADNAME:
        e->result = DNS_NO_SUCH_NAME;
        e->error = "not a name of the DNS";
        return NO_SUCH_NAME_MS;
    default:
        if (out_of_files()) {
            e->result = DNS_NO_FILES;
            e->error = "too many open files";
            return NO_FILES_MS;
        }
        e->error = ares_strerror(code);
        e->result = e->dns->heard > e->heard || e->dns->closing ? DNS_FAILED
                                                                : DNS_SILENT;
        return e->result == DNS_FAILED ? FAILED_MS : SILENT_MS;
    }
}

static void on_answer(void *arg, int code, int timeouts,
                      struct ares_addrinfo *ai);

static void
ask(struct name *e, ares_channel channel)
{
    static const struct ares_addrinfo_hints hints = {
        .ai_flags = ARES_AI_NOSORT,
        .ai_family = AF_UNSPEC,
        .ai_socktype = SOCK_STREAM,
    };

    ares_getaddrinfo(channel, e->text, NULL, &hints, on_answer, e);
}

static void
ask_by_datagram(struct name *e)
{
    struct dns *d = e->dns;

    e->with_edns = !d->no_edns;
    ask(e, d->no_edns ? d->plain : d->channel);
}

/* Whatever has become of it, it was asked in a way that is not understood. */
static bool
was_not_understood(const struct name *e, int code)
{
    const struct dns *d = e->dns;

    return d->no_edns && e->with_edns && !e->by_stream && !d->closing &&
           code != ARES_SUCCESS && code != ARES_ENODATA &&
           code != ARES_ENOTFOUND;
}

/* A part of the addresses is enough, but for one family's alone. */
static bool
lacks_the_rest(const struct name *e, const struct ares_addrinfo *ai)
{
    if (!e->cut || e->by_stream || e->dns->closing)
        return false;
    for (const struct ares_addrinfo_node *a = ai != NULL ? ai->nodes : NULL; a;
         a = a->ai_next)
        if (a->ai_family == AF_INET)
            return false;
    return true;
}

static void
on_answer(void *arg, int code, int timeouts, struct ares_addrinfo *ai)
{
    struct name *e = arg;
    struct dns *d = e->dns;
    uint64_t holds_ms;

    (void)timeouts;
    if (lacks_the_rest(e, ai)) {
        ares_freeaddrinfo(ai);
        e->by_stream = true;
        ask(e, d->stream);
        return;
    }
    if (was_not_understood(e, code)) {
        ares_freeaddrinfo(ai);
        ask_by_datagram(e);
        return;
    }
    holds_ms = keep_answer(e, code, ai);
    ares_freeaddrinfo(ai);
    d->asked_n--;
    d->stats.found += e->result == DNS_FOUND;
    d->stats.no_such_name += e->result == DNS_NO_SUCH_NAME;
    d->stats.failed += e->result == DNS_FAILED || e->result == DNS_SILENT ||
                       e->result == DNS_NO_FILES;
    if (d->closing) {
        tell(e);
        name_free(&d->names, e);
        return;
    }
    e->state = KNOWN;
    e->expires_ms = d->now_ms + holds_ms;
    name_list_add(&d->known, e);
    if (d->known.n > d->cache_max) {
        struct name *oldest = d->known.first;

        d->stats.evicted++;
        name_list_remove(&d->known, oldest);
        name_free(&d->names, oldest);
    }
    tell(e);
}

static void
on_socket(void *self, int fd, bool readable, bool writable)
{
    struct dns *d = self;

    d->io.watch(d->io.self, fd, readable, writable);
}

/* Ask for those in the line while there is room.  An answer that comes inside
 * ares_getaddrinfo() makes room at once; whoever it is told may come here
 * again, and must leave the work to the loop that is running. */
static void
pump(struct dns *d)
{
    if (d->pumping)
        return;
    d->pumping = true;
    while (d->line.first != NULL && d->asked_n < d->parallel_max) {
        struct name *e = d->line.first;

        name_list_remove(&d->line, e);
        e->state = ASKED;
        e->heard = d->heard;
        d->asked_n++;
        d->stats.queries++;
        if (d->asked_n > d->stats.asked_high)
            d->stats.asked_high = d->asked_n;
        ask_by_datagram(e);
    }
    d->pumping = false;
}

/* c-ares calls a server that refuses and one that is not there by one name, so
 * whether there is one is seen here. */
static void
on_bytes(void *self, struct str bytes)
{
    struct dns *d = self;

    (void)bytes;
    d->heard++;
}

static void
on_datagram(void *self, struct str bytes)
{
    char text[DNS_NAME_BYTES_MAX + 1];
    struct dns *d = self;
    struct str name;
    struct name *e;

    on_bytes(d, bytes);
    if (!d->no_edns && dns_socket_knows_no_edns(bytes)) {
        log_info("dns", "a name server knows no EDNS: it is asked without");
        d->no_edns = true;
    }
    if (!dns_socket_is_cut(bytes, text))
        return;
    name = str_c(text);
    e = name_find(&d->names, name, hash64(name));
    if (e != NULL && e->state == ASKED)
        e->cut = true;
}

static enum status
channels_open(struct dns *d, const struct opts *o)
{
    enum status st;

    d->by_datagram = (struct dns_socket){d, true, on_datagram, on_socket};
    d->by_stream = (struct dns_socket){d, false, on_bytes, on_socket};
    if ((st = dns_channel_open(&d->channel, &d->by_datagram,
                               ARES_FLAG_EDNS | ARES_FLAG_IGNTC, o)) == ST_OK &&
        (st = dns_channel_open(&d->plain, &d->by_datagram, ARES_FLAG_IGNTC,
                               o)) == ST_OK)
        st = dns_channel_open(&d->stream, &d->by_stream, ARES_FLAG_USEVC, o);
    return st;
}

static void
channels_close(struct dns *d)
{
    ares_channel all[] = {d->channel, d->plain, d->stream};

    for (size_t i = 0; i < 3; i++)
        if (all[i] != NULL)
            ares_destroy(all[i]);
}

enum status
dns_open(struct dns **out, const struct opts *o, const struct dns_io *io)
{
    struct dns *d = calloc(1, sizeof *d);
    enum status st;
    int rc;

    if (d == NULL)
        return ST_NOMEM;
    d->io = *io;
    d->parallel_max = (size_t)o->fetch_dns_parallel;
    d->cache_max = o->fetch_dns_cache > 0 ? (size_t)o->fetch_dns_cache : 1;
    if ((st = names_init(&d->names)) != ST_OK)
        goto no_names;
    if ((rc = ares_library_init(ARES_LIB_INIT_ALL)) != ARES_SUCCESS) {
        log_error("dns", "doing=init error=\"%s\"", ares_strerror(rc));
        st = ST_IO;
        goto no_library;
    }
    if ((st = channels_open(d, o)) != ST_OK)
        goto no_channels;
    *out = d;
    return ST_OK;

no_channels:
    channels_close(d);
    ares_library_cleanup();
no_library:
    names_fini(&d->names);
no_names:
    free(d);
    return st;
}

void
dns_cancel(struct dns *d)
{
    d->closing = true;
    ares_cancel(d->channel);
    ares_cancel(d->plain);
    ares_cancel(d->stream);
    while (d->line.first != NULL) {
        struct name *e = d->line.first;

        name_list_remove(&d->line, e);
        e->result = DNS_FAILED;
        e->error = "the resolver is being closed";
        tell(e);
        name_free(&d->names, e);
    }
}

void
dns_close(struct dns *d)
{
    if (d == NULL)
        return;
    dns_cancel(d);
    channels_close(d);
    while (d->known.first != NULL) {
        struct name *e = d->known.first;

        name_list_remove(&d->known, e);
        name_free(&d->names, e);
    }
    ares_library_cleanup();
    names_fini(&d->names);
    free(d);
}

/* ---- lookups ---- */

/* Hang on to `e`, which gets its answer later. */
static bool
wait_for(struct name *e, dns_done *done, void *arg)
{
    struct waiter *w = malloc(sizeof *w);

    if (w == NULL)
        return false;
    *w = (struct waiter){NULL, done, arg};
    *e->waiters_end = w;
    e->waiters_end = &w->next;
    e->dns->waiters_n++;
    return true;
}

static void
lookup_name(struct dns *d, struct str text, dns_done *done, void *arg)
{
    uint64_t hash = hash64(text);
    struct name *e = name_find(&d->names, text, hash);

    if (d->closing) {
        answer_without(done, arg, DNS_FAILED, "the resolver is being closed");
        return;
    }
    if (e != NULL && e->state == KNOWN) {
        name_list_remove(&d->known, e);
        if (e->expires_ms > d->now_ms) {
            struct dns_answer answer;

            d->stats.cached++;
            name_list_add(&d->known, e);
            dns_answer_of(&answer, e);
            done(arg, &answer);
            return;
        }
        name_free(&d->names, e);
        e = NULL;
    }
    if (d->waiters_n >= WAITING_MAX) {
        d->stats.refused++;
        answer_without(done, arg, DNS_FAILED, "too many lookups are waiting");
        return;
    }
    if (e == NULL) {
        if ((e = name_new(&d->names, text, hash)) == NULL)
            goto no_memory;
        e->dns = d;
        e->state = WAITING;
        name_list_add(&d->line, e);
    } else {
        d->stats.joined++;
    }
    if (wait_for(e, done, arg)) {
        pump(d);
        return;
    }
no_memory:
    answer_without(done, arg, DNS_FAILED, "out of memory");
}

void
dns_lookup(struct dns *d, struct str host, uint64_t now_ms, dns_done *done,
           void *arg)
{
    char text[DNS_NAME_BYTES_MAX + 1];
    struct dns_answer answer;

    d->now_ms = now_ms;
    d->stats.lookups++;
    if (host.n > 0 && host.p[host.n - 1] == '.')
        host.n--;
    if (dns_answer_by_itself(&answer, host)) {
        done(arg, &answer);
        return;
    }
    if (!dns_answer_name(host, text)) {
        answer_without(done, arg, DNS_NO_SUCH_NAME, "not a name of the DNS");
        return;
    }
    lookup_name(d, str_n(text, host.n), done, arg);
}

void
dns_expire(struct dns *d, struct str host)
{
    char text[DNS_NAME_BYTES_MAX + 1];
    struct str name;
    struct name *e;

    if (host.n > 0 && host.p[host.n - 1] == '.')
        host.n--;
    if (!dns_answer_name(host, text))
        return;
    name = str_n(text, host.n);
    e = name_find(&d->names, name, hash64(name));
    if (e != NULL && e->state == KNOWN)
        e->expires_ms = 0;
}

/* Each looks for its own among the descriptors, and at its clock. */
static void
process(struct dns *d, ares_socket_t readable, ares_socket_t writable)
{
    bool no_edns = d->no_edns;

    ares_process_fd(d->channel, readable, writable);
    ares_process_fd(d->plain, readable, writable);
    ares_process_fd(d->stream, readable, writable);
    if (d->no_edns && !no_edns)
        ares_cancel(d->channel); /* and so asked anew */
}

void
dns_ready(struct dns *d, int fd, bool readable, bool writable, uint64_t now_ms)
{
    d->now_ms = now_ms;
    process(d, readable ? fd : ARES_SOCKET_BAD,
            writable ? fd : ARES_SOCKET_BAD);
    pump(d);
}

void
dns_tick(struct dns *d, uint64_t now_ms)
{
    d->now_ms = now_ms;
    process(d, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    pump(d);
}

static uint64_t
channel_wait_ms(ares_channel channel)
{
    struct timeval tv;

    if (ares_timeout(channel, NULL, &tv) == NULL)
        return UINT64_MAX;
    return (uint64_t)tv.tv_sec * 1000 + ((uint64_t)tv.tv_usec + 999) / 1000;
}

uint64_t
dns_wait_ms(struct dns *d)
{
    uint64_t a = channel_wait_ms(d->channel), b = channel_wait_ms(d->plain),
             c = channel_wait_ms(d->stream);

    if (a > b)
        a = b;
    return a < c ? a : c;
}

void
dns_stats(const struct dns *d, struct dns_stats *out)
{
    *out = d->stats;
    out->cache_n = d->known.n;
    out->waiting = d->line.n;
    out->asked = d->asked_n;
}
