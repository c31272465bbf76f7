/* wanted_stage.h -- one stage that an option switches on, run alone over a
 * document made by hand. */
#ifndef WANTED_STAGE_H
#define WANTED_STAGE_H

#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "clean/chain/codepoint.h"
#include "clean/chain/stage.h"
#include "test.h"

static inline bool
wanted_same(struct str got, const char *wanted)
{
    if (str_eq(got, str_c(wanted)))
        return true;
    fprintf(stderr, "got    <%.*s>\nwanted <%s>\n", STRF(got), wanted);
    return false;
}

/* A document of one kept block. */
static inline struct document
wanted_document(struct arena *a, const char *text)
{
    struct document d = {.arena = a, .blocks_n = 1, .kept_blocks_n = 1};

    d.blocks = ARENA_ARRAY(a, struct block, 1);
    d.blocks[0] = (struct block){.text = str_c(text),
                                 .container = S("p"),
                                 .chars = codepoint_count(str_c(text)),
                                 .duplicate_of = -1,
                                 .kept = true};
    d.all_chars = d.kept_chars = d.blocks[0].chars;
    d.meta.title = str_c(text);
    d.meta.description = d.meta.keywords = d.meta.author = S("");
    return d;
}

static inline enum status
wanted_open(const struct stage *s, const char *set, void **self)
{
    struct opts o;
    enum status st;

    *self = NULL;
    opts_init(&o);
    CHECK(opts_set(&o, "test", str_c(set)) == ST_OK);
    st = s->open(self, &o);
    opts_free(&o);
    return st;
}

static inline enum status
wanted_opens(const struct stage *s, const char *set)
{
    void *self;
    enum status st = wanted_open(s, set, &self);

    if (st == ST_OK && s->close != NULL)
        s->close(self);
    return st;
}

/* Whether the text becomes `wanted` and the document's sums are right. */
static inline bool
wanted_becomes(const struct stage *s, const char *set, const char *text,
               const char *wanted)
{
    struct arena *a = arena_new();
    struct document d = wanted_document(a, text);
    const struct block *b = &d.blocks[0];
    void *self;
    bool same;

    CHECK(wanted_open(s, set, &self) == ST_OK);
    CHECK(s->run(self, &d) == ST_OK);
    same = str_eq(b->text, str_c(wanted)) &&
           b->chars == codepoint_count(b->text) && d.all_chars == b->chars &&
           d.kept_chars == b->chars && b->kept == (b->text.n > 0) &&
           d.kept_blocks_n == (b->text.n > 0);
    if (!same)
        fprintf(stderr, "<%s> became <%.*s>\n", text, STRF(b->text));
    if (s->close != NULL)
        s->close(self);
    arena_free(a);
    return same;
}

/* Whether a block with code in it stays as it is. */
static inline bool
wanted_code_stays(const struct stage *s, const char *set, const char *text)
{
    struct arena *a = arena_new();
    struct document d = wanted_document(a, text);
    void *self = NULL;
    bool same;

    d.blocks[0].code = true;
    if (s->open != NULL)
        CHECK(wanted_open(s, set, &self) == ST_OK);
    CHECK(s->run(self, &d) == ST_OK);
    same = wanted_same(d.blocks[0].text, text);
    if (s->close != NULL)
        s->close(self);
    arena_free(a);
    return same;
}

#endif
