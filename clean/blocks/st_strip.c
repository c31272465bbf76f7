/* st_strip.c -- markup to blocks, links and head entries, in one pass.
 *
 * A sink for the tokenizer: start and end tags move a bounded stack of open
 * elements (strip_stack.c), block-level ones and double <br> end the block
 * being collected (strip_text.c), anchors become links (strip_link.c).  No
 * tree is built, and each block's counts are gathered when it ends.  When a
 * page has next to no text but in <noscript>, it is read once more with that.
 *
 * State lives in a struct strip, one of those that no other thread works with;
 * they are the stage's and go with it, however long threads live. */
#include "element_traits.h"
#include "strip.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "char_class.h"

/* Read again with <noscript> when less than this many bytes stand outside of
 * it, and more than three times as much (and 200) inside. */
#define NOSCRIPT_BYTES 400u

struct strip_pool {
    pthread_mutex_t lock;
    struct strip *spare; /* that nobody works with */
};

struct strip_stage {
    struct strip_pool *pool;
    size_t url_max;
    bool trace; /* log.parse */
};

static void
on_text(void *self, struct str text)
{
    struct strip *s = self;
    struct element *top = strip_top(s);

    if (s->in_title) {
        bool blank = false;

        strip_collapse(&s->title, &blank, text, STRIP_TITLE_BYTES);
        if (blank) /* a blank at the end of a piece */
            buf_char(&s->title, ' ');
        return;
    }
    if (!top->dropped) {
        if (s->ruby != 0)
            strip_ruby_text(s, text);
        if (s->power)
            strip_raised_text(s, text);
        strip_text(s, text);
        return;
    }
    if (s->math.state != 0)
        strip_math_text(s, text);
    if (s->in_json_ld)
        strip_json_ld_text(s, text);
    if (s->open_n[TAG_NOSCRIPT] > 0 && s->open_n[TAG_SCRIPT] == 0 &&
        s->open_n[TAG_STYLE] == 0)
        s->page->noscript_bytes += (uint32_t)str_trim(text).n;
}

static void
title_end(struct strip *s)
{
    struct str title = str_trim(buf_view(&s->title));

    s->in_title = false;
    if (title.n == 0)
        return;
    s->title_done = true;
    strip_head(s, S("<title>"), title);
    title_words_set(&s->title_words, title);
}

/* What says something of the whole page: in a <template> it says nothing. */
static bool
is_of_page(enum tag tag)
{
    return tag == TAG_META || tag == TAG_LINK || tag == TAG_BASE ||
           tag == TAG_HEAD || tag == TAG_HTML || tag == TAG_BODY;
}

/* Start tags that never open an element. */
static bool
handle_empty(struct strip *s, const struct tag_token *t)
{
    bool dropped = strip_top(s)->dropped;

    if (s->open_n[TAG_TEMPLATE] > 0 && is_of_page(t->tag))
        return true;
    switch (t->tag) {
    case TAG_META:
        strip_head_meta(s, t);
        strip_mark_empty(s, t);
        return true;
    case TAG_LINK:
        strip_head_link(s, t);
        strip_mark_empty(s, t);
        return true;
    case TAG_BASE:
        if (!s->base_seen && strip_attribute(t, S("href")).n > 0) {
            s->base_seen = true;
            s->base_href = strip_link_base(s, strip_attribute(t, S("href")));
        }
        return true;
    case TAG_HEAD: return true;
    case TAG_HTML:
    case TAG_BODY:
        if (t->tag == TAG_HTML)
            strip_head(s, S("<html lang>"), strip_attribute(t, S("lang")));
        strip_element_merge(s, &s->stack[t->tag == TAG_BODY], t);
        return true;
    case TAG_AREA:
    case TAG_FRAME:
        if (!dropped)
            strip_link_start(s, t);
        return true;
    case TAG_IMG:
    case TAG_IMAGE:
        if (dropped)
            return true;
        strip_mark_empty(s, t);
        s->now.images++;
        s->now.tags++;
        if (s->link_open && s->anchor.n == 0)
            strip_link_text(s, strip_attribute(t, S("alt")));
        return true;
    default: return false;
    }
}

static void
line_break(struct strip *s)
{
    s->now.tags++;
    s->now.breaks++;
    strip_text(s, S("\n"));
    if (++s->break_run >= 2 && !strip_in_code(s) && !strip_top(s)->aside)
        strip_flush(s);
}

static bool
in_foreign(const struct strip *s)
{
    return s->open_n[TAG_SVG] > 0 || s->open_n[TAG_MATH] > 0;
}

static void
on_end_tag(void *self, const struct tag_token *t)
{
    struct strip *s = self;

    s->tag_at = t->offset;
    if ((t->tag == TAG_P || t->tag == TAG_BR) && in_foreign(s) && !s->d->xml)
        strip_leave_foreign(s);
    if (t->tag == TAG_TITLE && s->in_title)
        title_end(s);
    if (t->tag == TAG_SCRIPT && s->in_json_ld)
        strip_json_ld_end(s);
    if (t->tag == TAG_BR) { /* </br> is <br> (13.2.6.4.7) */
        if (!strip_top(s)->dropped)
            line_break(s);
        return;
    }
    strip_close(s, t);
    if (s->math.state != 0)
        strip_math_end(s);
}

static void
on_start_tag(void *self, const struct tag_token *t)
{
    struct strip *s = self;
    bool foreign;

    s->tag_at = t->offset;
    if (in_foreign(s) && !s->d->xml && tag_token_leaves_foreign(t))
        strip_leave_foreign(s);
    foreign = in_foreign(s);
    if (s->open_n[TAG_SELECT] > 0 && strip_leave_select(s, t->tag))
        return;
    if (handle_empty(s, t))
        return;
    if (t->tag == TAG_TITLE && !s->title_done && !foreign &&
        s->open_n[TAG_TEMPLATE] == 0) {
        buf_clear(&s->title);
        s->in_title = true;
    }
    if (t->tag == TAG_A && s->open_n[TAG_A] > 0) /* anchors do not nest */
        strip_close(s, &(struct tag_token){.tag = TAG_A, .name = STR("a")});
    if (strip_top(s)->control)
        strip_imply_end(s, t->tag);
    if (!strip_top(s)->dropped) {
        if (t->tag == TAG_BR) {
            line_break(s);
            return;
        }
        if (element_traits[t->tag] & ELEMENT_BLOCK && !strip_drops(s, t))
            strip_end_block(s, t->tag, strip_top(s));
        strip_imply_end(s, t->tag);
        if (t->tag == TAG_RT)
            strip_ruby_start(s);
        if (t->tag == TAG_SUP)
            strip_raised_start(s);
        s->now.tags++;
        s->now.links += t->tag == TAG_A;
        s->now.bold += t->tag == TAG_B || t->tag == TAG_STRONG ||
                       t->tag == TAG_EM || t->tag == TAG_I;
        s->now.code |= t->tag == TAG_CODE;
        if (t->tag == TAG_A)
            strip_link_start(s, t);
        if (t->tag == TAG_MATH && !t->self_closing)
            strip_math_start(s, t);
    } else if (s->math.state != 0) {
        strip_math_tag(s, t);
    }
    if (element_traits[t->tag] & ELEMENT_VOID || (foreign && t->self_closing) ||
        ((t->tag == TAG_SVG || t->tag == TAG_MATH) && t->self_closing))
        return;
    strip_open(s, t);
    if (t->tag == TAG_SCRIPT && s->open_n[TAG_TEMPLATE] == 0)
        strip_json_ld_start(s, t);
    if (t->tag == TAG_A && s->link_open)
        strip_link_place(s);
    if (s->d->xml && t->self_closing)
        on_end_tag(s, t);
}

static void
on_doctype(void *self, struct str name, const struct str *public_id,
           const struct str *system_id, bool quirks)
{
    struct strip *s = self;
    struct str id = public_id ? *public_id : (struct str)STR("");

    (void)system_id;
    (void)quirks;
    if (!str_eq_nocase(name, S("html")))
        return;
    s->d->doctype = "HTML5";
    if (str_starts_nocase(id, S("-//W3C//DTD XHTML")))
        s->d->doctype = "XHTML";
    else if (id.n > 0)
        s->d->doctype = "HTML4";
}

static void
begin(struct strip *s, struct document *d, bool keep_noscript)
{
    s->d = d;
    s->page = ARENA_NEW(d->arena, struct page_counts);
    s->page->containers_n = 1;
    s->page->heads =
        arena_raw(d->arena, STRIP_HEADS_MAX * sizeof *s->page->heads);
    s->keep_noscript = keep_noscript;
    d->doctype = "UNKNOWN";
    d->links_dropped = 0;
    buf_clear(&s->text);
    buf_clear(&s->lines);
    buf_clear(&s->asides);
    s->aside_at = 0;
    buf_clear(&s->title);
    buf_clear(&s->anchor);
    buf_clear(&s->json_ld);
    s->in_json_ld = false;
    s->json_ld_bytes = 0;
    s->blank_pending = s->gap = s->link_open = s->base_seen = false;
    s->in_title = s->title_done = false;
    s->break_run = s->gap_tags = s->gap_images = s->alternates_n = 0;
    s->tag_at = s->text_at = 0;
    s->now = (struct markup_counts){0};
    s->self_link = (struct strip_self_link){0};
    memset(s->notes, 0, sizeof s->notes);
    s->notes_n = s->note_due = 0;
    s->power = false;
    s->math = (struct strip_math){0};
    s->ruby = 0;
    s->blocks = NULL;
    s->links = NULL;
    s->blocks_n = s->blocks_cap = s->links_n = s->links_cap = 0;
    s->parts = NULL;
    s->parts_cap = s->parts_n = s->lists_n = 0;
    s->tables_n = s->rows_n = s->cells_n = 0;
    s->from_end = false;
    s->title_words = s->summary_words = (struct title_words){.n = 0};
    strip_stack_reset(s);
}

static void
read_page(struct strip *s, struct document *d, bool keep_noscript)
{
    const struct token_sink sink = {.self = s,
                                    .text = on_text,
                                    .start_tag = on_start_tag,
                                    .end_tag = on_end_tag,
                                    .doctype = on_doctype};

    begin(s, d, keep_noscript);
    strip_link_refresh(s, document_header(d, S("Refresh")));
    (d->xml ? tokenizer_run_xml : tokenizer_run)(s->tokenizer, d->utf8, &sink);
    if (s->in_title)
        title_end(s);
    if (s->in_json_ld)
        strip_json_ld_end(s);
    strip_flush(s);
}

static uint32_t
text_bytes(const struct strip *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->blocks_n && n < NOSCRIPT_BYTES; i++)
        n += (uint32_t)s->blocks[i].text.n;
    return n;
}

static void
finish(struct strip *s, struct document *d)
{
    const uint32_t article = 1u << HINT_ARTICLE;

    strip_links_finish(s);
    strip_forms_finish(s);
    s->page->title_words_n = s->title_words.n;
    s->page->summary_words_n = s->summary_words.n;
    s->page->article_body = (s->stack[0].hints | s->stack[1].hints) & article;
    d->blocks = s->blocks;
    d->blocks_n = s->blocks_n;
    d->parts = s->parts;
    d->parts_n = s->parts_n;
    d->page_counts = s->page;
    if (d->blocks_n == 0)
        document_reject(d, VERDICT_EMPTY);
    s->d = NULL;
    s->page = NULL;
    s->blocks = NULL;
    s->parts = NULL;
    s->links = NULL;
}

static void
strip_free(struct strip *s)
{
    tokenizer_free(s->tokenizer);
    buf_free(&s->text);
    buf_free(&s->lines);
    buf_free(&s->asides);
    buf_free(&s->title);
    buf_free(&s->anchor);
    buf_free(&s->json_ld);
    memory_free(s);
}

/* NULL: out of memory. */
static struct strip *
borrow(struct strip_pool *pool)
{
    struct strip *s;

    pthread_mutex_lock(&pool->lock);
    if ((s = pool->spare) != NULL)
        pool->spare = s->next;
    pthread_mutex_unlock(&pool->lock);
    if (s != NULL || (s = memory_zero(1, sizeof *s)) == NULL)
        return s;
    s->pool = pool;
    if ((s->tokenizer = tokenizer_new()) == NULL) {
        strip_free(s);
        return NULL;
    }
    return s;
}

static void
give_back(void *what)
{
    struct strip *s = what;

    pthread_mutex_lock(&s->pool->lock);
    s->next = s->pool->spare;
    s->pool->spare = s;
    pthread_mutex_unlock(&s->pool->lock);
}

static enum status
strip_run(const void *self, struct document *d)
{
    const struct strip_stage *stage = self;
    struct strip *s = borrow(stage->pool);
    struct memory_held held;

    if (s == NULL)
        return ST_NOMEM;
    memory_hold(&held, give_back, s);
    s->url_max = stage->url_max;
    if (d->link_bytes_max > 0 && d->link_bytes_max < s->url_max)
        s->url_max = d->link_bytes_max;
    read_page(s, d, false);
    if (s->page->noscript_bytes > 3 * text_bytes(s) + 200 &&
        text_bytes(s) < NOSCRIPT_BYTES)
        read_page(s, d, true);
    finish(s, d);
    if (stage->trace)
        strip_trace(s, d);
    memory_let_go(&held);
    give_back(s);
    return ST_OK;
}

static enum status
strip_open_stage(void **self, const struct opts *o)
{
    struct strip_stage *stage = memory_zero(1, sizeof *stage);

    if (stage == NULL ||
        (stage->pool = memory_zero(1, sizeof *stage->pool)) == NULL) {
        memory_free(stage);
        return ST_NOMEM;
    }
    pthread_mutex_init(&stage->pool->lock, NULL);
    stage->url_max = STRIP_HREF_BYTES;
    if (o != NULL && o->clean_link_bytes_max < STRIP_HREF_BYTES)
        stage->url_max = o->clean_link_bytes_max;
    stage->trace = o != NULL && o->log_parse;
    char_class_init();
    hint_init();
    lexicon_init();
    *self = stage;
    return ST_OK;
}

static void
strip_close_stage(void *self)
{
    struct strip_stage *stage = self;
    struct strip *s, *next;

    if (stage == NULL)
        return;
    for (s = stage->pool->spare; s != NULL; s = next) {
        next = s->next;
        strip_free(s);
    }
    pthread_mutex_destroy(&stage->pool->lock);
    memory_free(stage->pool);
    memory_free(stage);
}

const struct stage stage_strip = {
    .name = "strip",
    .needs = DOC_UTF8,
    .gives = DOC_BLOCKS,
    .open = strip_open_stage,
    .run = strip_run,
    .close = strip_close_stage,
};
