/* tokenizer_impl.h -- what the files of the tokenizer share, and nobody else.
 *
 * tokenizer.c          the loop; data, RCDATA, RAWTEXT, PLAINTEXT, CDATA
 * tokenizer_text.c     runs of text, for all of them
 * tokenizer_script.c   script data and its escaped states
 * tokenizer_tag.c      tags and attributes
 * tokenizer_markup.c   what follows "<!": comments and doctypes
 * tokenizer_foreign.c  whether we are inside svg or math */
#ifndef CLEAN_TOKENIZER_IMPL_H
#define CLEAN_TOKENIZER_IMPL_H

#include "base/buf.h"
#include "entity.h"
#include "scan.h"
#include "tokenizer.h"

#define ATTRIBUTES_MAX 256u  /* of one tag; the rest is dropped */
#define ATTRIBUTE_SLOTS 512u /* to find duplicates; a power of two */
#define FOREIGN_DEPTH_MAX 64u

/* In a place where an offset into the scratch space may stand. */
#define IN_INPUT SIZE_MAX

struct foreign_entry {
    enum tag tag;
    bool html;     /* an integration point: HTML again inside */
    bool children; /* of an integration point: an element was opened in it */
};

struct foreign {
    struct foreign_entry stack[FOREIGN_DEPTH_MAX];
    unsigned n;
};

struct tokenizer {
    const char *begin, *p, *end; /* the input; p is the next byte */
    const struct token_sink *sink;
    enum tokenizer_state state; /* the content model */
    bool bare; /* tokenization rules alone: no state switching, NUL kept */
    bool xml;  /* tokenizer_run_xml() */

    /* The last start tag that switched the state: "appropriate end tag". */
    struct buf last_start_tag;

    /* The tag being built.  Strings that differ from the input are in
     * `scratch`, by offset until the tag is whole: it may move. */
    struct attribute attributes[ATTRIBUTES_MAX];
    size_t name_at[ATTRIBUTES_MAX], value_at[ATTRIBUTES_MAX];
    struct buf scratch;
    uint16_t slots[ATTRIBUTE_SLOTS];         /* attribute index */
    uint32_t stamps[ATTRIBUTE_SLOTS], stamp; /* slot in use when equal */

    struct foreign foreign;
};

/* tokenizer_text.c */
extern const struct str tokenizer_replacement; /* U+FFFD */

/* Input bytes to the sink as they are. */
static inline void
tokenizer_run_of(struct tokenizer *t, const char *from, const char *to)
{
    if (from < to)
        t->sink->text(t->sink->self, str_n(from, (size_t)(to - from)));
}

/* A CR at p: end the run that began at *from and begin the next with LF.  Where
 * to go on. */
const char *tokenizer_new_line(struct tokenizer *t, const char **from,
                               const char *p);

/* Emit input bytes as text: new lines normalised, NUL as U+FFFD. */
void tokenizer_emit(struct tokenizer *t, const char *from, const char *to);

/* Whether "</name" and a delimiter stand at p, name being that of the last
 * start tag. */
bool tokenizer_at_end_tag(const struct tokenizer *t, const char *p);

/* Append to b: new lines normalised, NUL as U+FFFD. */
void tokenizer_copy(struct buf *b, const char *from, const char *to);

/* tokenizer_script.c: to the end of the script and its end tag */
void tokenizer_script(struct tokenizer *t);

/* tokenizer_tag.c: t->p stands at the '<'. */
void tokenizer_start_tag(struct tokenizer *t);
void tokenizer_end_tag(struct tokenizer *t);

/* tokenizer_markup.c: t->p stands at the '<'. */
void tokenizer_declaration(struct tokenizer *t);
void tokenizer_bogus_comment(struct tokenizer *t, size_t skip);

/* tokenizer_foreign.c */
/* Whether the tag is one of HTML. */
bool foreign_start(struct foreign *f, const struct tag_token *tag);
void foreign_end(struct foreign *f, enum tag tag);
bool foreign_inside(const struct foreign *f); /* foreign rules apply */
bool foreign_cdata(const struct foreign *f);  /* "<![CDATA[" counts */

#endif
