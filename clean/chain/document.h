/* document.h -- a page inside the cleaning chain, and what comes out of it.
 *
 * Everything a document points to lives in its arena (one per page) or in the
 * page's own bytes; both must outlive its use.  A document belongs to one
 * thread. */
#ifndef CLEAN_DOCUMENT_H
#define CLEAN_DOCUMENT_H

#include "base/arena.h"
#include "base/document_id.h"
#include "base/hash.h"
#include "base/link.h"
#include "base/str.h"
#include "base/url/url.h"
#include "base/verdict.h"
#include "block_form.h"
#include "shingle/fingerprint/fingerprint.h"

/* What stands in clean/blocks/block.h: counts gathered by strip for the
 * features. */
struct block_counts;
struct segmenter;

struct block {
    struct str text;      /* UTF-8, entities decoded, white space collapsed;
                             of FORM_CODE as it stands, with \n and \t */
    struct str container; /* tag name of the innermost block element */
    uint32_t chars;       /* code points of text */
    uint32_t tokens;      /* words as counted by the tokens stage */
    float boilerplate;    /* 0 text .. 1 boilerplate; -1 before that stage */
    int32_t duplicate_of; /* index of an equal earlier block, or -1 */
    bool kept;            /* boilerplate <= limit, no duplicate, has words */
    bool counted;         /* are its words among the document's? */
    bool running;         /* running text, and no fragment (tokens stage) */
    bool comment;         /* of a reader (override stage) */
    bool code;            /* of FORM_CODE, or there is a <code> in it */
    struct block_form form;
    const struct block_counts *counts;
};

enum page_kind {
#define PAGE_KIND(id, name) PAGE_KIND_##id,
#include "page_kind.tbl.h"
#undef PAGE_KIND
    PAGE_KINDS_N
};

const char *page_kind_name(int kind); /* "article" ... */

enum meta_field {
#define META_FIELD(id, name) META_##id,
#include "metadata.tbl.h"
#undef META_FIELD
    META_FIELDS_N
};

enum meta_source {
#define META_SOURCE(id, name) META_FROM_##id,
#include "metadata.tbl.h"
#undef META_SOURCE
    META_SOURCES_N
};

const char *meta_field_name(enum meta_field f);   /* "title" ... */
const char *meta_source_name(enum meta_source s); /* "json-ld" ... */

/* Something that may be the value of a field. */
struct meta_candidate {
    enum meta_field field;
    bool chosen;
    uint32_t sources; /* 1 << META_FROM_x: all that say so */
    float confidence; /* 0 .. 1: of title, author and date as the model has it,
                         of others by the rank of the source */
    struct str value;
};

/* The source to name: the first in the table. */
static inline enum meta_source
meta_candidate_source(const struct meta_candidate *c)
{
    return (enum meta_source)__builtin_ctz(c->sources);
}

struct meta {
    struct str title; /* without the site's name */
    struct str description, keywords, canonical;
    struct str author; /* all authors, joined by ", " */
    struct str *authors;
    uint32_t authors_n;
    struct str language;       /* declared: html lang, meta content-language */
    struct str date, modified; /* published, modified: ISO 8601, a day or a
                                  second, with the zone if it is known */
    struct str site;           /* name of the site */
    struct str section, image, licence; /* the last two are URLs */
    struct str type; /* what the page says it is: Article, website ... */
    struct meta_candidate *candidates; /* by field, best first */
    uint32_t candidates_n;
    struct str rights; /* "tdm=n train=n search=y" (clean/metadata/rights.h) */
    struct str rights_signals; /* who said so, as it stands */
    struct str robots;  /* content of meta robots, all joined by commas */
    struct str english; /* British, American (if asked for), or "" */
    struct str country, region, city; /* of the server, with clean.geo */
    bool noindex, nofollow;           /* for us or for all, with X-Robots-Tag */
};

struct token_type {
    struct str text; /* upper case */
    uint64_t hash;   /* hash64() of text */
    uint32_t count;
};

/* Where its HTML stands in a TARC file (clean/write/tarc.h), in bytes of the
 * decompressed file.  No header: the page had no markup. */
struct tarc_place {
    struct str file;
    uint64_t header_offset, header_length, body_offset, body_length;
};

/* Where a page comes from, as far as is known. */
struct origin {
    struct str ip;                 /* of the server */
    struct str last_modified;      /* that header */
    uint64_t sitemap_ms;           /* lastmod of its site's sitemap; 0: none */
    struct str headers;            /* of HTTP, all lines as they are; or "" */
    struct str file;               /* archive it was read from, ... */
    uint64_t offset, length;       /* ... and its record there, in bytes */
    bool decompressed;             /* ... of the decompressed file */
    bool cut;                      /* the page goes on after `bytes` */
    uint64_t fetched_ms;           /* since the Unix epoch; 0: unknown */
    const struct tarc_place *tarc; /* NULL: not known */
};

/* What makes a document bad, 0 .. 50 each (clean/language/assess.h). */
struct badness_parts {
    double words;   /* common words too rare: the published badness */
    double order;   /* words in no order */
    double foreign; /* another language's words */
};

#define LANGUAGE_SHARES_MAX 4u

struct language_share {
    struct str language;
    float share; /* of the words whose language can be told */
};

/* One of a kept block, in the order of the text. */
struct document_sentence {
    struct hash128 key;
    uint32_t block;
    struct str text;    /* with the blanks behind it */
    bool counts, known; /* long enough; a document before had it */
};

struct document {
    struct arena *arena;

    /* In: set by the caller. */
    struct document_id id; /* "": cleaner_run() makes it of URL and bytes */
    struct origin origin;
    struct str url_text;     /* absolute URL, or "" */
    struct url url;          /* parsed url_text, when at hand; else the chain
                                parses it.  href empty if there is none */
    struct str bytes;        /* the body, content-decoded */
    struct str content_type; /* Content-Type header, or "" */
    struct str x_robots_tag; /* X-Robots-Tag headers, a line each */
    struct str robots_agent; /* our product token, for meta robots */
    struct str site_rights;  /* lines of robots.txt about use; or "" */
    struct str site_tdmrep;  /* ... of tdmrep.json, for this page; or "" */
    uint64_t link_bytes_max; /* longer links are dropped; 0: by clean.links */
    bool only_kept;          /* nothing is asked of it once it is rejected */
    bool list_sentences;     /* also if clean.known_sentences is off */

    /* charset */
    struct str charset;       /* WHATWG name, "UTF-8" ... */
    const char *charset_from; /* bom, http, meta, utf8, guess */
    bool charset_damaged;     /* not all bytes could be decoded: U+FFFD */
    struct str utf8;          /* valid UTF-8 */
    bool xml;                 /* XHTML, read by the rules of XML */

    /* strip, metadata */
    const char *doctype; /* HTML5, HTML4, XHTML, UNKNOWN */
    struct url base;     /* <base href> or url */
    struct meta meta;
    struct str canonical_other; /* another page of its site, which it names as
                                   the canonical one; or "" */
    struct block *blocks;
    uint32_t blocks_n;
    const struct page_part *parts; /* by id, from 1 */
    uint32_t parts_n;              /* the largest id */
    struct link *links;
    uint32_t links_n;
    struct link *alternates; /* this page in other languages, by its head
                                (<link rel=alternate hreflang>), where no link
                                leads: url and language */
    uint32_t alternates_n;
    uint32_t links_dropped;          /* over the bound or unparsable */
    struct page_counts *page_counts; /* clean/blocks/block.h */

    /* boilerplate */
    uint32_t kept_blocks_n;
    uint32_t kept_chars, all_chars;
    double boilerplate_mean;       /* by characters over all blocks */
    float page_kind[PAGE_KINDS_N]; /* share of each; all 0: not estimated */

    /* tokens (of kept blocks) */
    const struct segmenter *segmenter; /* clean/text/segment.h; NULL: no
                                          dictionary; the cleaner's */
    uint64_t *token_hashes;            /* in text order */
    uint32_t *token_types;             /* the same as indices into types */
    uint32_t tokens_n;
    struct token_type *types;
    uint32_t types_n;

    /* badness */
    double badness; /* for the best target language; higher is worse */
    struct badness_parts badness_parts; /* what it is the worst of */
    struct str language;                /* that language's code */
    double badness_best;                /* lowest over every profile ... */
    struct str language_best;           /* ... and its code */
    struct language_share languages[LANGUAGE_SHARES_MAX]; /* largest first */
    uint32_t languages_n;

    /* sentences, if somebody is to know them */
    struct document_sentence *sentences;
    size_t sentences_n;

    /* shingles */
    struct fingerprint fingerprint;
    struct signature signature; /* beside it */
    struct hash128 digest;      /* of the clean text: exact duplicates */

    enum verdict reject;      /* first reason met, VERDICT_NONE if kept */
    struct str reject_detail; /* what was not met, its value and limit; or "" */
};

/* Append the kept blocks to `out`, one per line, each line ended by \n; the
 * cells of a row (block_form.h) share a line, a TAB between two columns. */
struct buf;
void document_text(const struct document *d, struct buf *out);

/* The numbers of its lines (from 0) that are headings, with blanks between; and
 * of those that are of readers' comments. */
void document_headings(const struct document *d, struct buf *out);
void document_comments(const struct document *d, struct buf *out);

/* How many bytes that is. */
size_t document_text_bytes(const struct document *d);

/* The value of the first HTTP header of that name, "" when there is none. */
struct str document_header(const struct document *d, struct str name);

#endif
