/* cleaner.c -- the chain with the stages of base/options/stage.tbl.h that
 * clean.chain names; chain_open() refuses an order that cannot work.
 *
 * A page may take clean.memory_mib on top of its own size, counted by its
 * arena.  What takes more, or what the system has no memory for, is given up in
 * the middle of a stage (memory.h) and becomes a document that has nothing but
 * its reason: stages keep what they own in the arena, or for the next page, so
 * nothing is left over. */
#include "cleaner.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "clean/charset/utf8.h"
#include "cleaner_chain.h"
#include "stages.h"

static const struct stage *const known[] = {
#define STAGE(name, help) &stage_##name,
    CLEAN_STAGES(STAGE, STAGE)
#undef STAGE
        NULL};

struct cleaner {
    struct chain *chain;
    size_t page_bytes; /* a page's arena, on top of the page */
};

static const struct stage *
stage_named(struct str name)
{
    for (size_t i = 0; known[i] != NULL; i++)
        if (str_eq(name, str_c(known[i]->name)))
            return known[i];
    return NULL;
}

/* The stages of clean.chain; its words are checked with the options. */
static void
choose(const struct opt_list *names,
       const struct stage *table[CHAIN_STAGES_MAX + 1])
{
    size_t n = 0;

    for (size_t i = 0; i < names->n && n < CHAIN_STAGES_MAX; i++)
        if ((table[n] = stage_named(names->item[i])) != NULL)
            n++;
    table[n] = NULL;
}

enum status
cleaner_open(struct cleaner **out, const struct opts *o)
{
    const struct stage *table[CHAIN_STAGES_MAX + 1];
    struct cleaner *c = memory_zero(1, sizeof *c);
    enum status st;

    *out = NULL;
    if (c == NULL)
        return ST_NOMEM;
    choose(&o->clean_chain, table);
    if ((st = chain_open(&c->chain, table, known, DOC_BYTES, o)) != ST_OK) {
        memory_free(c);
        return st;
    }
    c->page_bytes = (size_t)o->clean_memory_mib << 20;
    *out = c;
    return ST_OK;
}

void
cleaner_close(struct cleaner *c)
{
    if (c == NULL)
        return;
    chain_close(c->chain);
    memory_free(c);
}

bool
cleaner_has(const struct cleaner *c, const char *stage)
{
    for (size_t i = 0; i < chain_stages_n(c->chain); i++)
        if (strcmp(chain_stage_name(c->chain, i), stage) == 0)
            return true;
    return false;
}

struct cleaning {
    const struct cleaner *cleaner;
    struct document *d;
    bool all;
};

/* Bytes of a URL that are no UTF-8 get their escapes: which ones they were is
 * not lost. */
static struct str
url_as_text(struct arena *a, struct str url)
{
    static const char digits[] = "0123456789ABCDEF";
    char *text;
    size_t n = 0, bad;

    if ((bad = utf8_find_bad(url, 0)) == url.n)
        return url;
    text = arena_raw(a, 3 * url.n);
    for (size_t i = 0; i < url.n; i++) {
        unsigned char c = (unsigned char)url.p[i];

        if (i < bad) {
            text[n++] = url.p[i];
            continue;
        }
        text[n++] = '%';
        text[n++] = digits[c >> 4];
        text[n++] = digits[c & 15];
        bad = utf8_find_bad(url, i + 1);
    }
    return str_n(text, n);
}

/* What stands beside the page may be any bytes, too, and is written as text
 * (headers: as ISO-8859-1, by those who write them). */
static void
make_texts(struct document *d)
{
    struct str *const text[] = {&d->content_type, &d->site_rights,
                                &d->site_tdmrep,  &d->origin.ip,
                                &d->origin.file,  &d->origin.last_modified};

    d->url_text = url_as_text(d->arena, d->url_text);
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        *text[i] = utf8_repair(d->arena, *text[i]);
}

static enum status
run(void *self)
{
    const struct cleaning *r = self;

    make_texts(r->d);
    return chain_run(r->cleaner->chain, r->d, r->all);
}

/* Nothing of what the stages made of it is to be used. */
static void
give_up(struct document *d)
{
    *d = (struct document){.arena = d->arena,
                           .id = d->id,
                           .origin = d->origin,
                           .url_text = d->url_text,
                           .bytes = d->bytes,
                           .content_type = d->content_type,
                           .x_robots_tag = d->x_robots_tag,
                           .robots_agent = d->robots_agent,
                           .site_rights = d->site_rights,
                           .site_tdmrep = d->site_tdmrep,
                           .link_bytes_max = d->link_bytes_max,
                           .charset = STR(""),
                           .charset_from = "",
                           .utf8 = STR(""),
                           .doctype = "UNKNOWN",
                           .reject = VERDICT_MEMORY};
}

enum status
cleaner_run(const struct cleaner *c, struct document *d, bool all)
{
    struct cleaning r = {c, d, all};
    enum status st;

    if (d->id.z[0] == '\0')
        d->id = document_id_make(d->url_text, hash64(d->bytes));
    arena_limit(d->arena, c->page_bytes + d->bytes.n);
    st = memory_guarded(run, &r);
    arena_limit(d->arena, SIZE_MAX);
    if (st != ST_NOMEM && st != ST_LIMIT)
        return st;
    give_up(d);
    if (st == ST_LIMIT)
        return ST_OK;
    log_warn("clean", "url=%.*s reject=memory: the system has no more",
             STRF(d->url_text));
    return st;
}

const struct chain *
cleaner_chain(const struct cleaner *c)
{
    return c->chain;
}
