/* warc_compose.h -- the WARC 1.1 records of one capture in memory, each packed
 * as a gzip member or zstd frame of its own: what warc_write_add() puts into a
 * file as a whole.
 *
 * This is where the time goes (digests, compression), so it needs no lock: each
 * thread has a composer of its own. */
#ifndef CLEAN_WARC_COMPOSE_H
#define CLEAN_WARC_COMPOSE_H

#include "base/status.h"
#include "base/warc/warc_record.h"

/* An earlier capture with the same payload, or (after "304 Not Modified") of
 * the same URL. */
struct warc_earlier {
    struct str url;
    uint64_t date_ms; /* 0: not known */
    struct document_id id;
};

/* One request and its answer. */
struct warc_exchange {
    struct document_id id; /* of the response record; "": a random one */
    struct str url, ip;
    uint64_t date_ms;
    uint64_t sitemap_ms;      /* see WARC_SITEMAP_LASTMOD; 0: none */
    struct str request;       /* as sent; empty: not recorded */
    struct str response_head; /* status line to empty line */
    struct str response_body; /* as the head describes it */
    struct str payload_type;  /* found by looking at the bytes; may be empty */
    struct str protocol[2];   /* "http/1.1", "tls/1.3"; "": none */
    struct str cipher;        /* TLS cipher suite by its IANA name, or "" */
    const char *truncated;    /* "length", "time"; NULL: it is whole */
    unsigned status;          /* of HTTP, for the index; 0: none */
    const struct warc_earlier *same; /* NULL: a response; else a revisit, of
                                        the header only */
    const char *digest; /* of the body, digest_sha1(); NULL: to be made */
};

/* Another record about a capture. */
struct warc_extra {
    const char *type;         /* "metadata", "conversion" */
    struct document_id about; /* the response */
    struct str url;
    uint64_t date_ms;
    const char *content_type;
    struct str language; /* of a conversion; may be empty */
    struct str block;
};

struct warc_composer; /* opaque; belongs to one thread at a time */

/* seed: of record ids, different for every composer and run.  NULL: out of
 * memory. */
struct warc_composer *warc_composer_new(uint64_t seed, bool digests);
void warc_composer_free(struct warc_composer *c); /* NULL is allowed */

/* Forget what was composed. */
void warc_compose_begin(struct warc_composer *c);

/* Append a response (or a revisit) and its request; at most one for each
 * warc_compose_begin(), and four records in all. */
void warc_compose_exchange(struct warc_composer *c,
                           const struct warc_exchange *x);
/* Append such a record. */
void warc_compose_extra(struct warc_composer *c, const struct warc_extra *x);
/* Append the warcinfo record of a file. */
void warc_compose_info(struct warc_composer *c, uint64_t now_ms,
                       const char *file, struct str software, struct str more);

/* How the records of a file are packed. */
enum warc_form { WARC_GZIP, WARC_ZSTD };
struct warc_packing {
    enum warc_form form;
    const struct zstd_dictionary *dictionary; /* of WARC_ZSTD; NULL: none */
};

/* Pack what was composed; nothing to do if it is packed like that.  ST_NOMEM.
 */
enum status warc_compose_pack(struct warc_composer *c,
                              struct warc_packing packing);

/* What was composed: record i as text, "" if there are no more; all of it
 * packed.  Valid until the next call. */
struct str warc_composed_text(const struct warc_composer *c, size_t i);
struct str warc_composed(const struct warc_composer *c);
/* Where the response is in what was packed, and its line of CDXJ without its
 * place.  False: there is none. */
bool warc_composed_capture(const struct warc_composer *c, size_t *at, size_t *n,
                           struct str *line);

#endif
