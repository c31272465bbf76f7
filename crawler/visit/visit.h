/* visit.h -- one leased URL on its way from lease to outcome.
 *
 * The lease thread makes it, the loop fetches for it, a worker reports it and
 * gives it back; it belongs to whoever holds it, never to two threads. */
#ifndef CRAWLER_VISIT_H
#define CRAWLER_VISIT_H

#include "base/arena.h"
#include "base/document_id.h"
#include "base/url/url.h"
#include "base/verdict.h"
#include "base/warc/digest.h"
#include "clean/convert/converter.h"
#include "crawler/fetch/dns.h"
#include "crawler/fetch/fetch.h"
#include "frontier/service/frontier_client.h"

/* Which of its two transfers; 0: that is open. */
enum { VISIT_FIRST = 1, VISIT_SECOND };

struct visit {
    struct arena *arena; /* holds the strings of lease and url */
    struct frontier_lease lease;
    struct url url;
    struct crawl *crawl;

    struct str cookies;   /* of the redirects that led here (cookies.h) ... */
    unsigned cookie_hops; /* ... so many; 0: none came */

    /* The loop's. */
    const char *wire; /* the URL as it is sent */
    struct sockaddr_storage address[DNS_ADDRESSES_MAX]; /* checked */
    size_t addresses_n, address_i;
    bool proxied;                  /* it goes through fetch.proxy ... */
    bool by_name;                  /* ... which looks the name up by itself */
    size_t tried;                  /* the last address that was tried */
    struct transfer *transfer;     /* NULL: none under way */
    struct {                       /* a second one, to address[i] */
        struct transfer *transfer; /* NULL: none */
        struct fetch_reply reply;
        size_t i;
    } race;
    uint64_t connect_ms;         /* when the first of them began */
    unsigned sender;             /* which of them may send */
    struct visit *later, **back; /* slots.c: those that began after it */
    uint64_t started_ms;         /* steady clock */
    bool slow;                   /* it goes on without a slot */
    /* Of those that have ended well and the frontier may hear of (ended.c). */
    struct visit *ended_next, **ended_back; /* back NULL: it is none */

    enum verdict fault;
    bool contacted;        /* something was sent to an address, or tried */
    uint64_t finished_ms;  /* wall clock, for people */
    struct document_id id; /* of what was fetched, for a worker to make */
    char payload[DIGEST_TEXT_N]; /* of its body, for the WARC files; or "" */
    uint64_t ended_ms;           /* steady clock, for the frontier */
    struct fetch_reply reply;

    /* Of a document that is no HTML (converting.c): what it is, the page made
     * of it, and whether that could be made. */
    enum convert_kind kind; /* NONE: a page */
    struct buf html;
    struct converted converted;
};

/* Copies the lease.  VERDICT_BAD_URL is set when its URL cannot be parsed. */
struct visit *visit_new(const struct frontier_lease *lease);
void visit_free(struct visit *v); /* NULL is allowed */

/* The transfer that may bring the answer: who sends, else the one that began
 * first; NULL: none is under way. */
struct transfer *visit_transfer(const struct visit *v);

/* The address contacted last, or to be contacted first, as text without port;
 * "" if none is known. */
void visit_address(const struct visit *v, char out[64]);

#endif
