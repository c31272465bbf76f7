/* st_spelling.c -- British and American English: told apart, or turned into one
 * another.  Off unless clean.english; documents that are declared to be in
 * another language are left alone. */
#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "clean/blocks/block_edit.h"
#include "clean/chain/data_dir.h"
#include "clean/chain/stage.h"
#include "spelling.h"

#define FILE_BYTES ((size_t)4 << 20)

struct english {
    struct spelling *spelling;
    enum spelling_side to; /* SPELLING_UNKNOWN: only told apart */
};

static void
close_english(void *self)
{
    struct english *e = self;

    if (e == NULL)
        return;
    spelling_free(e->spelling);
    memory_free(e);
}

static enum status
open_english(void **self, const struct opts *o)
{
    struct arena *a;
    struct buf text = {0};
    struct english *e;
    const char *path;
    uint32_t bad = 0;
    enum status st;

    if (str_eq(o->clean_english, S("off")))
        return ST_OK;
    if ((e = memory_zero(1, sizeof *e)) == NULL)
        return ST_NOMEM;
    a = arena_new();
    if (str_eq(o->clean_english, S("british")))
        e->to = SPELLING_BRITISH;
    if (str_eq(o->clean_english, S("american")))
        e->to = SPELLING_AMERICAN;
    path = arena_printf(a, "%.*s/british-american.tsv", STRF(data_dir(a, o))).p;
    st = file_read(&text, path, FILE_BYTES);
    if (st != ST_OK)
        log_error("clean", "file=%s fault=\"%s\"", path,
                  st == ST_LIMIT ? "too large" : strerror(errno));
    if (st == ST_OK)
        st = spelling_parse(&e->spelling, buf_view(&text), &bad);
    if (bad > 0)
        log_warn("clean", "file=british-american.tsv lines_ignored=%u", bad);
    buf_free(&text);
    arena_free(a);
    if (st == ST_OK)
        *self = e;
    else
        close_english(e);
    return st;
}

static struct str
change(const void *self, struct arena *a, struct str s, bool code)
{
    const struct english *e = self;

    return code ? s : spelling_turn(e->spelling, a, s, e->to);
}

static enum status
run(const void *self, struct document *d)
{
    static const struct str names[] = {STR(""), STR("British"),
                                       STR("American")};
    const struct english *e = self;
    uint32_t n[3] = {0};

    if (e == NULL || (d->meta.language.n > 0 &&
                      !str_starts_nocase(d->meta.language, S("en"))))
        return ST_OK;
    for (uint32_t i = 0; i < d->blocks_n; i++)
        if (d->blocks[i].kept && !d->blocks[i].code)
            spelling_count(e->spelling, d->blocks[i].text, n);
    d->meta.english = names[spelling_decide(n)];
    if (e->to != SPELLING_UNKNOWN)
        document_change(d, change, e);
    return ST_OK;
}

const struct stage stage_spelling = {
    .name = "spelling",
    .needs = DOC_BLOCKS | DOC_BOILERPLATE,
    .open = open_english,
    .run = run,
    .close = close_english,
};
