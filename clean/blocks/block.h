/* block.h -- what strip counts for each block and page, for the features.
 *
 * Everything lives in the document's arena. */
#ifndef CLEAN_BLOCK_H
#define CLEAN_BLOCK_H

#include "base/str.h"
#include "clean/markup/tag.h"
#include "hint.h"
#include "lexicon.h"

/* Ancestors whose distance a block knows; bits of struct element's `kinds`. */
enum ancestor {
    ANCESTOR_ARTICLE,
    ANCESTOR_MAIN,
    ANCESTOR_NAV,
    ANCESTOR_ASIDE,
    ANCESTOR_FOOTER,
    ANCESTOR_HEADER,
    ANCESTOR_FORM,
    ANCESTOR_FIGURE,
    ANCESTOR_TABLE,
    ANCESTOR_BLOCKQUOTE,
    ANCESTOR_SECTION,
    ANCESTOR_BODY_PROPERTY, /* itemprop=articleBody and the like */
    ANCESTOR_MAIN_ROLE,     /* role=main, role=article */
    ANCESTOR_N
};

enum block_flag {
    BLOCK_ENDS_SENTENCE = 1 << 0, /* . ! ? and their like, quotes after */
    BLOCK_ENDS_COLON = 1 << 1,
    BLOCK_ENDS_ELLIPSIS = 1 << 2,
    BLOCK_STARTS_LOWER = 1 << 3,
    BLOCK_STARTS_DIGIT = 1 << 4,
    BLOCK_EMAIL = 1 << 5,
    BLOCK_URL = 1 << 6,
    BLOCK_DATE = 1 << 7,
    BLOCK_TIME = 1 << 8,
    BLOCK_COPYRIGHT = 1 << 9,
    BLOCK_CURRENCY = 1 << 10,
    BLOCK_BAR = 1 << 11, /* | and other separators of menu entries */
    BLOCK_QUESTION = 1 << 12,
    BLOCK_HIDDEN = 1 << 13,   /* in an element that is not shown */
    BLOCK_NAV_ROLE = 1 << 14, /* role=navigation, banner ..., or mostly links of
                                 which one is rel=next or prev */
    BLOCK_IN_ITEM = 1 << 15,  /* inside <li> */
    BLOCK_AFTER_GAP = 1 << 16 /* elements without text stand before it */
};

#define BLOCK_PARENTS 4

struct block_counts {
    /* Of the text. */
    uint32_t bytes, chars, letters, upper, digits, blanks;
    uint32_t words;            /* runs of letters and digits; CJK: characters */
    uint32_t runs;             /* what stands between blanks ... */
    uint32_t capital_runs;     /* ... and starts with a capital */
    uint32_t sentences;        /* ends of sentences inside or at the end */
    uint32_t commas;           /* , ; and their like */
    uint32_t title_words;      /* different words of the title found */
    uint32_t summary_words;    /* the same of the page's description */
    uint16_t stop[LANGUAGE_N]; /* function words of each language */
    uint16_t lexicon[LEXICON_N];
    uint32_t flags;

    /* Of the markup. */
    uint32_t link_bytes, links, tags, breaks, images, bold, gap_tags;
    uint32_t place_bytes; /* of a heading that leads to a place of its page: not
                             among link_bytes */
    uint32_t gap_images;  /* between it and the text before */
    enum tag tag;         /* innermost block element */
    uint32_t parent[BLOCK_PARENTS]; /* containers, innermost first; 0: none */
    uint32_t article;               /* outermost <article>, 0: none */
    uint64_t path;                  /* hash of the tags from the root */
    uint64_t shape; /* hash of tags and classes of the innermost three */
    uint64_t text;  /* hash of the text */
    uint32_t note;  /* a footnote: 1 + index of the block with its mark; or 0 */
    bool footnote;  /* in an element that is called so */
    bool admonition; /* the same: a note, tip or warning amid the text */
    uint32_t at;     /* of the last tag before the text, a byte of the page */
    uint16_t depth, lists, tables, divs; /* open elements, of these kinds */
    uint8_t ancestor[ANCESTOR_N]; /* 1 + distance of the nearest; 0: none */
    uint8_t hint[HINT_N];         /* the same */
};

/* A <meta>, <title>, <html lang> or <link rel=canonical>, as it stood. */
struct head_entry {
    struct str key; /* lower case: "description", "og:title", "<title>" ... */
    struct str value;
};

/* Class and id words that say what a short text is (class_word.tbl.h). */
enum class_word {
#define CLASS_WORD(id, patterns) CLASS_##id,
#include "class_word.tbl.h"
#undef CLASS_WORD
    CLASS_WORD_N
};

enum mark_kind {
    MARK_ITEM = 1 << 0,     /* itemscope, itemtype or typeof: a thing */
    MARK_PROPERTY = 1 << 1, /* itemprop or property: a fact of a thing */
    MARK_TIME = 1 << 2,     /* <time> or an attribute datetime */
    MARK_AUTHOR = 1 << 3,   /* rel=author */
    MARK_LICENCE = 1 << 4,  /* rel=license */
    MARK_PUBDATE = 1 << 5   /* <time pubdate> */
};

/* An element that says what stands in it.  Its text is that from byte `from` of
 * block block_i to byte `to` of block end_i (which may be one that there is
 * not: it is empty). */
struct page_mark {
    uint8_t kinds;  /* MARK_x */
    uint8_t words;  /* 1 << CLASS_x */
    uint8_t within; /* LINK_IN_x */
    bool hidden;
    enum tag tag;
    struct str name;  /* itemprop or property */
    struct str type;  /* itemtype or typeof */
    struct str value; /* content, datetime, href or src; "" */
    uint32_t parent;  /* 1 + index of the marked element around it; 0: none */
    uint32_t block_i, from, end_i, to;
};

/* An element with text in it. */
struct container {
    uint64_t kind;   /* hash of its tag and first class word */
    uint32_t parent; /* id of the element around it, a lesser one; 0: <body> */
};

struct page_counts {
    uint32_t containers_n;        /* ids 1 .. containers_n - 1 are in use */
    struct container *containers; /* by id */
    uint32_t containers_cap;
    uint32_t articles_n; /* <article> elements with text */
    uint32_t title_words_n, summary_words_n;
    bool article_body; /* class words of <html>, <body> name an article */
    uint32_t blocks_dropped, heads_dropped, depth_exceeded;
    uint32_t noscript_bytes; /* text in <noscript>, not counted elsewhere */
    struct head_entry *heads;
    uint32_t heads_n;
    struct page_mark *marks; /* in the order of their start tags */
    uint32_t marks_n, marks_cap;
    struct str *json_ld; /* scripts, as they stand */
    uint32_t json_ld_n;
};

#endif
