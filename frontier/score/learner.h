/* learner.h -- scorer `learned`: the chance that a page, if it is there, will
 * be kept, and the chance that it is there, learnt from this crawl's own
 * verdicts.
 *
 * Two models see the same features of the link.  The first adds what its host
 * has yielded and starts from a prior.  The second starts from nothing: its sum
 * moves what the counts of host and URL class say (link_rot.h), since dead
 * links come in kinds, too: those of an old page, of a removed section, of a
 * template.
 *
 * The features (learner.tbl.h) come in three parts: of the link, fixed when it
 * is queued; of its host; of its URL class.  The last two are looked at when it
 * competes, so they move everything that is queued.  Beside the named features
 * there are hashed ones, of which nothing is known at the start: words of the
 * URL's path and of the anchor, directories of the host, the linking host; the
 * host, its labels, domain and top-level domain.
 *
 * Not thread-safe; one per frontier. */
#ifndef FRONTIER_LEARNER_H
#define FRONTIER_LEARNER_H

#include "base/options/opt.h"
#include "frontier/features/url_language.h"
#include "model.h"
#include "scorer.h"

#define LEARNER_KINDS 14u      /* of features without a name */
#define LEARNER_NAMED_MAX 128u /* with one, at most */

struct learner {
    struct model *model;
    struct model *there; /* is what a link leads to there? of links alone */
    struct crawl_languages languages;
    struct link_rot_crawl link_rot;
    struct siblings *siblings;
    uint64_t stored; /* cases that the store has counted */
    uint64_t kind_hash[LEARNER_KINDS];
    /* Not looked at (frontier.without): */
    bool blind[LEARNER_NAMED_MAX], blind_kind[LEARNER_KINDS];
};

/* Weights of the features with a name, from lines "NAME<tab>weight"; false: a
 * line is none.  Those that are not named are 0. */
bool learner_prior(float weights[LEARNER_NAMED_MAX], struct str text);

/* ST_USAGE: frontier.prior or frontier.without cannot be used (reported). */
enum status learner_open(struct learner *l, const struct opts *o);
void learner_close(struct learner *l);

struct learner_case {
    struct model_feature f[MODEL_FEATURES_MAX];
    struct str text[MODEL_FEATURES_MAX];  /* of hashed ones: what was hashed */
    const char *kind[MODEL_FEATURES_MAX]; /* NULL: a named one */
    size_t n;
    const struct learner *of;
};

/* Append the features of one part. */
void learner_link(const struct learner *l, struct learner_case *c,
                  const struct link_signals *s);
void learner_host(const struct learner *l, struct learner_case *c,
                  const struct scorer_host *h);
void learner_url_class(const struct learner *l, struct learner_case *c,
                       const struct scorer_yields *y);

/* Sums of one part of a case, in logits. */
struct learner_sums { /* what a link says, in logits: */
    double good;      /* that its page will be kept, if it is there */
    double there;     /* that it is there, more than others of its URL class */
};
struct learner_sums learner_link_sums(const struct learner *l,
                                      const struct link_signals *s);
double learner_host_sum(const struct learner *l, const struct scorer_host *h);
double learner_url_class_sum(const struct learner *l,
                             const struct scorer_yields *y);

/* The chance that a seed, a link leads to a page; `there`: see above. */
double learner_works(const struct learner *l, const struct scorer_yields *y,
                     bool seed, double there);

/* Tells the features: what was learnt with others means nothing to these. */
uint64_t learner_version(void);

/* The named features as text, " NAME=value" each. */
void learner_lesson(const struct learner_case *c, struct buf *out);

/* Name of feature i of a case, for people. */
void learner_say(const struct learner_case *c, size_t i, struct buf *out);

#endif
