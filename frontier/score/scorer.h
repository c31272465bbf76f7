/* scorer.h -- how an outlink becomes a priority: a table of scorers.
 *
 * A score estimates the probability that the page behind the link will be
 * kept, 0..1.  It prioritises and never discards.  It has two parts: what the
 * link says is decided when it is queued; what its host and URL class have
 * yielded by then counts when it is chosen.  badness and block follow "Focused
 * Web Corpus Crawling" (Schaefer, Barbaresi & Bildhauer, WAC-9 2014): text
 * quality of the linking page, boilerplate value of the linking block. */
#ifndef FRONTIER_SCORER_H
#define FRONTIER_SCORER_H

#include "base/options/scorer.tbl.h"
#include "base/random.h"
#include "base/status.h"
#include "base/str.h"
#include "frontier/features/link_features.h"
#include "frontier/features/url_language.h"
#include "frontier/store/outcome_class.h"
#include "frontier/store/row.h"
#include "link_rot.h"
#include "siblings.h"

struct link_signals {
    float badness; /* of the linking document */
    bool has_badness;
    enum link_parent parent;
    bool seed;            /* given by the operator: no linking document */
    float boilerplate;    /* of the enclosing block, 0 text .. 1 boilerplate */
    uint32_t depth;       /* of the target */
    uint32_t relation;    /* enum link_relation */
    uint32_t parent_host; /* id; 0: a seed */
    bool listed, dated;   /* in a sitemap, with a date: no linking document */
    uint64_t parent_page; /* row_parent_hash() of the linking page's URL */
    size_t links_n;       /* on the linking page; 0: not known any more */
    struct link_features features;
    struct sibling_counts siblings;
    struct str host, rest; /* of the URL: its authority, what follows that */
};

struct scorer_host {
    struct str name, domain; /* the authority, the registered domain */
    const struct outcome_counts *outcomes;
};

/* What has come of the pages of a URL's URL class and host so far. */
struct scorer_yields {
    const struct outcome_counts *url_class, *host;
    uint64_t bad_wasted; /* of the host: in URL classes that are nothing else */
    double host_score;   /* what the scorer's `host` said */
    struct link_rot_host link_rot;
    uint64_t url_class_queued;
    uint64_t queued; /* of the host; as good as any while it is unknown */
};

/* A page that has ended: what was known of it when it was fetched, and how. */
struct scorer_lesson {
    struct link_signals link;
    struct scorer_host host;
    struct scorer_yields yields;
    uint32_t parent_host; /* of the linking page; 0: none, or a sitemap */
    uint64_t parent_hash;
    enum outcome_class class;
};

struct scorer_tools { /* what some scorers need */
    struct random *random;
    void *state; /* of this one: made by its `open` */
};

struct opts;
struct url_store;
struct buf;

/* What alone may be handed out now. */
struct scorer_next {
    enum {
        NEXT_URL,    /* the URL at this position */
        NEXT_LATER,  /* nothing yet: ask again */
        NEXT_NOTHING /* nothing any more */
    } kind;
    struct row_position position;
    bool queued; /* it is in the queue; else waits or is out */
};

struct frontier_done;

struct scorer {
    const char *name, *help;
    /* Of the link alone, when it is queued: the order within a URL class. */
    double (*score)(const struct link_signals *s, const struct scorer_tools *t);
    /* Of a host now, for `now`; NULL: 0. */
    double (*host)(const struct scorer_host *h, const struct scorer_tools *t);
    /* With what the best link of a URL class competes now, not falling with
     * `link`, its score (of learned: among links that are as likely there);
     * NULL: with its score. */
    double (*now)(double link, const struct scorer_yields *y,
                  const struct scorer_tools *t);
    /* What it predicts then, where that is not what it competes with; NULL:
       the same. */
    double (*chance)(double link, const struct scorer_yields *y,
                     const struct scorer_tools *t);
    /* ---- a scorer with a state; else NULL ---- */
    /* ST_USAGE: its options cannot be used (reported). *state is to be closed
     * either way. */
    enum status (*open)(void **state, const struct opts *o);
    void (*close)(void *state); /* NULL is allowed */
    enum url_language (*language)(const void *state, struct str code);
    struct sibling_counts (*siblings)(const void *state, uint32_t host,
                                      uint64_t page);
    /* A page has ended, before that is counted.  `said`: the lesson as text is
     * added there (NULL: nowhere). */
    void (*learn)(void *state, const struct scorer_lesson *n, struct buf *said);
    /* Inside a transaction: from the store; what has changed into it; back to
     * what it has.  `saved`: what was written is durable now. */
    enum status (*load)(void *state, struct url_store *db);
    enum status (*save)(void *state, struct url_store *db);
    void (*saved)(void *state);
    enum status (*rollback)(void *state, struct url_store *db);
    /* For people: what it makes of a queued URL, how reliable it has been. */
    void (*explain)(const void *state, const struct scorer_lesson *n,
                    struct buf *out);
    void (*reliability)(const void *state, struct buf *out);

    /* ---- one that says itself what is next; else NULL ---- */
    /* Inside a transaction: the operator gave a URL; a page's report was taken,
     * and its links are in; which URL may be leased; all of it as lines. */
    enum status (*seeded)(void *state, struct url_store *db, struct str url);
    enum status (*ended)(void *state, struct url_store *db,
                         const struct frontier_done *d);
    enum status (*next)(void *state, struct url_store *db,
                        struct scorer_next *n);
    enum status (*print)(const void *state, struct url_store *db,
                         struct buf *out);

    bool fresh;  /* what it says of a link changes: look again before leasing */
    bool listed; /* it judges what stands in a sitemap, too; else what its host
                    has yielded decides */
    bool once;   /* a URL found again keeps its first score */
    bool defer;  /* what is likely a wasted fetch goes behind the rest: pages of
                    hosts that are gone, the https twin of a known http page */
};

#define SCORER(name, way) extern const struct scorer scorer_##name;
FRONTIER_SCORERS(SCORER, SCORER)
#undef SCORER
extern const struct scorer *const scorer_table[];  /* ended by NULL */
const struct scorer *scorer_find(struct str name); /* NULL: unknown */

/* A score as a priority, 1..65534 (0 is none), and back. */
uint16_t scorer_priority(double score);
double scorer_score(uint16_t priority);

/* Hardly anything but wasted fetches: they are no sign against the host. */
bool scorer_bad_url_class(const struct outcome_counts *url_class);

#endif
