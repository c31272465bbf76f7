/* train_cross.c -- see train_cross.h.
 *
 * Folds share no registered domain, since pages of one site are alike.  One
 * job is one network of one fold; threads take jobs in turn, and each job's
 * seed depends on its number only, so the result does not depend on timing.
 * In the context pass the networks of the first are seen only through pages
 * they were not learned from. */
#include "train_cross.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/progress.h"
#include "clean/boilerplate/context.h"
#include "clean/boilerplate/fann_file.h"
#include "clean/boilerplate/network.h"
#include "train_forest.h"

struct fold_job {
    uint32_t fold; /* left out; UINT32_MAX: none */
    uint64_t seed;
    bool trees;
    struct train_model made;
};

struct jobs {
    const struct train_set *set;
    const struct train_options *o;
    const struct train_table *table; /* if there are forests to be learned */
    uint32_t pass;
    struct fold_job *job;
    uint32_t n, of_fold;
    struct progress *progress;
};

static void
first_row(const struct train_page *page, uint32_t i, float *out)
{
    features_row(&page->f, i, out);
}

static void
context_row(const struct train_page *page, uint32_t i, float *out)
{
    features_row(&page->f, i, out);
    memcpy(out + FEATURES_N, page->context[i], sizeof page->context[i]);
}

static train_row *
row_of(uint32_t pass)
{
    return pass == 0 ? first_row : context_row;
}

static uint32_t
inputs_of(uint32_t pass)
{
    return pass == 0 ? FEATURES_N : FEATURES_N + CONTEXT_N;
}

uint32_t
train_split(struct train_set *set, enum train_split how, uint32_t folds_n,
            uint64_t seed)
{
    struct str seen[TRAIN_FOLDS_MAX];
    uint32_t seen_n = 0;

    for (uint32_t p = 0; p < set->pages_n; p++) {
        struct train_page *page = &set->page[p];
        uint32_t k = 0;

        if (how == TRAIN_BY_DOMAIN) {
            page->fold = (uint32_t)(hash64_seed(page->domain, seed) % folds_n);
            continue;
        }
        while (k < seen_n && !str_eq(seen[k], page->set))
            k++;
        if (k == seen_n && seen_n < TRAIN_FOLDS_MAX)
            seen[seen_n++] = page->set;
        page->fold = k < seen_n ? k : 0;
    }
    return how == TRAIN_BY_DOMAIN ? folds_n : seen_n;
}

bool
train_can_cross(const struct train_set *set)
{
    const struct train_page *first = NULL;

    for (uint32_t p = 0; p < set->pages_n; p++) {
        const struct train_page *page = &set->page[p];

        if (!train_page_teaches(page))
            continue;
        if (first != NULL && page->fold != first->fold)
            return true;
        first = page;
    }
    return false;
}

static enum status
learn(void *self, size_t i, size_t thread)
{
    const struct jobs *jobs = self;
    struct fold_job *job = &jobs->job[i];
    const struct train_set *set = jobs->set;
    bool *use = memory_need(calloc(set->pages_n + 1, sizeof *use));

    (void)thread;
    for (uint32_t p = 0; p < set->pages_n; p++)
        use[p] = !set->page[p].suspect && set->page[p].fold != job->fold;
    if (job->trees)
        job->made.forest =
            train_forest_learn(jobs->table, use, jobs->o, job->seed);
    else
        job->made.net =
            train_net_learn(set, use, row_of(jobs->pass), inputs_of(jobs->pass),
                            jobs->o, job->seed);
    free(use);
    progress_add(jobs->progress, 1);
    return ST_OK;
}

void
train_model_free(struct train_model *m)
{
    if (m->net != NULL)
        fann_destroy(m->net);
    forest_free(m->forest);
}

/* What the jobs of one fold made, its nets as one. */
static struct train_model
join(struct jobs *jobs, uint32_t first)
{
    struct fann *nets[TRAIN_NETS_MAX];
    struct train_model m = {NULL, NULL};
    uint32_t n = 0;

    for (uint32_t k = first; k < first + jobs->of_fold; k++) {
        if (jobs->job[k].trees)
            m.forest = jobs->job[k].made.forest;
        else
            nets[n++] = jobs->job[k].made.net;
    }
    if (n > 0)
        m.net = train_net_mean(nets, n);
    while (n > 0)
        fann_destroy(nets[--n]);
    return m;
}

/* As pages are classified by it; NULL if the model has none. */
static struct network *
network_of(const struct train_model *m)
{
    struct network *net = NULL;
    const char *fault;

    if (m->net == NULL)
        return NULL;
    network_new(&net, memory_need(fann_copy(m->net)), &fault);
    return memory_need(net);
}

/* P(text) */
static float
run_model(const struct train_model *m, const struct network *net,
          const float *row)
{
    float text = 0, n = 0;

    if (net != NULL) {
        float p = 1 - network_run(net, row);

        text += logf((p + 1e-9f) / (1 - p + 1e-9f));
        n++;
    }
    if (m->forest != NULL) {
        text -= train_forest_run(m->forest, row);
        n++;
    }
    return 1 / (1 + expf(-text / n));
}

/* As pages are cut that both passes have seen, where there is a model of their
 * kinds. */
static void
cut_pages(const struct train_set *set)
{
    bool known = false;

    for (uint32_t k = 0; k < set->pages_n; k++)
        known |= set->page[k].kind >= 0;
    for (uint32_t k = 0; known && k < set->pages_n; k++) {
        struct train_page *page = &set->page[k];
        float at = context_cut(&page->f, page->p[1]);

        for (uint32_t i = 0; i < page->f.n && at < 0.5f; i++)
            page->p[1][i] = context_shifted(page->p[1][i], at);
    }
}

static void
classify(const struct train_set *set, const struct train_model *m,
         uint32_t fold, uint32_t pass)
{
    struct network *net = network_of(m);
    float row[FEATURES_N + CONTEXT_N];

    for (uint32_t p = 0; p < set->pages_n; p++) {
        struct train_page *page = &set->page[p];

        for (uint32_t i = 0; page->fold == fold && i < page->f.n; i++) {
            if (pass == 1 && context_settled(page->p[0], page->f.n, i)) {
                page->p[1][i] = page->p[0][i];
                continue;
            }
            row_of(pass)(page, i, row);
            page->p[pass][i] = run_model(m, net, row);
            if (pass == 1)
                page->p[1][i] = context_mean(page->p[0][i], page->p[1][i]);
        }
    }
    network_free(net);
}

void
train_context(struct train_set *set, uint32_t folds_n, double cut)
{
    float shift = (float)((1 - cut) / cut);
    struct arena *a = arena_new();

    for (uint32_t p = 0; p < set->pages_n; p++) {
        struct train_page *page = &set->page[p];

        for (uint32_t i = 0; i < page->f.n; i++) {
            float odds = page->p[0][i] * shift;

            page->p[0][i] = odds / (odds + 1 - page->p[0][i]);
        }
    }
    train_kinds(set, folds_n);
    for (uint32_t p = 0; p < set->pages_n; p++) {
        struct train_page *page = &set->page[p];

        if (page->f.n > 0)
            context_features(&page->f, page->p[0], page->context, a);
        for (uint32_t i = 0; i < page->f.n; i++)
            if (context_settled(page->p[0], page->f.n, i))
                page->weight[i] = 0;
        arena_reset(a);
    }
    arena_free(a);
}

static void
run(struct jobs *jobs, uint32_t folds_n, uint32_t out)
{
    uint32_t kind = jobs->pass == 0 ? jobs->o->first : jobs->o->context;
    uint32_t nets = kind & TRAIN_NET ? jobs->o->nets : 0;
    struct train_table *table = NULL;

    if (kind & TRAIN_FOREST)
        table = train_table_new(jobs->set, row_of(jobs->pass),
                                inputs_of(jobs->pass));
    jobs->table = table;
    jobs->of_fold = nets + (table != NULL);
    jobs->n = folds_n * jobs->of_fold;
    jobs->job = memory_need(calloc(jobs->n + 1, sizeof *jobs->job));
    for (uint32_t i = 0; i < jobs->n; i++)
        jobs->job[i] = (struct fold_job){
            .fold = out != UINT32_MAX ? out + i / jobs->of_fold : out,
            .trees = i % jobs->of_fold == nets,
            .seed = hash_mix(jobs->o->seed + i + 1000 * jobs->pass)};
    jobs->progress = progress_begin("train", "models", jobs->n);
    (void)pool_each(TRAIN_THREADS, jobs->n, learn, jobs);
    progress_end(jobs->progress);
    train_table_free(table);
}

void
train_cross(struct train_set *set, uint32_t folds_n, uint32_t pass,
            const struct train_options *o)
{
    struct jobs jobs = {.set = set, .o = o, .pass = pass};

    run(&jobs, folds_n, 0);
    for (uint32_t k = 0; k < folds_n; k++) {
        struct train_model m = join(&jobs, k * jobs.of_fold);

        classify(set, &m, k, pass);
        train_model_free(&m);
    }
    if (pass == 1)
        cut_pages(set);
    free(jobs.job);
}

struct train_model
train_all(const struct train_set *set, uint32_t pass,
          const struct train_options *o)
{
    struct jobs jobs = {.set = set, .o = o, .pass = pass};
    struct train_model m;

    run(&jobs, 1, UINT32_MAX);
    m = join(&jobs, 0);
    free(jobs.job);
    return m;
}
