/* candidates.h -- all that may be the value of a field, each once.
 *
 * Sources add what they find; equal values (by letters and digits; dates by the
 * day) are one candidate with several sources.  Bounded; in the page's arena.
 */
#ifndef CLEAN_CANDIDATES_H
#define CLEAN_CANDIDATES_H

#include "base/buf.h"
#include "clean/blocks/block.h"
#include "clean/chain/document.h"
#include "date_text.h"

#define CANDIDATES_MAX 48u    /* of a field */
#define CANDIDATE_BYTES 1000u /* longer titles are none */
#define AUTHORS_MAX 24u       /* of a page */
#define NO_BLOCK UINT32_MAX

enum title_part { /* what was cut off, to make this title of a longer one */
                  PART_FRONT = 1 << 0, /* something in front */
                  PART_BACK = 1 << 1,
                  PART_SITE = 1 << 2,    /* it is the site's name */
                  PART_SHORT = 1 << 3,   /* it has four words at most */
                  PART_IS_SITE = 1 << 4, /* this is the site's name */
                  PART_COLON = 1 << 5    /* it was parted by a colon */
};

enum thing { /* what a JSON-LD object or a microdata item is, by its type */
             THING_NONE,
             THING_OTHER,
             THING_PAGE,
             THING_PRODUCT, /* and other things that pages are about */
             THING_ARTICLE,
             THING_SITE,
             THING_PERSON,
             THING_COMMENT,
             THING_LIST
};

struct guess {
    enum meta_field field;
    uint64_t key; /* equal for equal values */
    struct str value;
    enum meta_source spelled; /* the source whose spelling `value` is */
    uint32_t sources;         /* 1 << META_FROM_x */
    uint32_t mentions;
    uint32_t block_i; /* first place in the page, or NO_BLOCK */
    uint8_t words;    /* 1 << CLASS_x of elements round it */
    uint8_t within;   /* LINK_IN_x, of all places */
    uint8_t context;  /* DATE_x */
    uint8_t parts;    /* PART_x, of titles */
    bool hidden, comment;
    enum thing thing;   /* the best that says so */
    bool person;        /* a structured name of a person */
    bool sure;          /* of the head of a message */
    struct day_time at; /* of dates */
    struct str *names;  /* of authors */
    uint32_t names_n;
    uint32_t rank; /* 0 best: of fields without a model */
    float confidence;
};

struct guesses {
    struct document *d;
    struct arena *arena;
    struct guess *of[META_FIELDS_N];
    uint32_t n[META_FIELDS_N];
    uint32_t bylines_n; /* authors, and what is none: author_fit.h */
    struct date_reading reading;
    int32_t last_day;  /* no date is later */
    float date_least;  /* confidence that a date must have */
    bool thing_list;   /* the page lists many articles */
    enum thing page;   /* what JSON-LD or og:type say the page is */
    struct str domain; /* registered one of its host, without what follows the
                          first dot */
    char domain_letters[64]; /* its letters and digits, for site_name.c */
    size_t domain_letters_n;
};

/* Where a candidate was found.  Zero but for `source`: the head. */
struct guess_at {
    enum meta_source source;
    uint32_t place; /* 1 + index of the block; 0: none */
    uint8_t words, within, context;
    bool hidden, comment, person;
    bool running; /* of an author: running text, no field */
    enum thing thing;
    uint32_t rank;
};

void candidates_init(struct guesses *c, struct document *d);

/* A text for a field: NULL when it is none (empty, too long). */
struct guess *candidate_add(struct guesses *c, enum meta_field field,
                            struct str value, const struct guess_at *at);

/* What stands in `text`, if it is a date that can be (none in the future). */
struct guess *candidate_date(struct guesses *c, enum meta_field field,
                             struct str text, const struct guess_at *at);
struct guess *candidate_day(struct guesses *c, enum meta_field field,
                            const struct day_time *day,
                            const struct guess_at *at);

/* Has it a candidate of what is made for machines? */
bool candidate_stated(const struct guesses *c, enum meta_field field);

/* A date found in a text; one that can be read in two ways (3/4/2024) is read
 * as the page's machine-readable dates have it, if one of them does. */
struct guess *candidate_found(struct guesses *c, enum meta_field field,
                              const struct date_found *found,
                              const struct guess_at *at);

/* A list of authors as one text ("Jane Doe and John Roe, MD"), or as names.
 * What can be no author's name is left out (author_text.h). */
struct guess *candidate_author(struct guesses *c, struct str text,
                               const struct guess_at *at);
struct guess *candidate_authors(struct guesses *c, const struct str *names,
                                uint32_t n, const struct guess_at *at);

/* Where block i stands, for `at`. */
void candidate_place(struct guess_at *at, const struct document *d,
                     uint32_t block_i);

/* A hash of the letters and digits in lower case; *n: how many. */
uint64_t candidate_key(struct str s, uint32_t *n);

/* The sources. */
void sources_head(struct guesses *c);
void sources_json_ld(struct guesses *c);
void sources_marks(struct guesses *c);
void sources_titles(struct guesses *c);
void sources_text(struct guesses *c, uint32_t heading_i);
void sources_message(struct guesses *c, uint32_t heading_i);
void sources_bylines(struct guesses *c, uint32_t from, uint32_t to);
void sources_url(struct guesses *c);
/* Of a page that names no site: what its title, which it shows elsewhere, too,
 * is short of in <title>. */
void sources_site(struct guesses *c, const struct guess *title);

/* Whether a text is a name of the site: one of the candidates, or the domain.
 */
bool is_site_name(const struct guesses *c, struct str s);

/* What a type is: "https://schema.org/NewsArticle", "BlogPosting". */
enum thing thing_of_type(struct str type);

#endif
