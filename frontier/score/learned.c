/* learned.c -- scorer `learned`: what it learns from an ended page, and how
 * that is kept in the store.  Inside the frontier's transactions: a verdict's
 * lesson is durable with the verdict, or never was. */
#include <math.h>

#include <stdlib.h>

#include "base/memory.h"
#include "frontier/store/pack.h"
#include "frontier/store/url_store.h"
#include "learned.h"

#define NEWS_PAGES 4.0

/* The thousandth page of a host says little of the web. */
static double
news(const struct outcome_counts *host)
{
    return 1 / sqrt(1 + (double)outcomes_pages(host) / NEWS_PAGES);
}

enum status
learned_open(void **state, const struct opts *o)
{
    struct learner *l = memory_need(calloc(1, sizeof *l));
    enum status st = learner_open(l, o);

    *state = l;
    return st;
}

void
learned_close(void *state)
{
    if (state == NULL)
        return;
    learner_close(state);
    free(state);
}

struct sibling_counts
learned_siblings(const void *state, uint32_t host, uint64_t page)
{
    const struct learner *l = state;

    return siblings_of(l->siblings, host, page);
}

enum url_language
learned_language(const void *state, struct str code)
{
    const struct learner *l = state;

    return url_language_of_code(&l->languages, code);
}

void
learned_learn(void *state, const struct scorer_lesson *n, struct buf *said)
{
    struct learner *l = state;
    const struct link_signals *s = &n->link;
    const struct scorer_yields *y = &n->yields;
    const enum outcome_class class = n->class;
    struct learner_case c;
    double works, good;
    size_t of_link;

    c.n = 0;
    learner_link(l, &c, s);
    of_link = c.n;
    learner_host(l, &c, &n->host);
    learner_url_class(l, &c, y);
    if (said != NULL)
        learner_lesson(&c, said);
    good = model_chance(model_sum(l->model, c.f, c.n));
    works = learner_works(l, y, s->seed, model_sum(l->there, c.f, of_link));
    model_count(l->model, works * good, class == CLASS_KEPT);
    if (!s->seed)
        model_learn(l->there, c.f, of_link, works - (class != CLASS_ERROR));
    if (class != CLASS_ERROR) /* what is not there might have been good */
        model_learn(l->model, c.f, c.n,
                    news(n->host.outcomes) * (good - (class == CLASS_KEPT)));
    if (n->parent_host != 0 && s->features.path != LINK_PATH_HOME)
        siblings_count(l->siblings, n->parent_host, n->parent_hash,
                       class == CLASS_ERROR, class == CLASS_KEPT);
    if (s->features.path != LINK_PATH_HOME)
        link_rot_learn(&l->link_rot, y->host, s->seed, class == CLASS_ERROR);
}

/* ---- the store ---- */

/* The languages it learns for: a reader may not know the job. */
static enum status
load_languages(struct learner *l, struct url_store *db)
{
    struct str codes, code;
    struct crawl_languages *known = &l->languages;
    enum status st = tables_get(db->tables, TABLE_META, S("languages"), &codes);

    if (st != ST_OK || !db->reader)
        return st == ST_NONE ? ST_OK : st;
    for (known->n = 0;
         str_word(&codes, &code) && known->n < CRAWL_LANGUAGES_MAX;)
        crawl_languages_add(known, code);
    return ST_OK;
}

static enum status
save_languages(const struct learner *l, struct url_store *db)
{
    const struct crawl_languages *known = &l->languages;

    buf_clear(&db->row);
    for (size_t i = 0; i < known->n; i++)
        buf_printf(&db->row, "%s ", known->code[i]);
    return tables_put(db->tables, TABLE_META, S("languages"),
                      buf_view(&db->row));
}

/* Both models stand in one table, the chunks of the second behind those of the
 * first. */
#define CHUNKS (2 * MODEL_CHUNKS)

static struct model *
model_of(const struct learner *l, uint32_t chunk)
{
    return chunk < MODEL_CHUNKS ? l->model : l->there;
}

/* The next chunk of either that has changed, from *chunk on. */
static bool
next_changed(const struct learner *l, uint32_t *chunk)
{
    uint32_t at;

    for (; *chunk < CHUNKS;
         *chunk = (*chunk / MODEL_CHUNKS + 1) * MODEL_CHUNKS) {
        at = *chunk % MODEL_CHUNKS;
        if (!model_changed(model_of(l, *chunk), &at))
            continue;
        *chunk += at - *chunk % MODEL_CHUNKS;
        return true;
    }
    return false;
}

static bool
read_chunk(struct learner *l, uint32_t chunk, struct str value)
{
    return chunk < CHUNKS &&
           model_read_chunk(model_of(l, chunk), chunk % MODEL_CHUNKS, value);
}

static enum status
load_chunk(struct learner *l, struct url_store *db, uint32_t chunk)
{
    struct row_key key = row_host_key(chunk);
    struct str value = S("");
    enum status st =
        tables_get(db->tables, TABLE_MODEL, row_bytes(&key), &value);

    if (st != ST_OK && st != ST_NONE)
        return st;
    return read_chunk(l, chunk, value) ? ST_OK : url_store_corrupt("model");
}

static enum status
load_classes(struct learner *l, struct url_store *db)
{
    struct str value = S("");
    enum status st =
        tables_get(db->tables, TABLE_META, S("reliability"), &value);

    if (st != ST_OK && st != ST_NONE)
        return st;
    return model_read_classes(l->model, value) ? ST_OK
                                               : url_store_corrupt("meta");
}

static enum status
load_link_rot(struct learner *l, struct url_store *db)
{
    struct link_rot_crawl *c = &l->link_rot;
    struct str value = S("");
    struct unpack u;
    bool bad = false;
    enum status st = tables_get(db->tables, TABLE_META, S("alive"), &value);

    *c = (struct link_rot_crawl){0};
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    u = (struct unpack){value, false};
    for (size_t i = 0; i < LINK_ROT_RUNS; i++) {
        c->tried[i] = unpack_u32(&u);
        c->working[i] = unpack_u32(&u);
        bad = bad || c->working[i] > c->tried[i];
    }
    c->seeds = unpack_u32(&u);
    c->seeds_working = unpack_u32(&u);
    return u.bad || bad || c->seeds_working > c->seeds
               ? url_store_corrupt("meta")
               : ST_OK;
}

static enum status
save_link_rot(const struct learner *l, struct url_store *db)
{
    const struct link_rot_crawl *c = &l->link_rot;

    buf_clear(&db->row);
    for (size_t i = 0; i < LINK_ROT_RUNS; i++) {
        pack_number(&db->row, c->tried[i]);
        pack_number(&db->row, c->working[i]);
    }
    pack_number(&db->row, c->seeds);
    pack_number(&db->row, c->seeds_working);
    return tables_put(db->tables, TABLE_META, S("alive"), buf_view(&db->row));
}

static enum status
load_counts(struct learner *l, struct url_store *db)
{
    enum status st = load_classes(l, db);

    l->stored = model_cases(l->model);
    return st == ST_OK ? load_link_rot(l, db) : st;
}

/* Was what is stored learnt with these features? */
static enum status
load_version(struct url_store *db, bool *known)
{
    struct str value = S("");
    struct unpack u;
    enum status st = tables_get(db->tables, TABLE_META, S("features"), &value);

    u = (struct unpack){value, false};
    *known = st == ST_OK && unpack_fixed(&u, 8) == learner_version();
    return st == ST_NONE ? ST_OK : st;
}

static enum status
save_version(struct url_store *db)
{
    buf_clear(&db->row);
    pack_fixed(&db->row, learner_version(), 8);
    return tables_put(db->tables, TABLE_META, S("features"),
                      buf_view(&db->row));
}

enum status
learned_load(void *state, struct url_store *db)
{
    struct learner *l = state;
    struct str key, value;
    enum status st;
    bool known;

    if ((st = load_version(db, &known)) != ST_OK)
        return st;
    if (!known) {
        model_forget(l->model);
        model_forget(l->there);
        return load_languages(l, db);
    }
    st = tables_seek(db->tables, TABLE_MODEL, S(""), &key, &value);
    for (; st == ST_OK; st = tables_next(db->tables, TABLE_MODEL, &key, &value))
        if (!read_chunk(l, row_be32(key), value))
            return url_store_corrupt("model");
    if (st == ST_NONE && (st = load_languages(l, db)) == ST_OK)
        st = load_counts(l, db);
    return st;
}

enum status
learned_save(void *state, struct url_store *db)
{
    struct learner *l = state;
    enum status st = ST_OK;
    bool any = model_cases(l->model) != l->stored;

    for (uint32_t chunk = 0; st == ST_OK && next_changed(l, &chunk); chunk++) {
        struct row_key key = row_host_key(chunk);

        any = true;
        model_write_chunk(model_of(l, chunk), chunk % MODEL_CHUNKS, &db->row);
        st = tables_put(db->tables, TABLE_MODEL, row_bytes(&key),
                        buf_view(&db->row));
    }
    if (!any || st != ST_OK || (st = save_languages(l, db)) != ST_OK ||
        (st = save_version(db)) != ST_OK ||
        (st = save_link_rot(l, db)) != ST_OK)
        return st;
    model_write_classes(l->model, &db->row);
    return tables_put(db->tables, TABLE_META, S("reliability"),
                      buf_view(&db->row));
}

void
learned_saved(void *state)
{
    struct learner *l = state;

    model_saved(l->model);
    model_saved(l->there);
    l->stored = model_cases(l->model);
}

enum status
learned_rollback(void *state, struct url_store *db)
{
    struct learner *l = state;
    enum status st = ST_OK;

    for (uint32_t chunk = 0; st == ST_OK && next_changed(l, &chunk); chunk++)
        st = load_chunk(l, db, chunk);
    return st == ST_OK ? load_counts(l, db) : st;
}
