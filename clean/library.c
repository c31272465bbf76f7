/* library.c -- libwinnow: the public names of winnow/clean.h over cleaner.h.
 *
 * A page is an arena: the input is copied into it first, so that nothing points
 * outside.  The lists of blocks and links with C strings are made at once; they
 * cost little beside the cleaning.  Messages that would go to the log are
 * caught (log_capture) and given to the caller.
 *
 * Whatever allocates runs guarded (memory.h), so that no memory is a status to
 * the host: what is half made then lies in the page, which is freed. */
#include "library.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/document_id.h"
#include "base/log.h"
#include "base/memory.h"
#include "clean/write/facts.h"

int
library_code(enum status st)
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

const char *
winnow_status_text(int status)
{
    switch (status) {
    case WINNOW_OK: return "nothing is wrong";
    case WINNOW_USAGE: return "an option is wrong";
    case WINNOW_DATA: return "a file cannot be read";
    case WINNOW_NOMEM: return "out of memory";
    case WINNOW_FAULT: return "a fault of libwinnow";
    case WINNOW_UNKNOWN: return "no such format";
    case WINNOW_END: return "there is no more";
    case WINNOW_LONG: return "a page has at most 2147483647 bytes";
    default: return "unknown status";
    }
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

void
library_error(struct str why, char *error, size_t error_size)
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
        library_options(o, &c->cleaner->options);
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
    library_error(why, error, error_size);
    buf_free(&call.why);
    return library_code(st);
}

void
winnow_cleaner_close(struct winnow_cleaner *c)
{
    if (c == NULL)
        return;
    cleaner_close(c->chain);
    opts_free(&c->opts);
    buf_free(&c->options);
    free(c);
}

const char *
winnow_cleaner_options(const struct winnow_cleaner *c)
{
    return c->options.p;
}

/* ---- pages ---- */

static const char *
fact_of(struct str name, struct arena *a, const struct document *d)
{
    struct buf out = {.arena = a};

    fact_add(name, d, &out);
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
        .languages = fact_of(S("languages"), a, d),
        .badness_words = d->badness_parts.words,
        .badness_order = d->badness_parts.order,
        .badness_foreign = d->badness_parts.foreign,
        .site = arena_cstr(a, d->meta.site),
        .modified = arena_cstr(a, d->meta.modified),
        .section = arena_cstr(a, d->meta.section),
        .image = arena_cstr(a, d->meta.image),
        .licence = arena_cstr(a, d->meta.licence),
        .page_type = arena_cstr(a, d->meta.type),
        .candidates_n = d->meta.candidates_n,
        .charset_from = d->charset_from != NULL ? d->charset_from : "",
        .checks_n = d->reject == VERDICT_MEMORY ? 0 : FILTER_CHECKS_N,
        .page_kinds = fact_of(S("page_kinds"), a, d)};
}

static void
fill_checks(struct winnow_page *p)
{
    struct filter_limits limits;
    struct filter_check check[FILTER_CHECKS_N];

    filter_limits_of(&limits, &p->cleaner->opts);
    filter_checks(&limits, &p->doc, check);
    for (size_t i = 0; i < p->summary.checks_n; i++)
        p->check[i] =
            (struct winnow_check){.reject = verdict_name(check[i].verdict),
                                  .what = check[i].what,
                                  .option = check[i].option,
                                  .value = check[i].value,
                                  .limit = check[i].limit,
                                  .least = check[i].least,
                                  .met = check[i].met};
}

static const char *
sources_of(struct arena *a, const struct meta_candidate *c)
{
    struct buf out = {.arena = a};

    for (int s = 0; s < META_SOURCES_N; s++)
        if (c->sources >> s & 1)
            buf_printf(&out, "%s%s", out.n > 0 ? " " : "",
                       meta_source_name((enum meta_source)s));
    return arena_cstr(a, buf_view(&out));
}

static void
fill_candidates(struct winnow_page *p)
{
    const struct meta *m = &p->doc.meta;

    p->candidate =
        ARENA_ARRAY(p->arena, struct winnow_candidate, m->candidates_n);
    for (uint32_t i = 0; i < m->candidates_n; i++) {
        const struct meta_candidate *c = &m->candidates[i];

        p->candidate[i] =
            (struct winnow_candidate){.field = meta_field_name(c->field),
                                      .value = arena_cstr(p->arena, c->value),
                                      .sources = sources_of(p->arena, c),
                                      .confidence = (double)c->confidence,
                                      .chosen = c->chosen};
    }
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
            .nofollow = l->nofollow,
            .language = arena_cstr(p->arena, l->language)};
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
    const struct winnow_capture *capture;
    struct buf log;
};

static void
take_capture(struct winnow_page *p, const struct winnow_capture *x)
{
    struct arena *a = p->arena;
    struct str body = x->body_n > 0 ? str_n(x->body, x->body_n) : S("");

    p->doc =
        (struct document){.arena = a,
                          .origin = {.ip = copy(a, x->ip),
                                     .last_modified = copy(a, x->last_modified),
                                     .sitemap_ms = x->sitemap_ms,
                                     .headers = copy(a, x->headers),
                                     .file = copy(a, x->file),
                                     .offset = x->offset,
                                     .length = x->length,
                                     .decompressed = x->decompressed != 0,
                                     .cut = x->cut != 0,
                                     .fetched_ms = x->date_ms},
                          .url_text = copy(a, x->url),
                          .bytes = arena_str(a, body),
                          .content_type = copy(a, x->content_type),
                          .x_robots_tag = copy(a, x->x_robots_tag),
                          .robots_agent = S("winnow")};
    (void)document_id_read(str_c(x->id != NULL ? x->id : ""), &p->doc.id);
}

static enum status
clean(void *self)
{
    struct clean_call *c = self;
    struct winnow_page *p = c->page;
    enum status st;

    p->arena = arena_new();
    take_capture(p, c->capture);
    log_capture(&c->log);
    st = cleaner_run(c->cleaner->chain, &p->doc, true);
    log_capture(NULL);
    if (st != ST_OK)
        return st;
    fill_summary(p);
    fill_checks(p);
    fill_candidates(p);
    fill_blocks(p);
    fill_links(p);
    fill_text(p);
    return ST_OK;
}

int
winnow_clean_capture(const struct winnow_cleaner *c,
                     const struct winnow_capture *capture,
                     struct winnow_page **out)
{
    struct winnow_capture whole = {.size = sizeof whole};
    struct clean_call call = {
        .cleaner = c, .page = calloc(1, sizeof *call.page), .capture = &whole};
    enum status st;

    *out = NULL;
    if (call.page == NULL)
        return WINNOW_NOMEM;
    memcpy(&whole, capture,
           capture->size < sizeof whole ? capture->size : sizeof whole);
    if (whole.body_n > INT_MAX) {
        free(call.page);
        return WINNOW_LONG;
    }
    call.page->cleaner = c;
    st = memory_guarded(clean, &call);
    log_capture(NULL);
    buf_free(&call.log);
    if (st != ST_OK)
        winnow_page_free(call.page);
    else
        *out = call.page;
    return library_code(st);
}

int
winnow_clean(const struct winnow_cleaner *c, const void *bytes, size_t n,
             const char *url, const char *content_type,
             const char *x_robots_tag, struct winnow_page **out)
{
    const struct winnow_capture capture = {.size = sizeof capture,
                                           .body = bytes,
                                           .body_n = n,
                                           .url = url,
                                           .content_type = content_type,
                                           .x_robots_tag = x_robots_tag};

    return winnow_clean_capture(c, &capture, out);
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

const struct winnow_check *
winnow_page_check(const struct winnow_page *p, size_t i)
{
    return i < p->summary.checks_n ? &p->check[i] : NULL;
}

const struct winnow_candidate *
winnow_page_candidate(const struct winnow_page *p, size_t i)
{
    return i < p->summary.candidates_n ? &p->candidate[i] : NULL;
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
