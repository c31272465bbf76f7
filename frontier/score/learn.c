/* learn.c -- what scorer learned learns, inside the frontier's transactions: a
 * verdict's lesson is durable with the verdict, or never was. */
#include <math.h>

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
                                 .place = p->place,
                                 .siblings = siblings,
                                 .host = authority,
                                 .rest = q->rest};
}

/* The page was there with chance `alive` and good with chance `good`; when it
 * is not there, that may have been due to the link as well as to its host: the
 * slope of the log loss of alive * good. */
static double
wrong_by(double alive, double good, enum cause cause)
{
    if (cause == CAUSE_ERROR)
        return alive * good * (1 - good) / (1 - alive * good);
    return good - (cause == CAUSE_KEPT);
}

static void
tell(struct frontier *f, const struct host *h, const struct learner_case *c,
     enum cause cause)
{
    buf_clear(&f->row);
    buf_printf(&f->row, "%.*s %s", STRF(h->row.name), cause_name(cause));
    learner_lesson(c, &f->row);
    f->lesson(f->lesson_self, buf_view(&f->row));
}

#define NEWS_PAGES 4.0

/* The thousandth page of a host says little of the web. */
static double
news(const struct causes *host)
{
    return 1 / sqrt(1 + (double)causes_pages(host) / NEWS_PAGES);
}

void
frontier_learn(struct frontier *f, const struct host *h, size_t shelf,
               const struct row_queued *q, enum cause cause)
{
    const struct link_signals s = frontier_signals(f, q, h->row.name);
    const struct scorer_host host = {h->row.name, h->row.domain,
                                     &h->row.causes};
    struct learner *l = &f->learner;
    struct scorer_yields y;
    struct learner_case c;
    double alive, good;

    if (l->model == NULL)
        return;
    y = frontier_yields(f, &h->row);
    y.shelf = &h->row.shelves.item[shelf].causes;
    c.n = 0;
    learner_link(l, &c, &s);
    learner_host(l, &c, &host);
    learner_shelf(l, &c, &y);
    if (f->lesson != NULL)
        tell(f, h, &c, cause);
    good = model_chance(model_sum(l->model, c.f, c.n));
    alive = learner_alive(l, &y, s.seed);
    model_count(l->model, alive * good, cause == CAUSE_KEPT);
    model_learn(l->model, c.f, c.n,
                news(&h->row.causes) * wrong_by(alive, good, cause));
    if (q->facts.parent_host != 0 && !q->facts.sitemap)
        siblings_count(l->siblings, q->facts.parent_host, q->facts.parent_hash,
                       cause == CAUSE_ERROR, cause == CAUSE_KEPT);
    alive_learn(&l->alive, y.host, s.seed, cause == CAUSE_ERROR);
}

/* ---- before a URL is leased ---- */

#define LOWER_LEAST 300u /* of 65534: 0.1 logit */

/* The host's best URL was scored by an older model: does it still deserve its
 * place?  It goes back when it does not, and keeps its shelf. */
static enum status
lower_head(struct frontier *f, struct host *h, bool *lowered)
{
    struct row_seen seen = {.state = ROW_QUEUED};
    struct frontier_head head;
    struct link_signals s;
    struct row_queued q;
    struct str url;
    uint16_t now;
    enum status st;

    *lowered = false;
    if (!frontier_head(f, h->id, &h->row, &head) ||
        head.place.priority == ROW_PRIORITY_ROBOTS)
        return ST_OK;
    if ((st = frontier_queue_read(f, head.place, &q)) != ST_OK ||
        q.kind != FRONTIER_PAGE) /* a sitemap is no page to be judged */
        return st;
    s = frontier_signals(f, &q, h->row.name);
    now = scorer_priority(f->scorer->score(&s, &f->tools));
    if (now + LOWER_LEAST > head.place.priority)
        return ST_OK;
    *lowered = true;
    arena_reset(f->scratch);
    q.rest = arena_str(f->scratch, q.rest);
    url = frontier_queued_url(&q, h->row.name, f->scratch);
    seen.place = head.place;
    seen.place.priority = now;
    frontier_count_queued(f, head.place.priority, -1);
    frontier_count_queued(f, now, 1);
    if ((st = frontier_queue_remove(f, h, head.place)) != ST_OK ||
        (st = frontier_queue_add(f, h, seen.place, &q)) != ST_OK)
        return st;
    return frontier_seen_put(f, row_seen_key(h->row.name, url), &seen);
}

bool
frontier_learn_best(struct frontier *f, size_t *left, struct host **out,
                    enum status *st)
{
    uint32_t id, best;
    bool lowered = false;

    *st = ST_OK;
    while (agenda_best(f->agenda, &id)) {
        if ((*st = frontier_host(f, id, out)) != ST_OK)
            return false;
        if (!f->scorer->fresh || *left == 0)
            return true;
        --*left;
        if ((*st = lower_head(f, *out, &lowered)) != ST_OK)
            return false;
        frontier_hosts_settle(f);
        frontier_host_agenda(f, id, &(*out)->row); /* the model has changed */
        if (!lowered && agenda_best(f->agenda, &best) && best == id)
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
    struct mark_languages *l = &f->learner.languages;
    enum status st = tables_get(f->tables, TABLE_META, S("languages"), &codes);

    if (st != ST_OK || !f->reader)
        return st == ST_NONE ? ST_OK : st;
    for (l->n = 0; str_word(&codes, &code) && l->n < MARK_LANGUAGES_MAX;)
        mark_add(l, code);
    return ST_OK;
}

static enum status
save_languages(struct frontier *f)
{
    const struct mark_languages *l = &f->learner.languages;

    buf_clear(&f->row);
    for (size_t i = 0; i < l->n; i++)
        buf_printf(&f->row, "%s ", l->code[i]);
    return tables_put(f->tables, TABLE_META, S("languages"), buf_view(&f->row));
}

static enum status
load_chunk(struct frontier *f, uint32_t chunk)
{
    struct row_key key = row_host_key(chunk);
    struct str value = S("");
    enum status st =
        tables_get(f->tables, TABLE_MODEL, row_bytes(&key), &value);

    if (st != ST_OK && st != ST_NONE)
        return st;
    return model_read_chunk(f->learner.model, chunk, value)
               ? ST_OK
               : frontier_corrupt("model");
}

static enum status
load_classes(struct frontier *f)
{
    struct str value = S("");
    enum status st =
        tables_get(f->tables, TABLE_META, S("reliability"), &value);

    if (st != ST_OK && st != ST_NONE)
        return st;
    return model_read_classes(f->learner.model, value)
               ? ST_OK
               : frontier_corrupt("meta");
}

static enum status
load_alive(struct frontier *f)
{
    struct alive_crawl *c = &f->learner.alive;
    struct str value = S("");
    struct unpack u;
    bool bad = false;
    enum status st = tables_get(f->tables, TABLE_META, S("alive"), &value);

    *c = (struct alive_crawl){0};
    if (st != ST_OK)
        return st == ST_NONE ? ST_OK : st;
    u = (struct unpack){value, false};
    for (size_t i = 0; i < ALIVE_RUNS; i++) {
        c->tried[i] = unpack_u32(&u);
        c->alive[i] = unpack_u32(&u);
        bad = bad || c->alive[i] > c->tried[i];
    }
    c->seeds = unpack_u32(&u);
    c->seeds_alive = unpack_u32(&u);
    return u.bad || bad || c->seeds_alive > c->seeds ? frontier_corrupt("meta")
                                                     : ST_OK;
}

static enum status
save_alive(struct frontier *f)
{
    const struct alive_crawl *c = &f->learner.alive;

    buf_clear(&f->row);
    for (size_t i = 0; i < ALIVE_RUNS; i++) {
        pack_number(&f->row, c->tried[i]);
        pack_number(&f->row, c->alive[i]);
    }
    pack_number(&f->row, c->seeds);
    pack_number(&f->row, c->seeds_alive);
    return tables_put(f->tables, TABLE_META, S("alive"), buf_view(&f->row));
}

static enum status
load_counts(struct frontier *f)
{
    enum status st = load_classes(f);

    return st == ST_OK ? load_alive(f) : st;
}

/* Was what is stored learnt with these features? */
static enum status
load_version(struct frontier *f, bool *known)
{
    struct str value = S("");
    struct unpack u;
    enum status st = tables_get(f->tables, TABLE_META, S("features"), &value);

    u = (struct unpack){value, false};
    *known = st == ST_OK && unpack_fixed(&u, 8) == learner_version();
    return st == ST_NONE ? ST_OK : st;
}

static enum status
save_version(struct frontier *f)
{
    buf_clear(&f->row);
    pack_fixed(&f->row, learner_version(), 8);
    return tables_put(f->tables, TABLE_META, S("features"), buf_view(&f->row));
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
        return load_languages(f);
    }
    st = tables_seek(f->tables, TABLE_MODEL, S(""), &key, &value);
    for (; st == ST_OK; st = tables_next(f->tables, TABLE_MODEL, &key, &value))
        if (!model_read_chunk(f->learner.model, row_be32(key), value))
            return frontier_corrupt("model");
    if (st == ST_NONE && (st = load_languages(f)) == ST_OK)
        st = load_counts(f);
    return st;
}

enum status
frontier_learn_save(struct frontier *f)
{
    struct model *m = f->learner.model;
    enum status st = ST_OK;
    bool any = false;

    for (uint32_t chunk = 0;
         m != NULL && st == ST_OK && model_changed(m, &chunk); chunk++) {
        struct row_key key = row_host_key(chunk);

        any = true;
        model_write_chunk(m, chunk, &f->row);
        st = tables_put(f->tables, TABLE_MODEL, row_bytes(&key),
                        buf_view(&f->row));
    }
    if (!any || st != ST_OK || (st = save_languages(f)) != ST_OK ||
        (st = save_version(f)) != ST_OK || (st = save_alive(f)) != ST_OK)
        return st;
    model_write_classes(m, &f->row);
    return tables_put(f->tables, TABLE_META, S("reliability"),
                      buf_view(&f->row));
}

enum status
frontier_learn_rollback(struct frontier *f)
{
    struct model *m = f->learner.model;
    enum status st = ST_OK;

    if (m == NULL)
        return ST_OK;
    for (uint32_t chunk = 0; st == ST_OK && model_changed(m, &chunk); chunk++)
        st = load_chunk(f, chunk);
    return st == ST_OK ? load_counts(f) : st;
}
