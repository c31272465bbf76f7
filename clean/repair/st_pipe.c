/* st_pipe.c -- the operator's own filter program (pipe_filter.h).  Off unless
 * clean.pipe names a command.
 *
 * The kept blocks of a document go to it, one a line (code: its lines), and
 * come back as many lines; an empty one empties its block.  Each thread that
 * cleans uses a child of its own, taken from a pool.  A document that the
 * filter fails on keeps its text, or is rejected, as clean.pipe_failure says.
 */
#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "clean/blocks/block_edit.h"
#include "clean/chain/stage.h"
#include "clean/charset/utf8.h"
#include "pipe_filter.h"

struct spare {
    struct pipe_filter *filter;
    struct spare *next;
};

struct filter_pool {
    pthread_mutex_t lock;
    struct spare *spares;
    char *command;
    enum pipe_framing framing;
    uint64_t timeout_ms, failures;
    bool reject;
};

struct handle {
    struct filter_pool *pool;
};

static void
close_pool(void *self)
{
    struct handle *h = self;
    struct spare *s, *next;

    if (h == NULL)
        return;
    for (s = h->pool->spares; s != NULL; s = next) {
        next = s->next;
        pipe_filter_free(s->filter);
        memory_free(s);
    }
    pthread_mutex_destroy(&h->pool->lock);
    free(h->pool->command);
    memory_free(h->pool);
    memory_free(h);
}

static enum status
open_pool(void **self, const struct opts *o)
{
    struct handle *h;
    struct filter_pool *p;

    if (o->clean_pipe.n == 0)
        return ST_OK;
    h = memory_zero(1, sizeof *h);
    p = memory_zero(1, sizeof *p);
    if (h == NULL || p == NULL ||
        (p->command = strndup(o->clean_pipe.p, o->clean_pipe.n)) == NULL) {
        memory_free(h);
        memory_free(p);
        return ST_NOMEM;
    }
    pthread_mutex_init(&p->lock, NULL);
    p->framing =
        str_eq(o->clean_pipe_framing, S("length")) ? PIPE_LENGTH : PIPE_LINES;
    p->timeout_ms = o->clean_pipe_timeout_ms;
    p->reject = str_eq(o->clean_pipe_failure, S("reject"));
    h->pool = p;
    *self = h;
    return ST_OK;
}

static struct spare *
borrow(struct filter_pool *p)
{
    struct spare *s;

    pthread_mutex_lock(&p->lock);
    if ((s = p->spares) != NULL)
        p->spares = s->next;
    pthread_mutex_unlock(&p->lock);
    if (s != NULL)
        return s;
    if ((s = memory_zero(1, sizeof *s)) != NULL &&
        (s->filter = pipe_filter_new(str_c(p->command), p->framing,
                                     p->timeout_ms)) == NULL) {
        memory_free(s);
        return NULL;
    }
    return s;
}

static void
give_back(struct filter_pool *p, struct spare *s, enum status st,
          const struct document *d)
{
    uint64_t n = 0;

    pthread_mutex_lock(&p->lock);
    s->next = p->spares;
    p->spares = s;
    if (st != ST_OK)
        n = ++p->failures;
    pthread_mutex_unlock(&p->lock);
    if (n > 0 && (n & (n - 1)) == 0) /* the 1st, 2nd, 4th, 8th ... */
        log_warn("pipe", "url=%.*s failures=%llu reason=%s", STRF(d->url_text),
                 (unsigned long long)n, status_name(st));
}

static bool
is_code(const struct block *b)
{
    return b->form.form == FORM_CODE;
}

static void
add_block(struct buf *out, const struct block *b)
{
    buf_str(out, b->text);
    for (size_t i = out->n - b->text.n; i < out->n; i++)
        if (out->p[i] == '\r' || (out->p[i] == '\n' && !is_code(b)))
            out->p[i] = ' ';
    buf_char(out, '\n');
}

static uint32_t
lines_n(struct str s)
{
    uint32_t n = 0;
    struct str line;

    while (str_cut(&s, '\n', &line))
        n++;
    return n;
}

/* As many lines of the answer as went there for the block. */
static struct str
cut_block(struct str *answer, const struct block *b)
{
    size_t end = str_find(*answer, '\n', 0);
    struct str text;

    for (size_t i = 0; is_code(b) && i < b->text.n; i++)
        if (b->text.p[i] == '\n')
            end = str_find(*answer, '\n', end + 1);
    text = str_sub(*answer, 0, end);
    *answer = str_sub(*answer, end + 1, answer->n);
    return text;
}

static void
take_back(struct document *d, struct str answer)
{
    for (uint32_t i = 0; i < d->blocks_n; i++) {
        struct block *b = &d->blocks[i];
        struct str text;

        if (!b->kept)
            continue;
        text = cut_block(&answer, b);
        if (str_eq(text, b->text))
            continue;
        if (!is_code(b) || str_trim(text).n == 0)
            text = str_trim(text);
        block_set_text(d, b, utf8_repair(d->arena, arena_str(d->arena, text)));
    }
}

static enum status
run(const void *self, struct document *d)
{
    const struct handle *h = self;
    struct buf in = {.arena = d->arena}, out = {.arena = d->arena};
    struct spare *s;
    enum status st;

    if (h == NULL || d->kept_blocks_n == 0)
        return ST_OK;
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept)
            add_block(&in, &d->blocks[i]);
    if ((s = borrow(h->pool)) == NULL)
        return ST_NOMEM;
    st = pipe_filter_run(s->filter, buf_view(&in), &out);
    if (st == ST_OK && lines_n(buf_view(&out)) != lines_n(buf_view(&in)))
        st = ST_INVALID;
    give_back(h->pool, s, st, d); /* before there is anything to allocate */
    if (st == ST_OK)
        take_back(d, buf_view(&out));
    else if (h->pool->reject)
        document_reject(d, VERDICT_PIPE);
    return ST_OK;
}

const struct stage stage_pipe = {
    .name = "pipe",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE,
    .open = open_pool,
    .run = run,
    .close = close_pool,
};
