/* library.c -- libwinnow: the public names of winnow/clean.h over cleaner.h.
 *
 * A page is an arena: the input is copied into it first, so that nothing points
 * outside.  The lists of blocks and links with C strings are made at once; they
 * cost little beside the cleaning.  Messages that would go to the log are
 * caught (log_capture) and given to the caller.
 *
 * Whatever allocates runs guarded (memory.h), so that no memory is a status to
 * the host: what is half made then lies in the page, which is freed. */
#include "winnow/clean.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "clean/cleaner/cleaner.h"
#include "clean/write/facts.h"
#include "clean/write/writer.h"
#include "winnow/log.h"
#include "winnow/memory.h"

struct winnow_cleaner {
    struct cleaner *chain;
    struct opts opts;
};

struct winnow_page {
    const struct winnow_cleaner *cleaner;
    struct arena *arena;
    struct document doc;
    struct str text;
    struct winnow_summary summary;
    struct winnow_block *block;
    struct winnow_link *link;
};

static int
code(enum status st)
{
    switch (st) {
    case ST_OK: return WINNOW_OK;
    case ST_USAGE: return WINNOW_USAGE;
    case ST_IO:
    case ST_INVALID: return WINNOW_DATA;
    case ST_NOMEM: return WINNOW_NOMEM;
    default: return WINNOW_FAULT;
    }
}

const char *
winnow_version(void)
{
    return WINNOW_VERSION;
}

/* ---- cleaners ---- */

struct fault_lines {
    FILE *file;
    char *lines;
    size_t n;
};

static void
close_faults(void *self)
{
    struct fault_lines *f = self;

    if (f->file != NULL)
        fclose(f->file);
    free(f->lines);
}

/* Apply all; faults as lines into `why`. */
static enum status
set_options(struct opts *o, const char *const *options, struct buf *why)
{
    struct fault_lines f = {0};
    struct memory_held held;
    enum status st = ST_OK;

    if ((f.file = open_memstream(&f.lines, &f.n)) == NULL)
        return ST_NOMEM;
    memory_hold(&held, close_faults, &f);
    o->faults = f.file;
    for (; options != NULL && *options != NULL; options++)
        if (opts_set(o, "options", str_c(*options)) != ST_OK)
            st = ST_USAGE;
    fclose(f.file);
    f.file = o->faults = NULL;
    buf_add(why, f.lines, f.n);
    memory_let_go(&held);
    free(f.lines);
    return st;
}

static void
give_error(struct str why, char *error, size_t error_size)
{
    size_t n = why.n < error_size ? why.n : error_size - 1;

    if (error_size == 0)
        return;
    while (n > 0 && why.p[n - 1] == '\n')
        n--;
    memcpy(error, why.p, n);
    error[n] = '\0';
}

struct open_call {
    struct winnow_cleaner *cleaner;
    const char *const *options;
    struct buf why;
    bool whole; /* it returned */
};

static enum status
open_cleaner(void *self)
{
    struct open_call *c = self;
    struct opts *o = &c->cleaner->opts;
    enum status st;

    opts_init(o);
    st = set_options(o, c->options, &c->why);
    if (st == ST_OK) {
        log_capture(&c->why);
        st = cleaner_open(&c->cleaner->chain, o);
        log_capture(NULL);
    }
    c->whole = true;
    return st;
}

int
winnow_cleaner_open(struct winnow_cleaner **out, const char *const *options,
                    char *error, size_t error_size)
{
    struct open_call call = {.options = options,
                             .cleaner = calloc(1, sizeof *call.cleaner)};
    struct str why;
    enum status st;

    *out = NULL;
    st = call.cleaner == NULL ? ST_NOMEM : memory_owned(open_cleaner, &call);
    log_capture(NULL);
    if (st == ST_OK) {
        *out = call.cleaner;
    } else if (call.whole) {
        winnow_cleaner_close(call.cleaner);
    } else { /* what was made of it is given back */
        free(call.cleaner);
        call.why = (struct buf){0};
    }
    why = st == ST_OK       ? S("")
          : call.why.n == 0 ? str_c(status_name(st))
                            : buf_view(&call.why);
    give_error(why, error, error_size);
    buf_free(&call.why);
    return code(st);
}

void
winnow_cleaner_close(struct winnow_cleaner *c)
{
    if (c == NULL)
        return;
    cleaner_close(c->chain);
    opts_free(&c->opts);
    free(c);
}

/* ---- pages ---- */

static const char *
languages_of(struct arena *a, const struct document *d)
{
    struct buf out = {.arena = a};

    fact_add(S("languages"), d, &out);
    return arena_cstr(a, buf_view(&out));
}

static void
fill_summary(struct winnow_page *p)
{
    const struct document *d = &p->doc;
    struct arena *a = p->arena;

    p->summary = (struct winnow_summary){
        .reject = d->reject == VERDICT_NONE ? "" : verdict_name(d->reject),
        .reject_reason =
            d->reject == VERDICT_NONE ? "" : verdict_text(d->reject),
        .id = arena_cstr(a, str_c(d->id.z)),
        .url = arena_cstr(a, d->url_text),
        .title = arena_cstr(a, d->meta.title),
        .description = arena_cstr(a, d->meta.description),
        .keywords = arena_cstr(a, d->meta.keywords),
        .author = arena_cstr(a, d->meta.author),
        .date = arena_cstr(a, d->meta.date),
        .canonical = arena_cstr(a, d->meta.canonical),
        .language_declared = arena_cstr(a, d->meta.language),
        .charset = arena_cstr(a, d->charset),
        .language = arena_cstr(a, d->language),
        .badness = d->badness,
        .language_best = arena_cstr(a, d->language_best),
        .badness_best = d->badness_best,
        .boilerplate_mean = d->boilerplate_mean,
        .chars = d->kept_chars,
        .chars_all = d->all_chars,
        .blocks_kept_n = d->kept_blocks_n,
        .blocks_n = d->blocks_n,
        .tokens_n = d->tokens_n,
        .links_n = d->links_n,
        .reject_detail = arena_cstr(a, d->reject_detail),
        .languages = languages_of(a, d)};
}

static void
fill_blocks(struct winnow_page *p)
{
    const struct document *d = &p->doc;

    p->block = ARENA_ARRAY(p->arena, struct winnow_block, d->blocks_n);
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        const struct block *b = &d->blocks[i];

        p->block[i] = (struct winnow_block){
            .text = arena_cstr(p->arena, b->text),
            .text_n = b->text.n,
            .boilerplate = (double)b->boilerplate,
            .kept = b->kept,
            .duplicate_of = b->duplicate_of,
            .chars = b->chars,
            .tokens = b->tokens,
            .container = arena_cstr(p->arena, b->container)};
    }
}

static void
fill_links(struct winnow_page *p)
{
    const struct document *d = &p->doc;

    p->link = ARENA_ARRAY(p->arena, struct winnow_link, d->links_n);
    for (uint32_t i = 0; i < d->links_n; i++) {
        const struct link *l = &d->links[i];
        bool inside = l->block_i < d->blocks_n;

        p->link[i] = (struct winnow_link){
            .url = arena_cstr(p->arena, l->url),
            .anchor = arena_cstr(p->arena, l->anchor),
            .block_i = l->block_i,
            .boilerplate =
                inside ? (double)d->blocks[l->block_i].boilerplate : 1,
            .relation = (int)l->relation,
            .nofollow = l->nofollow};
    }
}

static void
fill_text(struct winnow_page *p)
{
    struct buf text = {.arena = p->arena};

    document_text(&p->doc, &text);
    p->text = buf_keep(&text);
}

static struct str
copy(struct arena *a, const char *z)
{
    return arena_str(a, str_c(z));
}

struct clean_call {
    const struct winnow_cleaner *cleaner;
    struct winnow_page *page;
    struct str bytes;
    const char *url, *content_type, *x_robots_tag;
    struct buf log;
};

static enum status
clean(void *self)
{
    struct clean_call *c = self;
    struct winnow_page *p = c->page;
    enum status st;

    p->arena = arena_new();
    p->doc = (struct document){.arena = p->arena,
                               .url_text = copy(p->arena, c->url),
                               .bytes = arena_str(p->arena, c->bytes),
                               .content_type = copy(p->arena, c->content_type),
                               .x_robots_tag = copy(p->arena, c->x_robots_tag),
                               .robots_agent = S("winnow")};
    log_capture(&c->log);
    st = cleaner_run(c->cleaner->chain, &p->doc, true);
    log_capture(NULL);
    if (st != ST_OK)
        return st;
    fill_summary(p);
    fill_blocks(p);
    fill_links(p);
    fill_text(p);
    return ST_OK;
}

int
winnow_clean(const struct winnow_cleaner *c, const void *bytes, size_t n,
             const char *url, const char *content_type,
             const char *x_robots_tag, struct winnow_page **out)
{
    struct clean_call call = {.cleaner = c,
                              .page = calloc(1, sizeof *call.page),
                              .bytes = n > 0 ? str_n(bytes, n) : S(""),
                              .url = url,
                              .content_type = content_type,
                              .x_robots_tag = x_robots_tag};
    enum status st = ST_NOMEM;

    *out = NULL;
    if (call.page == NULL)
        return WINNOW_NOMEM;
    call.page->cleaner = c;
    if (n <= INT_MAX)
        st = memory_guarded(clean, &call);
    log_capture(NULL);
    buf_free(&call.log);
    if (st != ST_OK)
        winnow_page_free(call.page);
    else
        *out = call.page;
    return code(st);
}

void
winnow_page_free(struct winnow_page *p)
{
    if (p == NULL)
        return;
    arena_free(p->arena);
    free(p);
}

const char *
winnow_page_text(const struct winnow_page *p, size_t *n)
{
    if (n != NULL)
        *n = p->text.n;
    return p->text.p;
}

const struct winnow_summary *
winnow_page_summary(const struct winnow_page *p)
{
    return &p->summary;
}

const struct winnow_block *
winnow_page_block(const struct winnow_page *p, size_t i)
{
    return i < p->doc.blocks_n ? &p->block[i] : NULL;
}

const struct winnow_link *
winnow_page_link(const struct winnow_page *p, size_t i)
{
    return i < p->doc.links_n ? &p->link[i] : NULL;
}

struct record_call {
    struct winnow_page *page;
    const struct writer *writer;
    struct str record;
};

static enum status
render(void *self)
{
    struct record_call *c = self;
    struct buf out = {.arena = c->page->arena};

    c->writer->render(&c->page->cleaner->opts, &c->page->doc, &out);
    c->record = buf_keep(&out);
    return ST_OK;
}

int
winnow_page_record(struct winnow_page *p, const char *format,
                   const char **record, size_t *n)
{
    struct record_call call = {.page = p, .writer = writer_find(str_c(format))};
    enum status st;

    if (call.writer == NULL)
        return WINNOW_UNKNOWN;
    st = memory_guarded(render, &call);
    if (st != ST_OK)
        return code(st);
    *record = call.record.p;
    if (n != NULL)
        *n = call.record.n;
    return WINNOW_OK;
}
