/* clean.h -- libwinnow: the cleaning chain of Winnow as a library.
 *
 *     struct winnow_cleaner *cleaner;
 *     struct winnow_page *page;
 *     char error[512];
 *
 *     winnow_cleaner_open(&cleaner, NULL, error, sizeof error);
 *     winnow_clean(cleaner, bytes, n, url, NULL, NULL, &page);
 *     puts(winnow_page_text(page, NULL));
 *     winnow_page_free(page);
 *     winnow_cleaner_close(cleaner);
 *
 * Bytes of a web page in any character set go in; out come its blocks with
 * their boilerplate values, the clean text, links, language, badness, and the
 * reason why a corpus would not keep it.
 *
 * Ownership: the caller owns cleaners and pages, and frees them.  Everything a
 * page gives out (strings, structs) lives in the page until winnow_page_free();
 * the bytes that went in may be freed at once.  A page does not need its
 * cleaner any more, except for winnow_page_record().
 * Strings are UTF-8 and end in NUL; none is NULL: what is not known is "".
 * Threads: a cleaner is read-only after opening; any number of threads may
 * share it.  A page belongs to one thread at a time.  There is no global state;
 * nothing is written to standard output or standard error, and nothing ends the
 * process: where memory runs out the status is WINNOW_NOMEM.
 * Compatibility: structs are given out by pointer and grow only at their end.
 * A reader belongs to one thread at a time.
 * Input is never a fault: whatever the bytes are, there is a page.  One that
 * takes more than clean.memory_mib to clean is a page with nothing in it whose
 * reject is "memory". */
#ifndef WINNOW_CLEAN_H
#define WINNOW_CLEAN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum winnow_status {
    WINNOW_OK = 0,
    WINNOW_USAGE = 1,   /* an option is wrong */
    WINNOW_DATA = 2,    /* a network or profile cannot be read */
    WINNOW_NOMEM = 3,   /* out of memory */
    WINNOW_FAULT = 4,   /* a fault of this library */
    WINNOW_UNKNOWN = 5, /* no such format */
    WINNOW_END = 6,     /* there is no more */
    WINNOW_LONG = 7     /* a page of more than 2^31 - 1 bytes */
};

struct winnow_cleaner; /* loaded models and options */
struct winnow_page;    /* a page that was cleaned */
struct winnow_reader;  /* an archive or a file that is being read */

/* "0.2.0"; static. */
const char *winnow_version(void);

/* What a status means, a phrase; static, of any number. */
const char *winnow_status_text(int status);

/* Load the models: some 10 ms and 10 MB.
 * options: strings "section.key=value", ended by NULL, as `winnow config list`
 * shows them (sections clean, output, dedup); NULL: all presets.  The
 * environment variable WINNOW_DATA_DIR, and nothing else of the environment,
 * is read: the folder with networks and profiles, when it is not the installed
 * one.
 * error (may be NULL when error_size is 0): on failure receives what is wrong,
 * a line for each fault, cut at error_size and ended by NUL; else "".
 * On failure *out is NULL, and nothing is left of what was loaded.
 * WINNOW_USAGE, WINNOW_DATA, WINNOW_NOMEM. */
int winnow_cleaner_open(struct winnow_cleaner **out, const char *const *options,
                        char *error, size_t error_size);

/* No thread may be using it.  NULL is allowed. */
void winnow_cleaner_close(struct winnow_cleaner *c);

/* The options of the cleaner as a JSON array, one object for each option of the
 * sections clean, output and dedup: "key" ("clean.language"), "type", "value"
 * and "preset" as text, written alike, "range" (what it takes, as a phrase; the
 * words, where it takes words), "unit" (of numbers, else ""), "help".
 * Belongs to `c`. */
const char *winnow_cleaner_options(const struct winnow_cleaner *c);

/* Clean a page.  bytes: the body, content-decoded, at most 2^31 - 1 bytes.
 * url: absolute, or NULL; without it links cannot be resolved and there are
 * none.  content_type: the HTTP header's value ("text/html; charset=utf-8"), or
 * NULL.  x_robots_tag: that header, a line each if there are several, or NULL.
 * WINNOW_NOMEM, WINNOW_FAULT, WINNOW_LONG: *out is NULL. */
int winnow_clean(const struct winnow_cleaner *c, const void *bytes, size_t n,
                 const char *url, const char *content_type,
                 const char *x_robots_tag, struct winnow_page **out);

/* What is known of a page when it was fetched.  A reader gives out such; one of
 * your own begins with {.size = sizeof(struct winnow_capture)}, and what is not
 * known stays 0 or NULL.  Fields are added at the end: those behind `size` are
 * taken as unknown. */
struct winnow_capture {
    size_t size;      /* of this struct, as its maker knew it */
    const void *body; /* content-decoded, at most 2^31 - 1 bytes */
    size_t body_n;
    const char *url;                         /* absolute, "": unknown */
    const char *content_type, *x_robots_tag; /* of HTTP */
    const char *last_modified,
        *headers;               /* that header; all of them, as lines */
    const char *ip;             /* of the server */
    const char *id;             /* a UUID; else it is made of URL and bytes */
    unsigned long long date_ms; /* of the fetch, since the Unix epoch; 0 */
    int status;                 /* of HTTP, 0: unknown */
    int is_html;                /* its type and its first bytes are those of a
                                   page; not looked at when it is cleaned */
    int cut;                    /* the page goes on after `body` */
    const char *file;           /* of an archive, "": none, and where there: */
    unsigned long long offset, length;
    int decompressed;              /* ... counted in the decompressed file */
    unsigned long long sitemap_ms; /* when it changed, by its site's sitemap,
                                      since the Unix epoch; 0: unknown */
};

/* As winnow_clean(); also the record formats have date, place in the archive
 * and id then. */
int winnow_clean_capture(const struct winnow_cleaner *c,
                         const struct winnow_capture *capture,
                         struct winnow_page **out);

/* Read the pages of a WARC, ARC or WACZ file, compressed or not, or a single
 * page.
 * path: a file, "-" for standard input.  page_max: bytes of a page that are
 * read, of longer ones the rest is left out (`cut`); 0: 64 MiB.  error: as of
 * winnow_cleaner_open().  WINNOW_DATA: it cannot be opened, or is an archive
 * of a kind that is not read; WINNOW_NOMEM. */
int winnow_reader_open(struct winnow_reader **out, const char *path,
                       size_t page_max, char *error, size_t error_size);

/* The same of what a function of yours reads: an object store's answer, a
 * member of a tar file.  read: as read(2): up to n bytes to `to`, and their
 * number; 0: there are no more; less: it failed, which ends reading with
 * WINNOW_DATA.  It is called with `self` by winnow_reader_open_stream() and
 * winnow_reader_next(), in their thread, and may call this library.  name: of
 * the file, "" as well: the records and messages have it; WACZ files are read
 * by their path only. */
int winnow_reader_open_stream(struct winnow_reader **out,
                              ptrdiff_t (*read)(void *self, void *to, size_t n),
                              void *self, const char *name, size_t page_max,
                              char *error, size_t error_size);

/* NULL is allowed. */
void winnow_reader_close(struct winnow_reader *r);

/* The next page: a response or resource record of any status, or the file.
 * *out lives in the reader until the next call.  What is broken is skipped,
 * what the end of the file cuts off is `cut`; winnow_reader_faults() counts
 * both.  WINNOW_END: there is no more; WINNOW_DATA:
 * reading failed; WINNOW_NOMEM: no more can be read.  *out is NULL then. */
int winnow_reader_next(struct winnow_reader *r,
                       const struct winnow_capture **out);

/* Records so far that were skipped or cut since they are broken, and what was
 * said of them, of reading that failed and, at the end, of an archive without
 * pages (WET, WAT), a line each, at most some 4,000 bytes; belongs to `r` until
 * the next call. */
size_t winnow_reader_faults(const struct winnow_reader *r, const char **said);

/* NULL is allowed. */
void winnow_page_free(struct winnow_page *p);

/* The kept blocks, one a line, each ended by a line feed; a row of a table is
 * a line with tabs, code keeps its lines. *n (may be NULL): their length in
 * bytes. */
const char *winnow_page_text(const struct winnow_page *p, size_t *n);

struct winnow_summary {
    const char *reject;        /* why a corpus would not keep it: "short",
                                  "badness" ...; "": it would */
    const char *reject_reason; /* that as a phrase */
    const char *id;            /* a UUID, 36 characters: of URL and bytes */
    const char *url, *title, *description, *keywords, *author;
    const char *date, *canonical, *language_declared; /* as the page says */
    const char *charset;       /* WHATWG name of what it was decoded from */
    const char *language;      /* best of the target languages (of several, ""
                                  where there is no word) ... */
    double badness;            /* ... and how unlike its running text the page
                                  is: 0 .. about 50, higher is worse */
    const char *language_best; /* the same over all profiles */
    double badness_best;
    double boilerplate_mean;        /* 0 text .. 1, by characters */
    size_t chars, chars_all;        /* code points: kept, all */
    size_t blocks_kept_n, blocks_n; /* kept, all */
    size_t tokens_n;                /* words of the kept blocks */
    size_t links_n;
    const char *reject_detail; /* what the page did not meet, with value and
                                  limit: "badness 24.1, at most 12 ..." */
    const char *languages;     /* "nl:0.83 en:0.17": shares of its words in
                                  blocks of each language, largest first, where
                                  that can be told */
    /* What `badness` is the worst of: common words too rare, words in no order,
       another language's words. */
    double badness_words, badness_order, badness_foreign;
    /* As the page says, as above: name of the site, when it was changed, ...
       what it calls itself ("Article", "website"). */
    const char *site, *modified, *section, *image, *licence, *page_type;
    size_t candidates_n;
    const char *charset_from; /* "bom", "http", "meta", "utf8", "guess" */
    size_t checks_n;
    const char *page_kinds; /* "listing:0.71 collection:0.22": what kind of
                               page it may be, likeliest first: article,
                               documentation, product, service, forum, listing,
                               collection; "" without an estimate */
};

/* Of the whole page; belongs to `p`. */
const struct winnow_summary *winnow_page_summary(const struct winnow_page *p);

/* What a corpus asks of a page, in the order in which it asks: the first that
 * is not met is the reason, if nothing before it was one ("memory", "noindex",
 * "challenge" ... are asked of no number). */
struct winnow_check {
    const char *reject; /* the reason when it is not met: "short" ... */
    const char *what;   /* for people: "characters of text" */
    const char *option; /* whose value the limit is: "clean.chars_min" */
    double value, limit;
    int least; /* 1: at least the limit is asked for, 0: at most */
    int met;
};

/* Check i; NULL when i is not below checks_n.  Belongs to `p`. */
const struct winnow_check *winnow_page_check(const struct winnow_page *p,
                                             size_t i);

/* Something that may be the value of a field of the summary, and where the page
 * says so. */
struct winnow_candidate {
    const char *field; /* "title", "author", "date", "date_modified" ... */
    const char *value;
    const char *sources; /* who says so, the best first, separated by blanks:
                            "json-ld open-graph" */
    double confidence;   /* 0 .. 1 */
    int chosen;          /* it is the field's value */
};

/* Candidate i, by field, the best first; NULL when i is not below candidates_n.
 * Belongs to `p`. */
const struct winnow_candidate *
winnow_page_candidate(const struct winnow_page *p, size_t i);

struct winnow_block {
    const char *text;
    size_t text_n;         /* bytes */
    double boilerplate;    /* 0 text .. 1 boilerplate */
    int kept;              /* 1: part of the text */
    long duplicate_of;     /* index of the block it repeats, or -1 */
    size_t chars, tokens;  /* code points, words */
    const char *container; /* element it stands in: "p", "li" ... */
};

/* Block i, in page order; NULL when i is not below blocks_n. */
const struct winnow_block *winnow_page_block(const struct winnow_page *p,
                                             size_t i);

enum winnow_relation {
    WINNOW_SAME_HOST,
    WINNOW_SAME_DOMAIN, /* registered domain */
    WINNOW_EXTERNAL
};

struct winnow_link {
    const char *url;    /* absolute, canonical, without fragment */
    const char *anchor; /* its text, at most 200 bytes */
    size_t block_i;     /* the block it stands in or before; blocks_n: it is
                           after the last */
    double boilerplate; /* of that block; 1 after the last */
    int relation;       /* enum winnow_relation */
    int nofollow;
    const char *language; /* of its target, as markup says; "" */
};

/* Link i, in page order; NULL when i is not below links_n. */
const struct winnow_link *winnow_page_link(const struct winnow_page *p,
                                           size_t i);

/* The page as a record of a corpus format: "xml", "jsonl", "vertical" ...
 * (`winnow help clean`), by the options of the cleaner it was made with, which
 * must be open still.  The record lives in the page.  One of format "wet" has
 * the time of this call where that of the fetch is not known.  WINNOW_UNKNOWN,
 * WINNOW_NOMEM: *record is NULL, *n (may be NULL) 0. */
int winnow_page_record(struct winnow_page *p, const char *format,
                       const char **record, size_t *n);

/* The same for format "jsonl" with the field names of another project, whatever
 * output.fields is: "winnow", "fineweb", "dolma" or "oscar". */
int winnow_page_jsonl(struct winnow_page *p, const char *fields,
                      const char **record, size_t *n);

#ifdef __cplusplus
}
#endif

#endif
