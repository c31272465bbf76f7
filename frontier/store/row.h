/* row.h -- the rows of the frontier's tables: keys and values as bytes.
 *
 *  seen    hash64(authority) | hash64(url)        -> where a URL is, or how it
 *                                                    ended and why
 *  queue   be32 host | URL class | be16 65535-priority | be40 sequence
 *                                                 -> URL and its score's parts
 *  later   be64 not before | queue key            -> as in queue
 *  held    queue key                              -> as in queue
 *  unreported  queue key                          -> as in queue
 *  hosts   be32 host                              -> name, clock, robots,
 *                                                    URL classes, counts
 *  leases  be32 host                              -> what of it is out
 *          be32 host | be40 sequence              -> ... of what is unreported
 *  names   hash64(authority)                      -> be32 host
 *  robots  be32 host                              -> body of robots.txt
 *  addresses hash64(address)                      -> be64 not before
 *  due     be64 not before | seen key             -> nothing
 *  meta    magic, schema, counters, scorer, keys, links
 *
 * Keys sort like memcmp: a page's links to one host are neighbours in `seen`,
 * the best URL of a host's URL class is the first of its rows in `queue`
 * (highest priority, then oldest).  The queue keeps of a URL only what follows
 * the authority.  Numbers in values are variable-length; a short or garbled
 * value is ST_STORE for the caller (false here), never a fault. */
#ifndef FRONTIER_ROW_H
#define FRONTIER_ROW_H

#include "base/buf.h"
#include "frontier/features/frontier_types.h"
#include "frontier/features/link_features.h"
#include "url_class.h"

#define ROW_PRIORITY_MAX 65534u    /* of a page; 0: none */
#define ROW_PRIORITY_ROBOTS 65535u /* robots.txt asked for by another host */
/* Of the priority of http://x when https://x is known, and the reverse; so it
 * has ROW_PRIORITY_DEFERRED at most. */
#define ROW_TWIN_PART 64u
#define ROW_PRIORITY_DEFERRED (1 + ROW_PRIORITY_MAX / ROW_TWIN_PART)
#define ROW_SEQUENCE_MAX (((uint64_t)1 << 40) - 1)
#define ROW_AUTHORITY_MAX 300u
#define ROW_ATTEMPTS_MAX ((1u << 24) - 1)
#define ROW_CRASHES_MAX 255u

enum row_state {
    ROW_QUEUED = 1,
    ROW_LATER,
    ROW_DONE,
    ROW_FAILED,
    ROW_REFUSED,
    ROW_HELD,      /* an operator's pause keeps it out of the queue */
    ROW_UNREPORTED /* it was fetched; what it is will be told (unreported.c) */
};

const char *row_state_name(enum row_state s);

static inline bool
row_has_ended(enum row_state s)
{
    return s >= ROW_DONE && s <= ROW_REFUSED;
}

/* A canonical URL (url_canonical()) taken apart; points into it.  False: not
 * http(s)://authority/..., or with a user's name. */
struct row_url {
    struct str authority, rest; /* rest starts behind the authority */
    bool https;
};
bool row_url_split(struct row_url *out, struct str url);

/* ---- keys ---- */
struct row_seen_key {
    unsigned char bytes[16];
};
/* Which URLs are one page.  A store keeps to the rule with which it began: of a
 * URL that has ended it knows the key alone. */
enum row_keys {
    ROW_KEYS_SESSIONS, /* those that differ in sessions and marks */
    ROW_KEYS_FORMS,    /* and those that differ in the tokens of forms */
    ROW_KEYS_N
};
#define ROW_KEYS_NEW ROW_KEYS_FORMS /* of a new store */
struct row_seen_key row_seen_key(enum row_keys keys, struct str authority,
                                 struct str url);

struct row_position { /* in the queue */
    uint32_t host;
    uint8_t url_class;
    uint16_t priority;
    uint64_t sequence;
};

struct row_key { /* any other key */
    unsigned char bytes[24];
    size_t n;
};
struct row_key row_queue_key(struct row_position position);
/* Where the rows of a URL class begin. */
struct row_key row_queue_url_class(uint32_t host, size_t url_class);
struct row_key row_later_key(uint64_t due_ms, struct row_position position);
struct row_key row_host_key(uint32_t host);
struct row_key row_unreported_key(struct row_position position); /* leases */
struct row_key row_name_key(struct str authority);
struct row_key row_address_key(uint64_t address);
struct row_key row_due_key(uint64_t due_ms, struct row_seen_key page);
bool row_due_page(uint64_t *due_ms, struct row_seen_key *page, struct str key);
bool row_is_host_key(struct str key);
bool row_queue_position(struct row_position *out, struct str key);
bool row_later_position(struct row_position *out, uint64_t *due_ms,
                        struct str key);
uint32_t row_be32(struct str bytes); /* 0 if too short */

static inline struct str
row_bytes(const struct row_key *k)
{
    return str_n((const char *)k->bytes, k->n);
}

static inline struct str
row_seen_bytes(const struct row_seen_key *k)
{
    return str_n((const char *)k->bytes, sizeof k->bytes);
}

/* ---- values ---- */

/* Of a hash64, as much as tells the pages of a host apart: its first bytes,
 * which are those of the page's key in `seen`. */
#define ROW_PARENT_BYTES 5u
static inline uint64_t
row_parent_hash(uint64_t hash)
{
    return hash >> 8 * (8 - ROW_PARENT_BYTES);
}

/* The parts of a score and where the link was found. */
struct row_facts {
    uint32_t depth, redirects, relation;
    uint32_t nesting;           /* sitemap indices above a sitemap */
    float badness, boilerplate; /* kept to 1/100 and 1/10000 */
    bool has_badness, seed;
    bool explored; /* of an ended one: fetched by chance, not for its score */
    bool sitemap;  /* a sitemap lists it: */
    uint64_t lastmod_ms; /* when it changed, to the second; 0: not said */
    bool has_hint;
    float hint; /* its priority there, to 1/100 */
    enum link_parent parent;
    uint32_t parent_host; /* 0: none (a seed) */
    uint64_t parent_hash; /* row_parent_hash() of the linking page's URL */
    struct link_features features; /* of queued ones only */
};

struct row_parent {         /* where links were found */
    struct row_facts facts; /* of the links to come: depth, badness ... */
    uint16_t priority;      /* fixed; 0: let the scorer decide */
    uint32_t owner;         /* of a sitemap that lists them; 0: none does */
    bool home; /* of a home page in place of one that is gone: as a link */
};

struct row_link_counts { /* what came of them */
    size_t fresh, known, refused;
    size_t own, own_fresh; /* of those, links to the page's own host */
};

struct row_queued {
    struct row_facts facts;
    enum frontier_kind kind;
    bool https;
    uint32_t attempts;
    uint32_t crashes; /* of crawlers that had it: suspect.c */
    uint32_t
        owner; /* host id, 0: a page: whose robots.txt it is, or names it */
    struct str rest;
};
struct str row_queued_url(const struct row_queued *q, struct str authority,
                          struct arena *a);
size_t row_priority_class(uint16_t priority); /* 0: highest */
void row_queued_write(struct buf *out, const struct row_queued *q);
bool row_queued_read(struct row_queued *q, struct str bytes);

struct row_seen {
    enum row_state state;
    struct row_position position; /* its row; ended: priority only */
    uint64_t due_ms;              /* later */
    struct row_facts facts;       /* ended */
    enum frontier_outcome outcome;
    uint64_t ended_ms;
    float badness; /* of the page itself */
    bool has_badness;
    enum verdict verdict;
};
struct unpack;
/* False: it is none. */
bool row_verdict_read(struct unpack *u, enum verdict *out);
void row_seen_write(struct buf *out, const struct row_seen *s);
bool row_seen_read(struct row_seen *s, struct str bytes);

/* A page, or a sitemap, that is fetched again. */
struct row_revisit {
    uint32_t times; /* it was fetched; or the number of its next visit, which
                       no other had */
    uint32_t owner; /* as row_queued.owner */
    uint64_t due_ms, interval_ms, digest;
    enum verdict verdict; /* of then */
    struct str etag, last_modified, url;
};

struct row_lease { /* what of a host is out; one at a time */
    bool out;
    enum frontier_kind kind;
    bool explored; /* chosen by chance */
    uint64_t crawler, call, started_ms, deadline_ms, url_hash;
    struct row_position
        position; /* sequence 0: not from the queue (own robots), or
               not there any more (a late report ended it) */
    uint32_t owner;
};

struct row_host {
    struct str name, domain;
    uint64_t next_contact_ms;
    uint64_t address;      /* hash of its server's; politeness.c */
    uint32_t response_ms;  /* how long the last response took */
    uint64_t sitemap_urls; /* that its sitemaps have added */
    uint32_t failures;     /* in a row */
    uint8_t growth; /* pages in a row that led to new URLs only; growth.c */
    struct {
        uint64_t version, fetched_ms, expiry_ms, retry_ms;
        uint32_t status, unreachable, crawl_delay_ms;
        bool pending; /* a redirect of it is in another queue */
        bool tdmrep;  /* it is known, and tdmrep.json is asked for next */
    } robots;
    uint64_t fetched, fetched_bytes, kept_bytes;
    struct url_classes url_classes;
    struct row_lease lease; /* in a table of its own */
    /* Not stored: sums over the URL classes. */
    uint64_t queued;
    struct outcome_counts outcomes;
};
/* Is that queued URL what is out of the host? */
static inline bool
row_is_out(const struct row_host *h, struct row_position position)
{
    return h->lease.out && h->lease.position.sequence == position.sequence;
}

/* What it is counted as: its own name, if it has no domain. */
struct str row_host_domain(const struct row_host *h);
void row_host_write(struct buf *out, const struct row_host *h);
/* Borrows the names from the bytes and puts the URL classes into
 * room[URL_CLASSES_MAX].
 */
bool row_host_read(struct row_host *h, struct str bytes,
                   struct url_class *room);
void row_lease_write(struct buf *out, const struct row_lease *l);
bool row_lease_read(struct row_lease *l, struct str bytes);

struct row_counters {
    struct frontier_totals totals;
    uint64_t sequence; /* the last one given */
    uint32_t host;     /* the last id given */
};
void row_counters_write(struct buf *out, const struct row_counters *c);
bool row_counters_read(struct row_counters *c, struct str bytes);

#endif
