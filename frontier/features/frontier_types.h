/* frontier_types.h -- what goes into a frontier and comes out of it: links,
 * leases, reports, totals.
 *
 * Units: *_ms milliseconds; score 0..1, 1 is fetched first. */
#ifndef FRONTIER_FEATURES_FRONTIER_TYPES_H
#define FRONTIER_FEATURES_FRONTIER_TYPES_H

#include "base/hash.h"
#include "base/link.h"
#include "base/str.h"
#include "base/verdict.h"
#include "frontier/features/trap.h"
#include <stdbool.h>
#include <stdint.h>

enum frontier_kind {
    FRONTIER_PAGE,
    FRONTIER_ROBOTS,
    FRONTIER_SITEMAP,
    FRONTIER_TDMREP /* /.well-known/tdmrep.json: what a host reserves */
};

/* A file in which a host says what may be done: its pages wait for it. */
static inline bool
frontier_is_rules(enum frontier_kind kind)
{
    return kind == FRONTIER_ROBOTS || kind == FRONTIER_TDMREP;
}

/* An outlink or a seed with the signals the scorers use. */
struct frontier_link {
    struct str url, domain, anchor;
    struct str path, language; /* as in struct link of base/link.h */
    enum link_words words;     /* see clean/language/link_words.h */
    float boilerplate;         /* of the enclosing block */
    uint32_t relation;         /* enum link_relation */
    uint8_t within;            /* enum link_within */
    enum frontier_kind kind;   /* a page or a sitemap */
    uint64_t lastmod_ms;       /* of a sitemap's entry; 0: not said */
    float hint;                /* ... its priority, 0..1 */
    bool has_hint;
};

struct frontier_lease {
    struct str url, authority, owner;
    enum frontier_kind kind;
    uint64_t call; /* the lease call that gave it out */
    uint32_t depth, redirects, attempts;
    float score; /* with what it competed: of link, host and URL class */
    uint64_t robots_version;
    float parent_badness, boilerplate;
    bool explored;      /* by chance, not for its score: frontier.explore */
    bool home_page;     /* no link leads to it: frontier.home_... */
    bool address_known; /* false: give it back with the address first */
    uint32_t revisit;   /* number of this visit; 0: the first */
    struct str etag, last_modified; /* of the last time */
    uint64_t lastmod_ms;            /* what a sitemap says; 0: nothing */
};

/* What a robots.txt, or a tdmrep.json, says. */
struct frontier_robots {
    uint32_t status;
    struct str body; /* stored: see frontier/schedule/robots.c */
    bool unreachable;
    uint32_t crawl_delay_ms;
};

/* The version of a stored robots.txt, told by its text, so that who has read it
 * knows it without asking; never 0, which is none. */
static inline uint64_t
frontier_robots_version(struct str body)
{
    uint64_t version = hash64(body) & UINT32_MAX;

    return version > 0 ? version : 1;
}

struct frontier_done {
    struct str url;
    uint64_t crawler; /* whose report it is; the client sets its own */
    uint64_t call;    /* of the lease that it answers; 0: not said */
    enum frontier_kind kind;
    enum frontier_outcome outcome;
    enum verdict verdict;
    struct str address;
    uint64_t finished_ms; /* by the clock of now_ms; the client's: steady */
    bool contacted;
    uint64_t fetched_bytes, kept_bytes;
    float badness;
    bool has_badness;
    bool other_language; /* another language fits it better */
    uint32_t retry_after_ms;
    uint32_t took_ms;
    struct str etag, last_modified;
    uint64_t digest; /* of the clean text; 0: none */
    struct str id;   /* of the document; "": none */
    const struct frontier_link *links;
    size_t links_n;
    struct frontier_robots robots;
};

#define FRONTIER_CLASSES 10

struct frontier_totals {
    uint64_t pages, kept, fetched_bytes, kept_bytes;
    uint64_t seen, queued, leased, done, failed, refused;
    uint64_t hosts, hosts_ready, hosts_waiting, hosts_full, hosts_out;
    uint64_t queued_by_priority[FRONTIER_CLASSES]; /* highest first */
    uint64_t links_waiting; /* accepted, not yet merged into the store */
    uint64_t links_dropped; /* there were better ones: see the quotas */
    uint64_t links_refused; /* never accepted: too long, not http(s) */
    uint64_t robots;        /* robots.txt answers taken */
    uint64_t sitemaps, revisits, unchanged, deleted;
    uint64_t held;          /* URLs that a pause keeps out of the queue */
    uint64_t traps[TRAP_N]; /* URLs lowered */
    uint64_t late_reports;  /* that ended no lease: too late, or repeated */
    /* Transfer slots that frontier.patience leaves idle now, and for how long
     * all of them have been since the store was opened. */
    uint64_t idle_slots, idle_ms;
    uint64_t home_pages;      /* queued, no link leading to them */
    uint64_t links_respelled; /* came in another spelling than the canonical */
};

#endif
