/* learn.c -- what scorer learned learns, inside the frontier's transactions: a
 * verdict's lesson is durable with the verdict, or never was. */
#include <math.h>

#include "frontier/features/trap.h"
#include "frontier/inside.h"
#include "frontier/store/pack.h"

enum status
frontier_learn_open(struct frontier *f, const struct opts *o)
{
    f->tools = (struct scorer_tools){&f->random, &f->learner};
    return f->scorer->host != NULL ? learner_open(&f->learner, o) : ST_OK;
}

void
frontier_learn_close(struct frontier *f)
{
    learner_close(&f->learner);
}

struct link_signals
frontier_signals(const struct frontier *f, const struct row_queued *q,
                 struct str authority)
{
    const struct row_facts *p = &q->facts;
    struct sibling_counts siblings = {0};

    if (f->learner.siblings != NULL && p->parent_host != 0 && !p->sitemap)
        siblings =
            siblings_of(f->learner.siblings, p->parent_host, p->parent_hash);

    return (struct link_signals){.badness = p->badness,
                                 .has_badness = p->has_badness,
                                 .parent = p->parent,
                                 .seed = p->seed,
                                 .boilerplate = p->boilerplate,
                                 .depth = p->depth,
                                 .relation = p->relation,
                                 .parent_host = p->parent_host,
                                 .listed = p->sitemap,
                                 .dated = p->lastmod_ms > 0,
                                 .features = p->features,
                                 .siblings = siblings,
                                 .host = authority,
                                 .rest = q->rest};
}

static void
tell(struct frontier *f, const struct host *h, const struct learner_case *c,
     enum outcome_class class)
{
    buf_clear(&f->db->row);
    buf_printf(&f->db->row, "%.*s %s", STRF(h->row.name),
               outcome_class_name(class));
    learner_lesson(c, &f->db->row);
    f->lesson(f->lesson_self, buf_view(&f->db->row));
}

#define NEWS_PAGES 4.0

/* The thousandth page of a host says little of the web. */
static double
news(const struct outcome_counts *host)
{
    return 1 / sqrt(1 + (double)outcomes_pages(host) / NEWS_PAGES);
}

void
frontier_learn(struct frontier *f, const struct host *h, size_t url_class,
               const struct row_queued *q, enum outcome_class class)
{
    const struct link_signals s = frontier_signals(f, q, h->row.name);
    const struct scorer_host host = {h->row.name, h->row.domain,
                                     &h->row.outcomes};
    struct learner *l = &f->learner;
    struct scorer_yields y;
    struct learner_case c;
    double works, good;
    size_t of_link;

    if (l->model == NULL)
        return;
    y = frontier_yields(f, &h->row);
    y.url_class = &h->row.url_classes.item[url_class].outcomes;
    c.n = 0;
    learner_link(l, &c, &s);
    of_link = c.n;
    learner_host(l, &c, &host);
    learner_url_class(l, &c, &y);
    if (f->lesson != NULL)
        tell(f, h, &c, class);
    good = model_chance(model_sum(l->model, c.f, c.n));
    works = learner_works(l, &y, s.seed, model_sum(l->there, c.f, of_link));
    model_count(l->model, works * good, class == CLASS_KEPT);
    if (!s.seed)
        model_learn(l->there, c.f, of_link, works - (class != CLASS_ERROR));
    if (class != CLASS_ERROR) /* what is not there might have been good */
        model_learn(l->model, c.f, c.n,
                    news(&h->row.outcomes) * (good - (class == CLASS_KEPT)));
    if (q->facts.parent_host != 0 && !q->facts.sitemap)
        siblings_count(l->siblings, q->facts.parent_host, q->facts.parent_hash,
                       class == CLASS_ERROR, class == CLASS_KEPT);
    link_rot_learn(&l->link_rot, y.host, s.seed, class == CLASS_ERROR);
}

/* ---- what is queued ---- */

#define CHANGE_LEAST 300u /* of 65534: 0.2 logit */

static enum status
move(struct frontier *f, struct host *h, struct row_position from, uint16_t to,
     struct row_queued *q)
{
    struct row_seen seen = {.state = ROW_QUEUED, .position = from};
    struct str url;
    enum status st;

    arena_reset(f->db->scratch);
    q->rest = arena_str(f->db->scratch, q->rest);
    url = row_queued_url(q, h->row.name, f->db->scratch);
    seen.position.priority = to;
    url_store_count_queued(f->db, from.priority, -1);
    url_store_count_queued(f->db, to, 1);
    if ((st = url_store_queue_remove(f->db, h, from)) != ST_OK ||
        (st = url_store_queue_add(f->db, h, seen.position, q)) != ST_OK)
        return st;
    return url_store_seen_put(f->db, row_seen_key(h->row.name, url), &seen);
}

/* A URL was scored by an older model: does it still deserve its place?  It
 * keeps its URL class. */
static enum status
look_again(struct frontier *f, struct host *h, struct row_position position,
           bool upwards, bool *moved)
{
    struct link_signals s;
    struct row_queued q;
    uint16_t now;
    enum status st;

    *moved = false;
    if (position.priority == ROW_PRIORITY_ROBOTS)
        return ST_OK;
    if ((st = url_store_queue_read(f->db, position, &q)) != ST_OK ||
        q.kind != FRONTIER_PAGE) /* a sitemap is no page to be judged */
        return st;
    s = frontier_signals(f, &q, h->row.name);
    now = scorer_priority(f->scorer->score(&s, &f->tools));
    if (f->rules.traps && !s.seed)
        now = trap_priority(trap_of(q.rest, f->year), now);
    if (now + CHANGE_LEAST > position.priority &&
        (!upwards || now < position.priority + CHANGE_LEAST ||
         position.priority <= ROW_PRIORITY_DEFERRED))
        return ST_OK;
    *moved = true;
    return move(f, h, position, now, &q);
}

enum status
frontier_learn_follow(struct frontier *f, struct host *h, size_t url_class)
{
    const struct url_class *s = &h->row.url_classes.item[url_class];
    bool moved;

    if (!f->scorer->fresh || s->queued == 0)
        return ST_OK;
    return look_again(f, h,
                      (struct row_position){h->id, (uint8_t)url_class,
                                            s->head_priority, s->head_sequence},
                      true, &moved);
}

/* ---- before a URL is leased ---- */

static enum status
lower_head(struct frontier *f, struct host *h, bool *lowered)
{
    struct frontier_head head;

    *lowered = false;
    if (!frontier_head(f, h->id, &h->row, &head))
        return ST_OK;
    return look_again(f, h, head.position, false, lowered);
}

bool
frontier_learn_best(struct frontier *f, size_t *left, struct host **out,
                    enum status *st)
{
    uint32_t id, best;
    bool lowered = false;

    *st = ST_OK;
    while (scheduler_best(f->scheduler, &id)) {
        if ((*st = url_store_host(f->db, id, out)) != ST_OK)
            return false;
        if (!f->scorer->fresh || *left == 0)
            return true;
        --*left;
        if ((*st = lower_head(f, *out, &lowered)) != ST_OK)
            return false;
        frontier_hosts_settle(f);
        frontier_host_schedule(f, id, &(*out)->row); /* the model has changed */
        if (!lowered && scheduler_best(f->scheduler, &best) && best == id)
            return true;
    }
    return false;
}

/* ---- the store ---- */

/* The languages it learns for: a reader may not know the job. */
static enum status
load_languages(struct frontier *f)
{
    struct str codes, code;
    struct crawl_languages *l = &f->learner.languages;
    enum status st =
        tables_get(f->db->tables, TABLE_META, S("languages"), &codes);

    if (st != ST_OK || !f->db->reader)
        return st == ST_NONE ? ST_OK : st;
    for (l->n = 0; str_word(&codes, &code) && l->n < CRAWL_LANGUAGES_MAX;)
        crawl_languages_add(l, code);
    return ST_OK;
}

static enum status
save_languages(struct frontier *f)
{
    const struct crawl_languages *l = &f->learner.languages;

    buf_clear(&f->db->row);
    for (size_t i = 0; i < l->n; i++)
        buf_printf(&f->db->row, "%s ", l->code[i]);
    return tables_put(f->db->tables, TABLE_META, S("languages"),
                      buf_view(&f->db->row));
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
load_chunk(struct frontier *f, uint32_t chunk)
{
    struct row_key key = row_host_key(chunk);
    struct str value = S("");
    enum status st =
        tables_get(f->db->tables, TABLE_MODEL, row_bytes(&key), &value);

    if (st != ST_OK && st != ST_NONE)
        return st;
    return read_chunk(&f->learner, chunk, value) ? ST_OK
                                                 : url_store_corrupt("model");
}

static enum status
load_classes(struct frontier *f)
{
    struct str value = S("");
    enum status st =
        tables_get(f->db->tables, TABLE_META, S("reliability"), &value);

    if (st != ST_OK && st != ST_NONE)
        return st;
    return model_read_classes(f->learner.model, value)
               ? ST_OK
               : url_store_corrupt("meta");
}

static enum status
load_link_rot(struct frontier *f)
{
    struct link_rot_crawl *c = &f->learner.link_rot;
    struct str value = S("");
    struct unpack u;
    bool bad = false;
    enum status st = tables_get(f->db->tables, TABLE_META, S("alive"), &value);

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
save_link_rot(struct frontier *f)
{
    const struct link_rot_crawl *c = &f->learner.link_rot;

    buf_clear(&f->db->row);
    for (size_t i = 0; i < LINK_ROT_RUNS; i++) {
        pack_number(&f->db->row, c->tried[i]);
        pack_number(&f->db->row, c->working[i]);
    }
    pack_number(&f->db->row, c->seeds);
    pack_number(&f->db->row, c->seeds_working);
    return tables_put(f->db->tables, TABLE_META, S("alive"),
                      buf_view(&f->db->row));
}

static enum status
load_counts(struct frontier *f)
{
    enum status st = load_classes(f);

    f->learner.stored = model_cases(f->learner.model);
    return st == ST_OK ? load_link_rot(f) : st;
}

/* Was what is stored learnt with these features? */
static enum status
load_version(struct frontier *f, bool *known)
{
    struct str value = S("");
    struct unpack u;
    enum status st =
        tables_get(f->db->tables, TABLE_META, S("features"), &value);

    u = (struct unpack){value, false};
    *known = st == ST_OK && unpack_fixed(&u, 8) == learner_version();
    return st == ST_NONE ? ST_OK : st;
}

static enum status
save_version(struct frontier *f)
{
    buf_clear(&f->db->row);
    pack_fixed(&f->db->row, learner_version(), 8);
    return tables_put(f->db->tables, TABLE_META, S("features"),
                      buf_view(&f->db->row));
}

enum status
frontier_learn_load(struct frontier *f)
{
    struct str key, value;
    enum status st;
    bool known;

    if (f->learner.model == NULL)
        return ST_OK;
    if ((st = load_version(f, &known)) != ST_OK)
        return st;
    if (!known) {
        model_forget(f->learner.model);
        model_forget(f->learner.there);
        return load_languages(f);
    }
    st = tables_seek(f->db->tables, TABLE_MODEL, S(""), &key, &value);
    for (; st == ST_OK;
         st = tables_next(f->db->tables, TABLE_MODEL, &key, &value))
        if (!read_chunk(&f->learner, row_be32(key), value))
            return url_store_corrupt("model");
    if (st == ST_NONE && (st = load_languages(f)) == ST_OK)
        st = load_counts(f);
    return st;
}

enum status
frontier_learn_save(struct frontier *f)
{
    struct learner *l = &f->learner;
    enum status st = ST_OK;
    bool any = l->model != NULL && model_cases(l->model) != l->stored;

    for (uint32_t chunk = 0;
         l->model != NULL && st == ST_OK && next_changed(l, &chunk); chunk++) {
        struct row_key key = row_host_key(chunk);

        any = true;
        model_write_chunk(model_of(l, chunk), chunk % MODEL_CHUNKS,
                          &f->db->row);
        st = tables_put(f->db->tables, TABLE_MODEL, row_bytes(&key),
                        buf_view(&f->db->row));
    }
    if (!any || st != ST_OK || (st = save_languages(f)) != ST_OK ||
        (st = save_version(f)) != ST_OK || (st = save_link_rot(f)) != ST_OK)
        return st;
    model_write_classes(l->model, &f->db->row);
    return tables_put(f->db->tables, TABLE_META, S("reliability"),
                      buf_view(&f->db->row));
}

void
frontier_learn_saved(struct frontier *f)
{
    if (f->learner.model == NULL)
        return;
    model_saved(f->learner.model);
    model_saved(f->learner.there);
    f->learner.stored = model_cases(f->learner.model);
}

enum status
frontier_learn_rollback(struct frontier *f)
{
    struct learner *l = &f->learner;
    enum status st = ST_OK;

    if (l->model == NULL)
        return ST_OK;
    for (uint32_t chunk = 0; st == ST_OK && next_changed(l, &chunk); chunk++)
        st = load_chunk(f, chunk);
    return st == ST_OK ? load_counts(f) : st;
}
