/* tokenizer.h -- HTML tokens by the WHATWG tokenization rules (section 13.2.5).
 *
 * Input is valid UTF-8 (normalise nothing before: CR LF and NUL are handled
 * here).  The tokenizer calls back for each token; strings point into the
 * input or into the tokenizer's scratch space and are valid during the call
 * only.  It switches to RCDATA, RAWTEXT, script data and PLAINTEXT by itself
 * after the start tags that ask for it (scripting off: <noscript> is parsed).
 * No allocation per token; one tokenizer per thread, reused. */
#ifndef CLEAN_TOKENIZER_H
#define CLEAN_TOKENIZER_H

#include "base/arena.h"
#include "base/str.h"

/* Well-known names get a small id; TAG_OTHER for the rest. */
#include "tag.h"

struct attribute {
    struct str name;  /* lower case */
    struct str value; /* character references decoded */
};

struct tag_token {
    enum tag tag;
    struct str name; /* lower case */
    const struct attribute *attributes;
    uint32_t attributes_n; /* duplicates already dropped; bounded */
    bool self_closing;
    size_t offset; /* of '<' in the input */
};

/* Whether such a start tag in svg or math ends them (13.2.6.5): for the sink,
 * which has the open elements. */
bool tag_token_leaves_foreign(const struct tag_token *t);

struct token_sink {
    void *self;
    /* Text with character references decoded; runs may come in pieces.  In
     * script/style/... content too (the sink knows the open tag).  NUL is gone:
     * dropped in HTML, U+FFFD elsewhere, as the tree rules would. */
    void (*text)(void *self, struct str s);
    void (*start_tag)(void *self, const struct tag_token *t);
    void (*end_tag)(void *self, const struct tag_token *t);
    void (*comment)(void *self, struct str s); /* may be NULL */
    /* name.p is NULL when there is none. */
    void (*doctype)(void *self, struct str name, const struct str *public_id,
                    const struct str *system_id, bool quirks); /* may be NULL */
};

enum tokenizer_state { /* initial states, as the html5lib tests name them */
                       TOKENIZER_DATA,
                       TOKENIZER_RCDATA,
                       TOKENIZER_RAWTEXT,
                       TOKENIZER_SCRIPT_DATA,
                       TOKENIZER_PLAINTEXT,
                       TOKENIZER_CDATA
};

struct tokenizer; /* opaque; see clean/markup/tokenizer.c */

struct tokenizer *tokenizer_new(void);    /* NULL: no memory */
void tokenizer_free(struct tokenizer *t); /* NULL is allowed */

/* Tokenize the whole of `input`. */
void tokenizer_run(struct tokenizer *t, struct str input,
                   const struct token_sink *sink);

/* The same for XHTML by the rules of XML where it matters: an element whose
 * start tag closes itself has no content, so that nothing is switched to (the
 * sink is to know that, too), and CDATA sections count. */
void tokenizer_run_xml(struct tokenizer *t, struct str input,
                       const struct token_sink *sink);

/* The bare tokenization rules from an initial state, for the conformance
 * tests: no switching after start tags, no CDATA, NUL kept in data. */
void tokenizer_run_from(struct tokenizer *t, struct str input,
                        const struct token_sink *sink,
                        enum tokenizer_state state, struct str last_start_tag);

#endif
