/* doc_line.h -- documents as the jobs pass them on: a line of four columns.
 *
 *     URL TAB <source>...</source> TAB <process>...</process> TAB <p>...</p>
 *
 * `source` is what is known of where a document comes from, `process` what the
 * jobs have found out, each as elements without attributes.  The text is
 * paragraphs <p>, in them, from job sentence on, sentences <s>; both may have
 * attributes.  In text `&`, `<` and `>` are written as entities; other `<`
 * begin a tag.  Columns have no TAB and no line end. */
#ifndef CORPUS_DOC_LINE_H
#define CORPUS_DOC_LINE_H

#include "base/buf.h"
#include "base/hash.h"

struct doc_line {
    struct str url, source, process, text;
};

/* False: it has not four columns, or no URL. */
bool doc_line_read(struct doc_line *d, struct str line);
/* Replaces what `out` has. */
void doc_line_write(struct buf *out, const struct doc_line *d);

/* Whether this is the text of a document: it begins with a paragraph. */
bool doc_text_begins(struct str text);

/* The elements of `source`, then those of `process`. */
#define DOC_FACTS(X)                                                           \
    X(LOCATION, "location")                                                    \
    X(ID, "id")                                                                \
    X(TITLE, "title")                                                          \
    X(AUTHOR, "author")                                                        \
    X(DATE, "date")                                                            \
    X(TIMESTAMP, "timestamp")                                                  \
    X(USER, "user")                                                            \
    X(ENCODING, "original_encoding")                                           \
    X(LANGUAGE, "language")                                                    \
    X(LENGTH, "length")                                                        \
    X(BADNESS, "badness")                                                      \
    X(BOILERPLATE, "boilerplate_mean")                                         \
    X(DUPLICATE, "is_duplicate")                                               \
    X(MASKED, "masked")                                                        \
    X(ENCODING_ERROR, "encoding_error")                                        \
    X(QUALITY, "quality")                                                      \
    X(REJECT, "reject")

enum doc_fact {
#define X(id, name) DOC_FACT_##id,
    DOC_FACTS(X)
#undef X
        DOC_FACT_N
};

extern const char doc_fact_names[]; /* with blanks between them, after url */

/* DOC_FACT_N: there is none of that name. */
enum doc_fact doc_fact_of(struct str name);

/* What stands in <name>...</name>, without CDATA; "" when there is none. */
struct str doc_element(struct str column, enum doc_fact fact);
/* Append an element; `value` as it is to stand there. */
void doc_element_add(struct buf *out, enum doc_fact fact, struct str value);
/* `process` with an element more, at its end; replaces what `out` has. */
void doc_process_add(struct buf *out, struct str process, enum doc_fact fact,
                     struct str value);

enum doc_piece_kind {
    DOC_TEXT,
    DOC_P,
    DOC_P_END,
    DOC_S,
    DOC_S_END,
    DOC_OTHER, /* another tag */
    DOC_END
};

struct doc_piece {
    enum doc_piece_kind kind;
    struct str text; /* of a text; of a tag all of it */
};

/* Take the next tag, or the text up to it, off *rest. */
struct doc_piece doc_next(struct str *rest);
/* The value of an attribute of a tag, "" when it has none. */
struct str doc_attribute(struct str tag, const char *name);

/* Text into the column and out of it.  White space and control characters in a
 * row become one blank on the way in; none stands at the ends. */
void doc_escape(struct buf *out, struct str text);
void doc_unescape(struct buf *out, struct str text);

/* Code points of the text outside of tags, entities as one. */
uint64_t doc_chars(struct str text);
/* The first and the last `n` code points of what is no tag, and how many there
 * are, as a hash: documents with the same are taken for the same. */
struct hash128 doc_ends(struct str text, uint64_t n);

#endif
