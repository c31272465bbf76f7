/* strip_trace.c -- log.parse: what is read of a page, for who wants to know why
 * a block is as it is (texrex's DebugParse).
 *
 *   @0 page http://a.example/ 5120 bytes of UTF-8
 *   @120 <div>            a start tag, and the byte it begins at
 *   @980 </div>
 *   block 0 @120 in div: its text
 *
 * The page is read once more for that, so that pages which nobody asks about
 * cost nothing.  A page is one write: threads do not mix their lines. */
#include "strip.h"

#include <stdio.h>

static void
trace_tag(void *self, const char *before, const struct tag_token *t)
{
    buf_printf(self, "@%zu %s%.*s>\n", t->offset, before, STRF(t->name));
}

static void
on_start_tag(void *self, const struct tag_token *t)
{
    trace_tag(self, "<", t);
}

static void
on_end_tag(void *self, const struct tag_token *t)
{
    trace_tag(self, "</", t);
}

static void
on_text(void *self, struct str text)
{
    (void)self;
    (void)text;
}

void
strip_trace(struct strip *s, const struct document *d)
{
    struct buf out = {.arena = d->arena};
    const struct token_sink sink = {.self = &out,
                                    .text = on_text,
                                    .start_tag = on_start_tag,
                                    .end_tag = on_end_tag};

    buf_printf(&out, "@0 page %.*s %zu bytes of UTF-8\n", STRF(d->url_text),
               d->utf8.n);
    tokenizer_run(s->tokenizer, d->utf8, &sink);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const struct block *b = &d->blocks[i];

        buf_printf(&out, "block %u @%u in %.*s: %.*s\n", i, b->counts->at,
                   STRF(b->container), STRF(b->text));
    }
    fwrite(out.p, 1, out.n, stderr);
}
