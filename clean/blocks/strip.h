/* strip.h -- what the parts of strip share: markup to blocks and links.
 *
 * A struct strip is one thread's for a page and reused for others; all it gives
 * to the document is in the document's arena. */
#ifndef CLEAN_STRIP_H
#define CLEAN_STRIP_H

#include "base/buf.h"
#include "block_count.h"
#include "class_mark.h"
#include "clean/chain/stage.h"
#include "clean/markup/tokenizer.h"
#include "collapse.h"

#define STRIP_DEPTH_MAX 256u     /* open elements; deeper ones are flat */
#define STRIP_BLOCKS_MAX 50000u  /* blocks of a page */
#define STRIP_BLOCK_BYTES 65536u /* longer texts go on in a new block */
#define STRIP_LINKS_MAX 10000u   /* links of a page */
#define STRIP_HREF_BYTES 8192u   /* longer targets are dropped, also resolved */
#define STRIP_ANCHOR_BYTES 200u  /* anchors are cut here */
#define STRIP_HEADS_MAX 200u     /* head entries of a page */
#define STRIP_HEAD_BYTES 2000u   /* their values are cut here */
#define STRIP_TITLE_BYTES 1000u
#define STRIP_MARKS_MAX 2000u        /* marked elements of a page */
#define STRIP_JSON_LD_MAX 64u        /* scripts of a page ... */
#define STRIP_JSON_LD_BYTES 1000000u /* ... and their bytes together */
#define STRIP_NOTES_MAX 512u         /* marks of footnotes of a page */
/* Elements with text; any more are one with what is around them. */
#define STRIP_CONTAINERS_MAX 65536u
#define STRIP_PARTS_MAX 65536u /* items, quotes, code; the same */

/* A list whose items are being read. */
struct open_list {
    uint32_t id, next; /* next: number of its next item */
    uint32_t item;     /* its latest, a part; 0: none */
    bool down, from_end;
};

/* An open element. */
struct element {
    uint64_t name;  /* hash of the name */
    uint64_t path;  /* hash of all tags from the root */
    uint64_t shape; /* hash of tag, class and id */
    uint64_t kind;  /* hash of tag and first word of class, else id */
    enum tag tag;
    uint32_t hints;               /* of its class and id: 1 << HINT_x */
    uint32_t ancestors;           /* 1 << ANCESTOR_x of its own */
    uint32_t container;           /* id given with its first block, 0 before */
    uint32_t article;             /* id of the outermost <article> then */
    uint16_t lists, tables, divs; /* on the path, itself included */
    bool block;                   /* a block-level element */
    bool dropped, hidden, in_item, nav_role; /* itself or one above it */
    bool footnote;   /* it is called so, or one above it */
    bool admonition; /* the same */
    bool aside;      /* a note amid the text (strip_inline_note.c), or in one */
    bool control; /* dropped for its class: ends as any other, by implication */
    uint8_t within;        /* LINK_IN_x, by itself and what is above it */
    uint16_t columns;      /* of a <tr>: so far */
    struct open_list list; /* of a <ul>, <ol> ... */
    struct block_form form;
    uint16_t class_marks; /* CLASS_MARK_x */
    struct str language;  /* of code in it, by its class */
    uint32_t note;        /* a footnote: 1 + block with its mark; 0: none */
    uint8_t mark_kinds, mark_words; /* MARK_x, 1 << CLASS_x, of its own */
    uint32_t mark;                  /* 1 + index of its mark; 0: none */
};

struct raw_link {
    struct str href, anchor, path, language;
    uint32_t block_i, block_at;
    uint8_t within;
    bool nofollow;
};

/* <link rel=alternate hreflang=...>: a target and its language. */
#define STRIP_ALTERNATES_MAX 32u
struct alternate {
    struct str href, language;
};

/* Hints of recent class and id words: pages repeat them all the time. */
#define HINT_CACHE_SLOTS 2048u
struct hint_cache_slot {
    uint64_t key;
    uint32_t hints;
    uint16_t words, marks;
    uint64_t kind;
};

/* What markup says of a block, as block_counts has it. */
struct markup_counts {
    uint32_t link_bytes, place_bytes, links, tags, breaks, images, bold;
    bool code;       /* there is a <code> in it */
    bool neighbours; /* a link to the next page or the one before */
    uint32_t note;
};

/* A mark of a footnote, and where that is to stand. */
struct strip_note {
    uint64_t id; /* hash; 0: none */
    uint32_t block_i;
};

/* The formula that is being read (strip_math.c); behind it, where it ended. */
struct strip_math {
    uint8_t state;
    uint32_t block_i, annotation; /* annotation: open elements above it */
    size_t from, to;
    bool blank; /* due before it */
};

/* Where a link into the page itself began (strip_control.c). */
struct strip_self_link {
    struct str id;    /* of its target */
    bool open, blank; /* blank: due before it */
    bool raised;      /* a <sup> is in it, or around it */
    uint32_t block_i, link_bytes, marks_n;
    size_t from, lines_from;
};

struct strip {
    struct strip_pool *pool; /* whose it is ... */
    struct strip *next;      /* ... and the next there, while it is spare */
    struct tokenizer *tokenizer;
    struct document *d;
    struct page_counts *page;
    bool keep_noscript;

    /* Open elements; [0] is <html>, [1] is <body>. */
    struct element stack[STRIP_DEPTH_MAX];
    uint32_t stack_n;
    uint32_t deeper; /* open beyond the bound */
    uint16_t open_n[TAG_N];
    struct hint_cache_slot hint_cache[HINT_CACHE_SLOTS];

    /* The block being collected. */
    struct buf text;
    struct buf lines; /* ... as it stands, in FORM_CODE */
    bool blank_pending;
    struct buf asides; /* notes amid it */
    size_t aside_at;   /* of the first that is not taken yet */
    bool aside_blank;
    size_t tag_at, text_at; /* of the last tag; of the one before the text */
    uint32_t break_run;     /* <br> since the last text */
    uint32_t gap_tags, gap_images;
    bool gap;
    struct markup_counts now;

    struct block *blocks;
    uint32_t blocks_n, blocks_cap;
    struct page_part *parts;
    uint32_t parts_cap;
    /* Ids given (block_form.h). */
    uint32_t parts_n, lists_n, tables_n, rows_n, cells_n;
    bool from_end; /* there is a part of that kind */

    struct raw_link *links;
    uint32_t links_n, links_cap;
    bool link_open; /* links[links_n - 1] still takes anchor text */
    uint32_t link_depth;
    struct buf anchor;
    bool anchor_blank;
    struct str base_href;
    bool base_seen;
    struct alternate alternate[STRIP_ALTERNATES_MAX];
    uint32_t alternates_n;
    size_t url_max; /* bytes of a resolved link, and of the base */

    struct strip_self_link self_link;
    struct strip_note notes[STRIP_NOTES_MAX];
    uint32_t notes_n;
    uint32_t note_due; /* of the next block: the last was a number alone */
    bool power; /* a number may be due above the last one (strip_raised.c) */
    struct strip_math math;
    uint8_t ruby; /* strip_ruby.c */

    struct buf json_ld;
    bool in_json_ld;
    size_t json_ld_bytes; /* of the whole page */
    struct buf title;
    bool in_title, title_done;
    struct title_words title_words, summary_words;
};

/* strip_trace.c: what was read of the page, to stderr */
void strip_trace(struct strip *s, const struct document *d);

/* strip_stack.c: open elements */
void strip_stack_reset(struct strip *s);
void strip_open(struct strip *s, const struct tag_token *t);
/* Close what a start tag closes by implication. */
void strip_imply_end(struct strip *s, enum tag tag);
void strip_close(struct strip *s, const struct tag_token *t);
/* A tag that svg and math do not hold: they end, as far as they are open and no
 * element in them holds HTML. */
void strip_leave_foreign(struct strip *s);
/* A <select> that is open ends where an element begins that none can hold;
 * true: that is all that the start tag does (another <select>). */
bool strip_leave_select(struct strip *s, enum tag tag);

static inline struct element *
strip_top(struct strip *s)
{
    return &s->stack[s->stack_n - 1];
}

static inline bool
strip_in_code(const struct strip *s)
{
    return s->stack[s->stack_n - 1].form.form == FORM_CODE;
}

/* The value of an attribute, {NULL, 0} when it is absent. */
static inline struct str
strip_attribute(const struct tag_token *t, struct str name)
{
    for (uint32_t i = 0; i < t->attributes_n; i++)
        if (str_eq(t->attributes[i].name, name))
            return t->attributes[i].value;
    return (struct str){NULL, 0};
}

/* strip_element.c: an element by its attributes */
void strip_element(struct strip *s, struct element *e,
                   const struct tag_token *t, struct element *parent);
/* Whether what stands in such an element is no part of the page. */
bool strip_drops(const struct strip *s, const struct tag_token *t);
/* Attributes of <html> and <body> are added to an element that stands. */
void strip_element_merge(struct strip *s, struct element *e,
                         const struct tag_token *t);

/* strip_form.c: headings, items, cells, code.  An element of ELEMENT_FORM, with
 * the form of the one around it. */
void strip_form(struct strip *s, struct element *e, const struct tag_token *t,
                struct element *parent);
void strip_form_code(struct strip *s, struct block_form *f);
void strip_forms_finish(struct strip *s); /* once the blocks are known */
struct str strip_form_lines(struct arena *a, struct str text);

/* strip_text.c: text to blocks */
void strip_text(struct strip *s, struct str text);
void strip_flush(struct strip *s); /* end the block */

/* strip_code.c: code and its lines */
/* An element of that tag, which is open or is to be, is in code and no form of
 * its own there. */
bool strip_code_form(const struct strip *s, enum tag tag);
/* A block-level element in outer begins or ends: so does a block, in code a
 * line, in a note amid the text a word. */
void strip_end_block(struct strip *s, enum tag tag,
                     const struct element *outer);
/* e, a <div>, is to be opened in parent: is that code? */
void strip_code_div(struct strip *s, const struct element *e,
                    struct element *parent);
/* White space there is none of the code. */
bool strip_code_is_between_lines(const struct strip *s);
/* e is to be opened. */
bool strip_is_line_number(const struct strip *s, const struct element *e);

/* strip_code_language.c: e is about to be opened; that, once its form is known
 */
void strip_code_language(struct strip *s, struct element *e,
                         struct str class_value);
void strip_code_named(struct strip *s, const struct element *e);

/* strip_shortcode.c: [vc_row ...] is taken out of the block */
void strip_shortcodes(struct strip *s);

/* strip_math.c: MathML as text.  strip_math_tag() and strip_math_text() are for
 * what stands in <math>. */
void strip_math_start(struct strip *s, const struct tag_token *t);
void strip_math_tag(struct strip *s, const struct tag_token *t);
void strip_math_text(struct strip *s, struct str text);
void strip_math_end(struct strip *s);

/* strip_ruby.c: readings */
void strip_ruby_start(struct strip *s);
void strip_ruby_text(struct strip *s, struct str text);
void strip_ruby_end(struct strip *s);

/* strip_link.c: anchors to links */
void strip_link_start(struct strip *s, const struct tag_token *t);
void strip_link_end(struct strip *s);
void strip_link_text(struct strip *s, struct str text);
void strip_link_refresh(struct strip *s, struct str content);
/* What is kept of <base href>: {NULL, 0} when it is too long. */
struct str strip_link_base(struct strip *s, struct str href);
void strip_links_finish(struct strip *s);

/* strip_control.c: what is for the reader's mouse */
/* e is to be opened. */
bool strip_is_control(const struct strip *s, const struct element *e);
/* A link to a place in the page begins; any link ends. */
void strip_self_link_start(struct strip *s, struct str id);
void strip_self_link_end(struct strip *s);

/* strip_raised.c: numbers above others */
void strip_raised_start(struct strip *s); /* a <sup> begins ... */
void strip_raised_text(struct strip *s, struct str text); /* ... with text */

/* strip_note.c: footnotes */
bool strip_is_note_mark(struct str text);
/* The link into the page that ends is such a mark. */
void strip_note_mark(struct strip *s);
/* Of which block (1 + index) the block with that text is a note; 0: none. */
uint32_t strip_note_of_block(struct strip *s, struct str text);
/* An element with an id begins. */
void strip_note_begin(struct strip *s, struct element *e, struct str id);

/* strip_inline_note.c: notes amid the text.  An element with a class mark opens
 * or closes, and text comes in such a note. */
void strip_inline_note_open(struct strip *s, struct element *e);
void strip_inline_note_close(struct strip *s, const struct element *e);
void strip_inline_note_text(struct strip *s, struct str text);
/* The next of them; false: there is none. */
bool strip_inline_note_take(struct strip *s, struct buf *text);

/* strip_place.c: where a link stands, and the language of its target */
/* The latest link stands in the elements that are open now. */
void strip_link_place(struct strip *s);
/* What the tag says: hreflang, else lang; "". */
struct str strip_link_language(struct strip *s, const struct tag_token *t);
void strip_alternate(struct strip *s, const struct tag_token *t);
/* Links with a target of the head's alternates get their languages; those that
 * no link leads to become alternates of the document. */
void strip_link_languages(struct strip *s);

/* strip_mark.c: elements that say what stands in them, and JSON-LD */
/* e, which is to be the innermost open element, if it is marked. */
void strip_mark_open(struct strip *s, struct element *e,
                     const struct tag_token *t);
void strip_mark_close(struct strip *s, const struct element *e);
void strip_mark_empty(struct strip *s, const struct tag_token *t);
void strip_json_ld_start(struct strip *s, const struct tag_token *t);
void strip_json_ld_text(struct strip *s, struct str text);
void strip_json_ld_end(struct strip *s);

/* strip_head.c: what the head says */
void strip_head(struct strip *s, struct str key, struct str value);
void strip_head_meta(struct strip *s, const struct tag_token *t);
void strip_head_link(struct strip *s, const struct tag_token *t);

#endif
