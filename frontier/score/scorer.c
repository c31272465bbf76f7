/* scorer.c -- the table of scorers.
 *
 * badness, block and paper judge a link by the document it stands in; what its
 * host and URL class have yielded only takes away from that (by_waste()).
 *
 * quality() turns badness (0 running text of the language .. 40 and more:
 * another language, or no text) into the chance that a linked page will be
 * kept.  Web sites are mostly in one language, so the linking page says much
 * about the linked one.  The steep fall between 6 and 25 puts every link of a
 * page in another language below the seeds, that is below any host nobody has
 * looked at yet.
 *
 * A page of names or a list of links is as bad as one in another language, and
 * yet half of a good site hangs on such pages: so the language counts apart,
 * as far as the cleaner could tell it.
 *
 * A seed is an unknown: it goes behind the links of good documents and before
 * those of doubtful ones (SEED_SCORE).  Pessimism would leave most good hosts
 * undiscovered; full optimism would spend the budget on one page of each. */
#include "scorer.h"

#include "fetch_value.h"
#include "learned.h"
#include "walk.h"

#include <math.h>

#define PRIORITY_MAX 65534u

#define SEED_SCORE 0.6
#define HALF_BADNESS 12.0     /* where quality has fallen to one half */
#define UNKNOWN_QUALITY 0.30  /* the linking page had no text to judge */
#define DOUBTFUL_QUALITY 0.40 /* least of a page in the right language */
#define SHORT_QUALITY 0.15    /* least of a page too short to tell */
#define LANGUAGE_FACTOR 0.5   /* of a page in another language */

static double
clamp(double x)
{
    if (!(x > 0))
        return 0;
    return x > 1 ? 1 : x;
}

uint16_t
scorer_priority(double score)
{
    return (uint16_t)(1 + clamp(score) * (PRIORITY_MAX - 1));
}

double
scorer_score(uint16_t priority)
{
    return priority == 0 ? 0 : (double)(priority - 1) / (PRIORITY_MAX - 1);
}

static double
quality(const struct link_signals *s)
{
    static const double least[] = {
        [PARENT_DOUBTFUL] = DOUBTFUL_QUALITY,
        [PARENT_SHORT] = SHORT_QUALITY,
        [PARENT_LANGUAGE] = 0,
    };
    double x = (s->badness > 0 ? (double)s->badness : 0) / HALF_BADNESS;
    double q = s->has_badness ? 1 / (1 + x * x * x) : UNKNOWN_QUALITY;

    if (s->parent == PARENT_LANGUAGE)
        q *= LANGUAGE_FACTOR;
    return q > least[s->parent] ? q : least[s->parent];
}

/* ---- what a linking document cannot tell ---- */

#define URL_CLASS_BAD_LEAST                                                    \
    3u /* so many wasted fetches make a URL class bad ... */
#define URL_CLASS_BAD_RATIO                                                    \
    2u /* ... if more than so many times the useful ones                       \
        */
#define URL_CLASS_WASTE_WEIGHT                                                 \
    2.0 /* one wasted fetch against one useful one                             \
         */
#define HOST_WASTE_WEIGHT 4.0
#define YIELD_WEIGHT 5.0 /* one kept page makes up for so many others */
#define YIELD_CREDIT 4.0 /* pages a new host may cost before it sinks */

bool
scorer_bad_url_class(const struct outcome_counts *url_class)
{
    uint64_t wasted = outcomes_wasted(url_class);

    return wasted >= URL_CLASS_BAD_LEAST &&
           wasted > URL_CLASS_BAD_RATIO * outcomes_judged(url_class);
}

/* That the pages of a host or of one of its URL classes are gone, or copies, or
 * not to be indexed, or that none of them is ever kept.  A host that works
 * loses little by a dead link now and then, and nothing while at least one page
 * in YIELD_WEIGHT of those that can be judged is kept. */
static double
by_waste(double link, const struct scorer_yields *y,
         const struct scorer_tools *t)
{
    double useful = 1 + (double)outcomes_judged(y->url_class);
    double judged = 1 + (double)outcomes_judged(y->host);
    double wasted = (double)(outcomes_wasted(y->host) - y->bad_wasted);
    double kept = YIELD_WEIGHT * y->host->n[CLASS_KEPT] + YIELD_CREDIT;
    double least = judged - 1 + YIELD_CREDIT;

    (void)t;
    if (scorer_bad_url_class(y->url_class))
        link *= useful / (useful + URL_CLASS_WASTE_WEIGHT *
                                       (double)outcomes_wasted(y->url_class));
    link *= judged / (judged + HOST_WASTE_WEIGHT * wasted);
    return kept < least ? link * kept / least : link;
}

/* ---- the table ---- */

static double
textness(const struct link_signals *s)
{
    return 1 - clamp((double)s->boilerplate);
}

static double
by_depth(const struct link_signals *s, const struct scorer_tools *t)
{
    (void)t;
    return 1 / (1 + (double)s->depth / 16);
}

/* A random walk without its preference for what is linked to most: a page in
 * turn gives one of its links, whatever their number, and a URL found again
 * gains nothing by it.  Every queued link runs a race of exponential times with
 * a rate of one over the links of its page (weighted sampling without
 * replacement: Efraimidis & Spirakis 2006); the first is fetched. */
static double
by_chance(const struct link_signals *s, const struct scorer_tools *t)
{
    double links = s->links_n > 0 ? (double)s->links_n : 1;

    return 1 / (1 - links * log(1 - random_unit(t->random)));
}

/* The frontier asks whoever knows instead; see frontier_set_greedy_oracle(). */
static double
by_greedy_oracle(const struct link_signals *s, const struct scorer_tools *t)
{
    (void)s;
    (void)t;
    return 0.5;
}

static double
by_badness(const struct link_signals *s, const struct scorer_tools *t)
{
    (void)t;
    return s->seed ? SEED_SCORE : quality(s);
}

static double
by_block(const struct link_signals *s, const struct scorer_tools *t)
{
    (void)t;
    return s->seed ? SEED_SCORE : textness(s);
}

/* Half of a link's worth is its document's whatever the block: navigation of a
 * good site still leads to pages in its language. */
static double
by_both(const struct link_signals *s, const struct scorer_tools *t)
{
    (void)t;
    return s->seed ? SEED_SCORE : quality(s) * (0.65 + 0.35 * textness(s));
}

/* ---- these for people ---- */

static void
explain_depth(const void *state, const struct scorer_lesson *n, struct buf *out)
{
    (void)state;
    buf_printf(out, "  links from a seed: %u\n", n->link.depth);
}

static void
say_quality(const struct link_signals *s, struct buf *out)
{
    buf_printf(out, "  quality of the linking page: %.2f", quality(s));
    if (s->has_badness)
        buf_printf(out, " (badness %.1f)", (double)s->badness);
}

static void
explain_badness(const void *state, const struct scorer_lesson *n,
                struct buf *out)
{
    (void)state;
    if (n->link.seed)
        return;
    say_quality(&n->link, out);
    buf_char(out, '\n');
}

static void
explain_block(const void *state, const struct scorer_lesson *n, struct buf *out)
{
    (void)state;
    if (!n->link.seed)
        buf_printf(out, "  its block is text: %.2f\n", textness(&n->link));
}

static void
explain_both(const void *state, const struct scorer_lesson *n, struct buf *out)
{
    (void)state;
    if (n->link.seed)
        return;
    say_quality(&n->link, out);
    buf_printf(out, ", its block is text: %.2f\n", textness(&n->link));
}

static void
explain_yield(const void *state, const struct scorer_lesson *n, struct buf *out)
{
    const struct outcome_counts *host = n->yields.host,
                                *url_class = n->yields.url_class;

    (void)state;
    buf_printf(out,
               "  kept so far: %u of %llu pages of its host, %u of %llu of its "
               "URL class\n",
               host->n[CLASS_KEPT], (unsigned long long)outcomes_pages(host),
               url_class->n[CLASS_KEPT],
               (unsigned long long)outcomes_pages(url_class));
}

/* ---- by yield ---- */

#define SHRINK 4.0         /* pages' worth of what was believed before */
#define YIELD_BELIEVED 0.4 /* of a host nobody has looked at */

/* Within a URL class the order of discovery. */
static double
by_yield(const struct link_signals *s, const struct scorer_tools *t)
{
    (void)s;
    (void)t;
    return 0.5;
}

static double
shrunk(const struct outcome_counts *c, double believed)
{
    return (c->n[CLASS_KEPT] + SHRINK * believed) /
           ((double)outcomes_pages(c) + SHRINK);
}

/* A URL class is like its host until it has shown otherwise. */
static double
yield_now(double link, const struct scorer_yields *y,
          const struct scorer_tools *t)
{
    (void)t;
    return (0.9 + 0.2 * link) / 1.1 *
           shrunk(y->url_class, shrunk(y->host, YIELD_BELIEVED));
}

/* ---- by what is learnt ---- */

/* A score is one number, and what a link says has two parts: the chance that
 * its page is good and the chance that it is there.  So the score is a whole
 * number over PRIORITY_MAX - 1: seeds above links; then the sum of both parts,
 * which is the order within a URL class; the last five bits say how much of the
 * sum is the second part.  The half and the quarter keep it whole through
 * scorer_priority() and scorer_score(), which round down. */
#define SUM_STEPS 1022.0 /* for LINK_SUM_MOST logits either way */
#define LINK_SUM_MOST 10.0
#define THERE_STEPS 32
#define THERE_LEAST (-6.0)
#define THERE_MOST 2.0
#define SEEDS_FROM (1023 * THERE_STEPS)

static double
by_learning(const struct link_signals *s, const struct scorer_tools *t)
{
    const struct learner_sums l = learner_link_sums(t->state, s);
    double there = clamp((l.there - THERE_LEAST) / (THERE_MOST - THERE_LEAST)),
           sum = clamp(0.5 + (l.good + l.there) / (2 * LINK_SUM_MOST));
    double code = floor(sum * SUM_STEPS + 0.5) * THERE_STEPS +
                  floor(there * (THERE_STEPS - 1) + 0.5);

    return (code + (s->seed ? SEEDS_FROM : 0) + 0.5) / (PRIORITY_MAX - 1);
}

/* The parts back from the score. */
static struct learner_sums
link_of(double score, bool *seed)
{
    int code = (int)(score * (PRIORITY_MAX - 1) + 0.25), sum;
    struct learner_sums l;

    *seed = code >= SEEDS_FROM;
    code -= *seed ? SEEDS_FROM : 0;
    l.there = THERE_LEAST + (THERE_MOST - THERE_LEAST) * (code % THERE_STEPS) /
                                (THERE_STEPS - 1);
    sum = code / THERE_STEPS;
    l.good = (sum / SUM_STEPS - 0.5) * 2 * LINK_SUM_MOST;
    if (*seed)
        l.there = 0;
    l.good -= l.there;
    return l;
}

static double
learned_host(const struct scorer_host *h, const struct scorer_tools *t)
{
    return learner_host_sum(t->state, h);
}

static double
learned_now(double score, const struct scorer_yields *y,
            const struct scorer_tools *t)
{
    const struct link_rot_crawl *c =
        &((const struct learner *)t->state)->link_rot;
    bool seed;
    const struct learner_sums l = link_of(score, &seed);
    double sum = l.good + y->host_score + learner_url_class_sum(t->state, y);
    struct fetch_chances f = {
        .good = fmin(model_chance(sum) + exploration_bonus(y, l.good), 1),
        .works = learner_works(t->state, y, seed, l.there),
        .proven = link_rot_proven(c, &y->link_rot, y->url_class)};

    f.tried = seed ? f.works
                   : link_rot_trial(c, &y->link_rot, y->url_class, y->queued,
                                    l.there);
    return fetch_value(y, &f);
}

static double
learned_chance(double score, const struct scorer_yields *y,
               const struct scorer_tools *t)
{
    bool seed;
    const struct learner_sums l = link_of(score, &seed);

    return model_chance(l.good + y->host_score +
                        learner_url_class_sum(t->state, y)) *
           learner_works(t->state, y, seed, l.there);
}

const struct scorer scorer_bfs = {
    .name = "bfs",
    .help = "by depth, then in the order of discovery",
    .score = by_depth,
    .explain = explain_depth,
};

const struct scorer scorer_random = {
    .name = "random",
    .help = "by chance, a random walk without its bias, for comparison",
    .score = by_chance,
    .once = true,
};

const struct scorer scorer_walk = {
    .name = "walk",
    .help = "a random walk with jumps to seeds, as texrex's ClaraX",
    .score = walk_score,
    .open = walk_open,
    .close = walk_close,
    .load = walk_load,
    .save = walk_save,
    .rollback = walk_load,
    .seeded = walk_seeded,
    .ended = walk_ended,
    .next = walk_next,
    .print = walk_print,
    .once = true,
};

const struct scorer scorer_badness = {
    .name = "badness",
    .help = "by the text quality of the linking document",
    .score = by_badness,
    .explain = explain_badness,
    .now = by_waste,
    .defer = true,
};

const struct scorer scorer_block = {
    .name = "block",
    .help = "by the boilerplate value of the linking block",
    .score = by_block,
    .explain = explain_block,
    .now = by_waste,
    .defer = true,
};

const struct scorer scorer_paper = {
    .name = "paper",
    .help = "by both: quality of the document, value of the block",
    .score = by_both,
    .explain = explain_both,
    .now = by_waste,
    .defer = true,
};

const struct scorer scorer_host = {
    .name = "host",
    .help = "by what its host and pages of its kind have yielded",
    .score = by_yield,
    .explain = explain_yield,
    .now = yield_now,
    .defer = true,
};

const struct scorer scorer_learned = {
    .name = "learned",
    .help = "by a model of all signals, learnt from this crawl's verdicts",
    .score = by_learning,
    .host = learned_host,
    .now = learned_now,
    .chance = learned_chance,
    .open = learned_open,
    .close = learned_close,
    .language = learned_language,
    .siblings = learned_siblings,
    .learn = learned_learn,
    .load = learned_load,
    .save = learned_save,
    .saved = learned_saved,
    .rollback = learned_rollback,
    .explain = learned_explain,
    .reliability = learned_reliability,
    .fresh = true,
    .listed = true,
    .defer = true,
};

static const struct scorer scorer_oracle = {
    .name = "oracle",
    .help = "greedy oracle: by what is known of the page (in the laboratory "
            "only)",
    .score = by_greedy_oracle,
};

const struct scorer *const scorer_table[] = {
#define SCORER(name, way) &scorer_##name,
    FRONTIER_SCORERS(SCORER, SCORER)
#undef SCORER
        & scorer_oracle,
    NULL,
};

const struct scorer *
scorer_find(struct str name)
{
    for (const struct scorer *const *s = scorer_table; *s != NULL; s++)
        if (str_eq(name, str_c((*s)->name)))
            return *s;
    return NULL;
}
