/* warc.h -- records of a WARC (0.17 to 1.1) or ARC (1, 2) file, one by one.
 *
 * Records are read by their stated length.  What cannot be read is skipped,
 * counted by fault and logged with its offset, and reading goes on with the
 * next member or the next line that begins a record.  Of the last one, when the
 * file ends inside its block, what is there is given.  A reader belongs to one
 * thread. */
#ifndef CLEAN_WARC_H
#define CLEAN_WARC_H

#include "inflate_stream.h"

/* Name as in WARC-Type. */
#define WARC_TYPE_TABLE(X)                                                     \
    X(WARCINFO, "warcinfo")                                                    \
    X(RESPONSE, "response")                                                    \
    X(RESOURCE, "resource")                                                    \
    X(REQUEST, "request")                                                      \
    X(METADATA, "metadata")                                                    \
    X(REVISIT, "revisit")                                                      \
    X(CONVERSION, "conversion")                                                \
    X(CONTINUATION, "continuation")                                            \
    X(OTHER, "other")

enum warc_type {
#define X(id, name) WARC_##id,
    WARC_TYPE_TABLE(X)
#undef X
        WARC_TYPE_N
};

/* Why something was skipped, or cut: name in logs and counts, what it means. */
#define WARC_FAULT_TABLE(X)                                                    \
    X(NONE, "none", "nothing is wrong")                                        \
    X(GARBAGE, "garbage", "bytes between records")                             \
    X(VERSION, "version", "not WARC/0.17, 0.18, 1.0 or 1.1")                   \
    X(HEADER, "header", "the record's header is malformed or too long")        \
    X(LENGTH, "length", "its stated length is missing or wrong")               \
    X(TRUNCATED, "truncated", "the record ends too early")                     \
    X(UNFINISHED, "unfinished",                                                \
      "the file ends inside it: what is there of it is read")                  \
    X(DAMAGED, "damaged",                                                      \
      "the compressed data is corrupt, or wants a zstd dictionary that does "  \
      "not stand before it")                                                   \
    X(BOMB, "bomb", "the compressed data expands beyond all bounds")

enum warc_fault {
#define X(id, name, text) WARC_FAULT_##id,
    WARC_FAULT_TABLE(X)
#undef X
        WARC_FAULT_N
};

const char *warc_type_name(enum warc_type t);   /* static */
const char *warc_fault_name(enum warc_fault f); /* static */
const char *warc_fault_text(enum warc_fault f); /* static */

enum warc_format { WARC_FORMAT_NONE, WARC_FORMAT_WARC, WARC_FORMAT_ARC };

/* Which format these first bytes begin. */
enum warc_format warc_sniff(struct str start);

/* A field of our own: lastmod of the page in its site's sitemap, so that who
 * cleans the record dates the page as the crawl did. */
#define WARC_SITEMAP_LASTMOD "Sitemap-Lastmod"

/* Strings are valid until the next call on the reader; unknown ones are
 * empty. */
struct warc_record {
    enum warc_type type;
    struct str url;  /* without angle brackets, otherwise as it stands there */
    struct str date; /* WARC-Date, or ISO 8601 made of ARC's 14 digits */
    struct str ip, id, concurrent_to, content_type, payload_type, truncated;
    struct str sitemap_lastmod; /* WARC_SITEMAP_LASTMOD */
    struct str payload_digest;  /* "sha1:...", as it stands there */
    struct str refers_to;       /* of conversions and revisits */
    struct str refers_to_url, refers_to_date;
    struct str content_languages; /* of conversions */
    struct str block;             /* at most block_max bytes of it */
    uint64_t block_n;             /* its stated length */
    bool cut;         /* block is shorter than that, or marked as truncated */
    bool unfinished;  /* the file ends inside it: WARC_FAULT_UNFINISHED is
                         counted */
    uint64_t segment; /* WARC-Segment-Number, 0: none */

    /* Where it lies in the file, so that it can be read again by itself.  When
     * `decompressed` (it does not begin and end with a compressed member) the
     * numbers count decompressed bytes. */
    uint64_t offset, length;
    bool decompressed;
};

struct warc_counts {
    uint64_t records[WARC_TYPE_N]; /* that were given, by type */
    uint64_t faults[WARC_FAULT_N];
    uint64_t faults_all;
};

struct warc; /* opaque; see clean/archive/warc.c */

/* `in` and `name` (for the log) are borrowed.  Owned by the caller. */
struct warc *warc_new(struct inflate_stream *in, enum warc_format format,
                      const char *name, size_t block_max);
void warc_free(struct warc *w); /* NULL is allowed */

/* The next record of any type, good or unfinished.  ST_NONE: the end; ST_IO:
 * reading failed (reported). */
enum status warc_next(struct warc *w, struct warc_record *r);

const struct warc_counts *warc_counts(const struct warc *w);

/* Records were read, and none that has a page: what has the text of pages (WET)
 * or what is known of them (WAT), as a phrase.  NULL: else. */
const char *warc_instead_of_pages(const struct warc_counts *n);

#endif
