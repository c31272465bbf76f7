/* scoring.c -- see scoring.h: the scorer in use, and what it is asked. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/options/opt.h"
#include "frontier/features/trap.h"
#include "scoring_inside.h"

enum status
scoring_open(struct scoring **out, const struct scorer *scorer,
             struct url_store *db, struct random *random, const struct opts *o,
             uint64_t now_ms)
{
    struct scoring *sc = memory_need(calloc(1, sizeof *sc));

    *sc = (struct scoring){.scorer = scorer,
                           .tools = {.random = random},
                           .db = db,
                           .traps = o->traps_lower,
                           .host_pages = o->traps_host_pages,
                           .shape_pages = o->traps_shape_pages,
                           .year = trap_year(now_ms)};
    *out = sc;
    return scorer->open != NULL ? scorer->open(&sc->tools.state, o) : ST_OK;
}

void
scoring_close(struct scoring *sc)
{
    if (sc == NULL)
        return;
    if (sc->scorer->close != NULL)
        sc->scorer->close(sc->tools.state);
    buf_free(&sc->said);
    free(sc);
}

const struct scorer *
scoring_scorer(const struct scoring *sc)
{
    return sc->scorer;
}

void *
scoring_state(const struct scoring *sc)
{
    return sc->tools.state;
}

/* ---- the store ---- */

enum status
scoring_load(struct scoring *sc)
{
    return sc->scorer->load != NULL ? sc->scorer->load(sc->tools.state, sc->db)
                                    : ST_OK;
}

void
scoring_save_later(struct scoring *sc, uint64_t lag_ms)
{
    sc->lag_ms = sc->scorer->saved != NULL ? lag_ms : 0;
    sc->saved_ms = 0;
}

enum status
scoring_save(struct scoring *sc)
{
    sc->saving =
        sc->lag_ms == 0 || clock_steady_ms() - sc->saved_ms >= sc->lag_ms;
    return sc->saving && sc->scorer->save != NULL
               ? sc->scorer->save(sc->tools.state, sc->db)
               : ST_OK;
}

void
scoring_saved(struct scoring *sc)
{
    if (!sc->saving || sc->scorer->saved == NULL)
        return;
    sc->saved_ms = clock_steady_ms();
    sc->scorer->saved(sc->tools.state);
}

enum status
scoring_rollback(struct scoring *sc)
{
    return sc->scorer->rollback != NULL
               ? sc->scorer->rollback(sc->tools.state, sc->db)
               : ST_OK;
}

/* ---- links ---- */

enum url_language
scoring_language(const struct scoring *sc, struct str code,
                 enum link_words words)
{
    enum url_language said = sc->scorer->language != NULL
                                 ? sc->scorer->language(sc->tools.state, code)
                                 : URL_LANGUAGE_NONE;

    return said != URL_LANGUAGE_NONE ? said : url_language_of_words(words);
}

struct link_signals
scoring_signals(const struct scoring *sc, const struct row_queued *q,
                struct str authority)
{
    const struct row_facts *p = &q->facts;
    struct sibling_counts siblings = {0};

    if (sc->scorer->siblings != NULL && p->parent_host != 0 && !p->sitemap)
        siblings = sc->scorer->siblings(sc->tools.state, p->parent_host,
                                        p->parent_hash);
    return (struct link_signals){.badness = p->badness,
                                 .has_badness = p->has_badness,
                                 .parent = p->parent,
                                 .seed = p->seed,
                                 .boilerplate = p->boilerplate,
                                 .depth = p->depth,
                                 .relation = p->relation,
                                 .parent_host = p->parent_host,
                                 .parent_page = p->parent_hash,
                                 .listed = p->sitemap,
                                 .dated = p->lastmod_ms > 0,
                                 .features = p->features,
                                 .siblings = siblings,
                                 .host = authority,
                                 .rest = q->rest};
}

double
scoring_score(const struct scoring *sc, const struct link_signals *s,
              struct str url)
{
    return sc->oracle != NULL ? sc->oracle(sc->oracle_self, url)
                              : sc->scorer->score(s, &sc->tools);
}

double
scoring_chance_of_unknown(const struct scoring *sc, struct str authority,
                          struct str domain, double score)
{
    const struct outcome_counts none = {{0}};
    const struct scorer_host host = {authority, domain, &none};
    struct scorer_yields nothing = {.url_class = &none, .host = &none};

    if (sc->scorer->host != NULL)
        nothing.host_score = sc->scorer->host(&host, &sc->tools);
    return sc->scorer->chance != NULL
               ? sc->scorer->chance(score, &nothing, &sc->tools)
               : sc->scorer->now(score, &nothing, &sc->tools);
}

bool
scoring_is_watched(const struct scoring *sc)
{
    return sc->scored != NULL;
}

void
scoring_tell(const struct scoring *sc, const struct frontier_link *link,
             double chance)
{
    sc->scored(sc->scored_self, link, chance);
}

/* ---- what is next ---- */

enum status
scoring_seeded(struct scoring *sc, struct str url)
{
    return sc->scorer->seeded != NULL
               ? sc->scorer->seeded(sc->tools.state, sc->db, url)
               : ST_OK;
}

enum status
scoring_ended(struct scoring *sc, const struct frontier_done *d)
{
    return sc->scorer->ended != NULL
               ? sc->scorer->ended(sc->tools.state, sc->db, d)
               : ST_OK;
}

enum status
scoring_print(const struct scoring *sc, struct buf *out)
{
    return sc->scorer->print != NULL
               ? sc->scorer->print(sc->tools.state, sc->db, out)
               : ST_OK;
}

/* ---- pages ---- */

static struct scorer_lesson
lesson_of(const struct scoring *sc, const struct row_host *h, size_t url_class,
          const struct row_queued *q)
{
    bool linked = q->facts.parent_host != 0 && !q->facts.sitemap;
    struct scorer_lesson n = {.link = scoring_signals(sc, q, h->name),
                              .host = {h->name, h->domain, &h->outcomes},
                              .yields = scoring_yields(sc, h),
                              .parent_host = linked ? q->facts.parent_host : 0,
                              .parent_hash = q->facts.parent_hash};

    n.yields.url_class = &h->url_classes.item[url_class].outcomes;
    return n;
}

void
scoring_learn(struct scoring *sc, const struct row_host *h, size_t url_class,
              const struct row_queued *q, enum outcome_class class)
{
    struct scorer_lesson n;
    bool told = sc->lesson != NULL;

    if (sc->scorer->learn == NULL)
        return;
    n = lesson_of(sc, h, url_class, q);
    n.class = class;
    buf_clear(&sc->said);
    if (told)
        buf_printf(&sc->said, "%.*s %s", STRF(h->name),
                   outcome_class_name((int)class));
    sc->scorer->learn(sc->tools.state, &n, told ? &sc->said : NULL);
    if (told)
        sc->lesson(sc->lesson_self, buf_view(&sc->said));
}

void
scoring_explain(const struct scoring *sc, const struct row_host *h,
                size_t url_class, const struct row_queued *q, struct buf *out)
{
    struct scorer_lesson n;

    if (sc->scorer->explain == NULL)
        return;
    n = lesson_of(sc, h, url_class, q);
    sc->scorer->explain(sc->tools.state, &n, out);
}

void
scoring_reliability(const struct scoring *sc, struct buf *out)
{
    if (sc->scorer->reliability != NULL)
        sc->scorer->reliability(sc->tools.state, out);
}

/* ---- for the laboratory ---- */

void
scoring_set_greedy_oracle(struct scoring *sc, frontier_greedy_oracle *ask,
                          void *self)
{
    sc->oracle = ask;
    sc->oracle_self = self;
}

void
scoring_set_scored(struct scoring *sc, frontier_scored *tell, void *self)
{
    sc->scored = tell;
    sc->scored_self = self;
}

void
scoring_set_lesson(struct scoring *sc, frontier_lesson *tell, void *self)
{
    sc->lesson = tell;
    sc->lesson_self = self;
}
