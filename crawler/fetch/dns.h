/* dns.h -- names to addresses with c-ares, and a cache that respects TTLs.
 *
 * Belongs to the crawl loop's thread.  The loop watches the file descriptors
 * that dns asks for and calls dns_ready() and dns_tick(). All of c-ares is
 * called from dns.c. */
#ifndef CRAWLER_DNS_H
#define CRAWLER_DNS_H

#include <netinet/in.h>
#include <stdbool.h>

#include "base/options/opt.h"
#include "base/status.h"
#include "base/str.h"

struct dns; /* opaque */

#define DNS_ADDRESSES_MAX 8

enum dns_result {
    DNS_FOUND,
    DNS_NO_SUCH_NAME,
    DNS_FAILED,
    DNS_SILENT,  /* no name server said anything, to this or another query */
    DNS_NO_FILES /* not asked: too many open files */
};

struct dns_answer {
    enum dns_result result;
    /* port 0; IPv4 first, otherwise in the order of the answer */
    struct sockaddr_storage address[DNS_ADDRESSES_MAX];
    size_t addresses_n;
    const char *error; /* for the log; static */
    bool heard;        /* a name server has just answered */
};

typedef void dns_done(void *arg, const struct dns_answer *answer);

struct dns_io {
    void *self;
    /* Watch fd for reading and/or writing; both false: forget it. */
    void (*watch)(void *self, int fd, bool readable, bool writable);
};

#define DNS_TRIES 3 /* fetch.dns_timeout_ms each */

enum status dns_open(struct dns **out, const struct opts *o,
                     const struct dns_io *io);
void dns_close(struct dns *d); /* after dns_cancel() */

/* Pending lookups get DNS_FAILED now, and all later ones at once. */
void dns_cancel(struct dns *d);

/* Look `host` up (an ASCII name, or an address as in a URL).  The answer may
 * come during this call (from the cache, for addresses and for localhost); it
 * is good during `done` only, which may look up more but not close `d`.  At
 * most fetch.dns_parallel queries are in flight; more wait in line; equal
 * names share one query.  Negative answers are cached too.  now_ms is steady
 * and counts for the cache; c-ares has a clock of its own for its timeouts. */
void dns_lookup(struct dns *d, struct str host, uint64_t now_ms, dns_done *done,
                void *arg);

/* Nobody could be reached at the addresses of `host`: it may have moved, so the
 * next lookup asks anew, whatever the TTL says. */
void dns_expire(struct dns *d, struct str host);

void dns_ready(struct dns *d, int fd, bool readable, bool writable,
               uint64_t now_ms);
void dns_tick(struct dns *d, uint64_t now_ms);
/* Milliseconds until dns_tick() is due, UINT64_MAX: not at all. */
uint64_t dns_wait_ms(struct dns *d);

struct dns_stats {
    uint64_t lookups;
    uint64_t cached;  /* answered by the cache */
    uint64_t joined;  /* hung on to a query under way */
    uint64_t queries; /* names asked for: A and AAAA are one */
    uint64_t found, no_such_name, failed; /* what came of the queries */
    uint64_t evicted;                     /* the cache was full */
    uint64_t refused;                     /* too many lookups were waiting */
    size_t asked_high;                    /* most queries in flight at once */
    size_t asked, waiting, cache_n;       /* now */
};
void dns_stats(const struct dns *d, struct dns_stats *out);

#endif
