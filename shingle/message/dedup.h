/* dedup.h -- documents, shipped to the dedup service and answered with a
 * verdict; dedup_service.h is that service.
 *
 * Idempotent: a visit comes to one document.  A visit is a URL and a number
 * that no other visit to it has (`revisit`); put again, by a client that got no
 * answer or with what was fetched anew after a crash, it is answered with its
 * first verdict and the id of the document that is stored, and nothing is
 * written.  A verdict is only sent when the document is durable (see dedup.sync
 * for power loss; a killed process never loses any). */
#ifndef SHINGLE_DEDUP_H
#define SHINGLE_DEDUP_H

#include <stdatomic.h>

#include "base/buf.h"
#include "base/document_id.h"
#include "base/hash.h"
#include "base/options/opt.h"
#include "base/status.h"
#include "base/verdict.h"
#include "shingle/fingerprint/fingerprint.h"

struct dedup_stat {
    uint64_t documents, exact_duplicates, near_duplicates, rejected;
    uint64_t text_bytes;    /* of kept documents */
    uint64_t index_entries; /* visits with a verdict */
    uint64_t bands_full;    /* near-duplicate bands that met their bound */
    uint64_t replaced;      /* of the kept ones, by longer ones later */
    uint64_t forgotten;     /* see forget.h; in no other count of documents */
};

/* X(member): every count of dedup_stat, in the order they are stored and shown.
 */
#define DEDUP_COUNTS(X)                                                        \
    X(documents)                                                               \
    X(exact_duplicates)                                                        \
    X(near_duplicates)                                                         \
    X(rejected)                                                                \
    X(text_bytes)                                                              \
    X(index_entries)                                                           \
    X(bands_full)                                                              \
    X(replaced)                                                                \
    X(forgotten)

/* One document in one corpus format (see clean/write/writer.h). */
struct dedup_record {
    struct str suffix; /* file name ending: a-z and 0-9, at most 8 */
    struct str bytes;
};

struct dedup_document {
    struct document_id id;
    struct str url;
    uint32_t revisit;                      /* 0: the URL's first visit */
    struct hash128 digest;                 /* of the clean text */
    const struct fingerprint *fingerprint; /* NULL: none */
    const struct signature *signature; /* NULL: none; beside a fingerprint */
    struct str scheme; /* fingerprint_scheme_text(); "": as before there were
                          others, onepermutation/100/5/0 */
    uint64_t text_bytes;
    enum verdict reject; /* of cleaning; VERDICT_NONE: kept so far */
    const struct dedup_record *records;
    size_t records_n;          /* at most DEDUP_RECORDS_MAX */
    const uint64_t *sentences; /* hashes of the text's, with known ones */
    size_t sentences_n;        /* at most DEDUP_SENTENCES_MAX */
    bool names_another;        /* page of its site as the canonical one */
};

#define DEDUP_RECORDS_MAX OUTPUT_FORMATS_N /* one of each */
#define DEDUP_SENTENCES_MAX 100000

struct dedup_answer {
    enum verdict verdict;  /* KEPT, EXACT_ or NEAR_DUPLICATE, REJECTED */
    struct document_id id; /* the one it is stored under, from its first put */
    struct document_id of; /* of the kept document it duplicates, or "" */
    double estimate;       /* of a duplicate's resemblance with that */
    enum status status;    /* ST_OK; else the document was not stored, as of
                              dedup_client_put() */
};

/* What a crawler's documents are made by. */
struct dedup_job {
    struct str facts;      /* lines NAME = VALUE: what decides on the corpus */
    struct str provenance; /* all of it as JSON, for readers */
    bool change;           /* take it though it differs */
    bool own; /* the service is the crawler's own, in its process */
};

/* ---- the client ---- */
struct dedup_client; /* opaque; thread-safe, calls run in parallel */

/* Connects to dedup.url in the background; the texts of tls.* must live as
 * long.  ST_USAGE: that is no address (reported); ST_NOMEM.  The caller owns
 * *out. */
enum status dedup_client_open(struct dedup_client **out, const struct opts *o);
void dedup_client_close(struct dedup_client *c); /* NULL is allowed */

/* Ship one document; wait for the ack.  Tries again for ever while the service
 * is absent, slow, its disk is full or its store fails (saying so, once and
 * then every minute) until soon after *stop becomes true, then ST_STOPPED: the
 * document is not acked.  ST_INVALID: the service refuses this document
 * (reported, once): it is not stored, and only an operator can change that.
 * ST_LIMIT: it is larger than ENDPOINT_MESSAGE_MAX. */
enum status dedup_client_put(struct dedup_client *c,
                             const struct dedup_document *doc,
                             const atomic_bool *stop, struct dedup_answer *out);

/* The same for n documents, which travel DEDUP_PUT_MAX to a message, all under
 * way at once, and share its ack: what a crawler has waiting goes at once.
 * out[i] answers docs[i]. ST_INVALID, ST_LIMIT: what out[i].status says of at
 * least one document; all others are stored.  ST_STOPPED: some may be stored,
 * none is answered. */
enum status dedup_client_put_many(struct dedup_client *c,
                                  const struct dedup_document *docs, size_t n,
                                  const atomic_bool *stop,
                                  struct dedup_answer *out);

/* Documents in a message; and their bytes, about. */
enum { DEDUP_PUT_MAX = 128, DEDUP_PUT_BYTES = 8 << 20 };

struct dedup_job_answer {   /* texts in the caller's arena */
    struct str differences; /* how the corpus's own job differs, a line each;
                               then the service has not taken this one */
    struct str decides;     /* dedup_decides.h; "": an older version */
};

/* Say of which job the documents will be, before the first; waits as put does.
 * ST_NONE: the service is of a version that does not ask. */
enum status dedup_client_job(struct dedup_client *c,
                             const struct dedup_job *job,
                             const atomic_bool *stop, struct arena *a,
                             struct dedup_job_answer *out);

/* Which of a document's sentences do kept documents have?  known[i] answers
 * doc->sentences[i]; of the document nothing else counts but its visit.  A
 * visit that has its verdict has no known ones: its document is what was put
 * first.  Waits as put does; errors as of dedup_client_put(). */
enum status dedup_client_known(struct dedup_client *c,
                               const struct dedup_document *doc,
                               const atomic_bool *stop, bool *known);

/* Ask a running service once; ST_TIMEOUT: it does not answer in time
 * (reported). */
enum status dedup_client_stat(struct dedup_client *c, struct dedup_stat *out,
                              uint64_t timeout_ms);

#endif
