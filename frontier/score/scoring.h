/* scoring.h -- the scorer of a frontier: what links are worth when they are
 * queued, with what the queued ones compete, and what is learnt from those that
 * have ended.
 *
 * Statistics move whole URL classes: the rows stay where they are, the choice
 * among the heads of a host's URL classes is made anew each time. */
#ifndef FRONTIER_SCORING_H
#define FRONTIER_SCORING_H

#include "frontier/store/url_store.h"
#include "scorer.h"
#include "watch.h"

struct scoring; /* opaque; see frontier/score/scoring_inside.h */

/* ST_USAGE: options of the scorer cannot be used (reported).  *out is to be
 * closed either way. */
enum status scoring_open(struct scoring **out, const struct scorer *scorer,
                         struct url_store *db, struct random *random,
                         const struct opts *o, uint64_t now_ms);
void scoring_close(struct scoring *sc); /* NULL is allowed */
const struct scorer *scoring_scorer(const struct scoring *sc);
void *scoring_state(const struct scoring *sc); /* of the scorer; for tests */

/* What was learnt: from the store, what has changed into it, that is durable
 * now, back to what the store has. */
enum status scoring_load(struct scoring *sc);
enum status scoring_save(struct scoring *sc);
/* What a scorer has learnt is a hundred rows that every report changes: from
 * now on they are saved once in `lag_ms`, so that lessons of that time are
 * forgotten by kill -9 (and no more than lessons); the next commit has all that
 * was learnt so far.  0: with each commit, as at first.  Nothing of a scorer
 * that goes from URL to URL. */
void scoring_save_later(struct scoring *sc, uint64_t lag_ms);
void scoring_saved(struct scoring *sc);
enum status scoring_rollback(struct scoring *sc);

/* ---- links ---- */
/* What markup says of a link's language, as far as it matters; else its words.
 */
enum url_language scoring_language(const struct scoring *sc, struct str code,
                                   enum link_words words);
struct link_signals scoring_signals(const struct scoring *sc,
                                    const struct row_queued *q,
                                    struct str authority);
double scoring_score(const struct scoring *sc, const struct link_signals *s,
                     struct str url);
/* The chance that a link to a host that was never met will be kept; of a scorer
 * that has `now`. */
double scoring_chance_of_unknown(const struct scoring *sc, struct str authority,
                                 struct str domain, double score);
/* Does somebody want to hear of every score?  Then tell them. */
bool scoring_is_watched(const struct scoring *sc);
void scoring_tell(const struct scoring *sc, const struct frontier_link *link,
                  double chance);

/* ---- what is queued (host_head.c) ---- */
/* A host's best URL: of the heads of its URL classes the one that competes with
 * the highest priority.  False: nothing is queued. */
struct scoring_head {
    struct row_position position;
    uint16_t priority;  /* its row's, or less: lowered.h */
    uint16_t effective; /* the priority it competes with */
};
bool scoring_head(const struct scoring *sc, uint32_t id,
                  const struct row_host *h, struct scoring_head *out);
void scoring_any_head(const struct scoring *sc, const struct host *h,
                      struct row_position *out); /* when one is queued */
uint16_t scoring_effective(const struct scoring *sc, const struct row_host *h,
                           size_t url_class, uint16_t priority);
/* The chance that it will be kept, which may be less than that. */
double scoring_chance(const struct scoring *sc, const struct row_host *h,
                      size_t url_class, uint16_t priority);
/* What is the same for all URL classes of a host (but for .url_class). */
struct scorer_yields scoring_yields(const struct scoring *sc,
                                    const struct row_host *h);

/* ---- what has ended ---- */
/* A page of host h, before it is counted. */
void scoring_learn(struct scoring *sc, const struct row_host *h,
                   size_t url_class, const struct row_queued *q,
                   enum outcome_class class);
/* What the scorer makes of a queued URL, and how reliable it has been: text. */
void scoring_explain(const struct scoring *sc, const struct row_host *h,
                     size_t url_class, const struct row_queued *q,
                     struct buf *out);
void scoring_reliability(const struct scoring *sc, struct buf *out);

/* ---- a scorer that says itself what is next ---- */
enum status scoring_seeded(struct scoring *sc, struct str url);
enum status scoring_ended(struct scoring *sc, const struct frontier_done *d);
/* *next: what alone may be leased; its URL has the highest priority now. */
enum status scoring_next(struct scoring *sc, struct scorer_next *next);
/* The lowest priority that may be leased then: that URL's. */
#define SCORING_NEXT_PRIORITY 65534u
/* Its way so far; nothing of other scorers. */
enum status scoring_print(const struct scoring *sc, struct buf *out);

/* ---- scored again (rescore.c) ---- */
/* The URL at this position, the best of its URL class, was scored by an older
 * model: does it still deserve it?  If not it counts for what it deserves (more
 * only when `upwards`), and *changed; its row moves only when that cannot be
 * remembered (lowered.h).  The scheduler is to hear of it. */
enum status scoring_rescore(struct scoring *sc, struct host *h,
                            struct row_position position, bool upwards,
                            bool *changed);
/* A page of the URL class has ended: its best URL is scored again. */
enum status scoring_follow(struct scoring *sc, struct host *h,
                           size_t url_class);

/* ---- for the laboratory: see frontier/frontier_lab.h ---- */
void scoring_set_greedy_oracle(struct scoring *sc, frontier_greedy_oracle *ask,
                               void *self);
void scoring_set_scored(struct scoring *sc, frontier_scored *tell, void *self);
void scoring_set_lesson(struct scoring *sc, frontier_lesson *tell, void *self);

#endif
