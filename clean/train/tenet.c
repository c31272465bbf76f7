/* tenet.c -- see tenet.h; hides FANN's training.
 *
 * FANN because texrex's networks are FANN's and its RPROP is what they were
 * trained with.  What it lacks is added round it: weights of classes become
 * copies of samples (which is the same thing for batch training), the initial
 * weights come from our own generator, and the best weights by the held-out
 * error are kept aside.  FANN calls rand() in two places (creation, SARPROP);
 * srand() is set so that they repeat, too.
 *
 * -w of texrex's tenet had no effect; here it does what its manual says: plain
 * random weights instead of those by Nguyen and Widrow (1990). */
#include "tenet.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "clean/boilerplate/fann_file.h"

#define PLAIN_WEIGHT 0.1
#define LAYERS_MAX (TENET_HIDDEN_MAX + 2)

struct tenet {
    struct fann *net;
    double threshold;
};

/* libfann 2.2 forgets to free what cascade training leaves. */
static void
destroy(struct fann *net)
{
    free(net->cascade_candidate_scores);
    net->cascade_candidate_scores = NULL;
    fann_destroy(net);
}

int
tenet_activation_find(struct str name)
{
    const int n =
        sizeof FANN_ACTIVATIONFUNC_NAMES / sizeof *FANN_ACTIVATIONFUNC_NAMES;

    for (int i = 0; i < n; i++) {
        struct str full = str_c(FANN_ACTIVATIONFUNC_NAMES[i]);

        if (i != FANN_GAUSSIAN_STEPWISE && /* is 0 in libfann */
            (str_eq_nocase(name, full) ||
             str_eq_nocase(name, str_sub(full, 5, full.n))))
            return i;
    }
    return -1;
}

static const struct {
    const char *name;
    enum fann_train_enum algorithm;
} algorithms[] = {
    {"FANN_TRAIN_INCREMENTAL", FANN_TRAIN_INCREMENTAL},
    {"FANN_TRAIN_BATCH", FANN_TRAIN_BATCH},
    {"FANN_TRAIN_RPROP", FANN_TRAIN_RPROP},
    {"FANN_TRAIN_QUICKPROP", FANN_TRAIN_QUICKPROP},
    {"FANN_TRAIN_SARPROP", FANN_TRAIN_SARPROP},
};

#define ALGORITHMS_N (sizeof algorithms / sizeof *algorithms)

const char *
tenet_algorithm_find(struct str name)
{
    for (size_t i = 0; i < ALGORITHMS_N; i++)
        if (str_eq_nocase(name, str_c(algorithms[i].name)) ||
            str_eq_nocase(name, str_c(algorithms[i].name + 11)))
            return algorithms[i].name;
    return NULL;
}

enum fann_train_enum
tenet_algorithm_number(const char *name)
{
    for (size_t i = 0; i < ALGORITHMS_N; i++)
        if (strcmp(algorithms[i].name, name) == 0)
            return algorithms[i].algorithm;
    return FANN_TRAIN_RPROP;
}

/* Every weight of a neuron in (0, m), its bias in (-m, m), where m grows with
 * the number of hidden neurons and shrinks with the range of the inputs. */
static void
widrow(struct tenet *t, const struct tenet_data *d, struct fann_connection *c,
       unsigned n, struct random *r)
{
    float least = INFINITY, most = -INFINITY;
    unsigned layers = fann_get_num_layers(t->net);
    unsigned hidden = fann_get_total_neurons(t->net) - d->inputs_n -
                      d->outputs_n - (layers - 1); /* its bias neurons */
    unsigned bias_at[LAYERS_MAX], size[LAYERS_MAX];
    unsigned at = 0;
    double m;

    fann_get_layer_array(t->net, size);
    for (unsigned i = 0; i < layers; i++)
        bias_at[i] = at += size[i] + (i > 0);
    for (size_t i = 0; i < d->n; i++)
        for (uint32_t k = 0; k < d->inputs_n; k++) {
            least = fminf(least, tenet_inputs(d, i)[k]);
            most = fmaxf(most, tenet_inputs(d, i)[k]);
        }
    m = pow(0.7 * hidden, 1.0 / d->inputs_n) /
        fmax((double)(most - least), 1e-6);
    for (unsigned i = 0; i < n; i++) {
        double u = random_unit(r);
        bool bias = false;

        for (unsigned k = 0; k < layers; k++)
            bias |= c[i].from_neuron == bias_at[k];
        c[i].weight = (fann_type)(bias ? (2 * u - 1) * m : u * m);
    }
}

static enum status
set_weights(struct tenet *t, const struct tenet_data *d,
            const struct tenet_options *o)
{
    unsigned n = fann_get_total_connections(t->net);
    struct fann_connection *c = calloc(n, sizeof *c);
    struct random r = random_seed(o->seed);
    bool hidden = fann_get_num_layers(t->net) > 2;

    if (c == NULL)
        return ST_NOMEM;
    fann_get_connection_array(t->net, c);
    if (!o->no_widrow && hidden)
        widrow(t, d, c, n, &r);
    else
        for (unsigned i = 0; i < n; i++)
            c[i].weight = (fann_type)((2 * random_unit(&r) - 1) * PLAIN_WEIGHT);
    fann_set_weight_array(t->net, c, n);
    free(c);
    return ST_OK;
}

static enum status
make(struct tenet **out, const struct tenet_data *d,
     const struct tenet_options *o)
{
    unsigned size[LAYERS_MAX] = {d->inputs_n}, n = 1;
    struct tenet *t = calloc(1, sizeof *t);

    if (t == NULL)
        return ST_NOMEM;
    for (uint32_t i = 0; i < TENET_HIDDEN_MAX && o->hidden[i] > 0; i++)
        size[n++] = o->hidden[i];
    size[n++] = d->outputs_n;
    t->threshold = o->threshold;
    t->net = o->cascade > 0 ? fann_create_shortcut(2, d->inputs_n, d->outputs_n)
                            : fann_create_standard_array(n, size);
    if (t->net == NULL) {
        free(t);
        return ST_NOMEM;
    }
    fann_set_error_log((struct fann_error *)t->net, NULL);
    fann_set_training_algorithm(t->net, tenet_algorithm_number(o->algorithm));
    fann_set_activation_function_hidden(
        t->net, (enum fann_activationfunc_enum)o->hidden_activation);
    fann_set_activation_function_output(
        t->net, (enum fann_activationfunc_enum)o->output_activation);
    srand((unsigned)o->seed);
    if (o->cascade > 0) {
        fann_randomize_weights(t->net, (fann_type)-PLAIN_WEIGHT,
                               (fann_type)PLAIN_WEIGHT);
    } else if (set_weights(t, d, o) != ST_OK) {
        tenet_free(t);
        return ST_NOMEM;
    }
    *out = t;
    return ST_OK;
}

/* Each sample as often as it is to be learned from, shuffled. */
static uint32_t *
order_of(const struct tenet_data *d, const uint32_t *copies, uint64_t seed,
         uint32_t *n)
{
    struct random r = random_seed(seed + 1);
    uint64_t total = 0;
    uint32_t *order, at = 0;

    for (size_t i = 0; i < d->n; i++)
        total += copies[i];
    if (total == 0 || total > UINT32_MAX / 2 ||
        (order = malloc(total * sizeof *order)) == NULL)
        return NULL;
    for (uint32_t i = 0; i < d->n; i++)
        for (uint32_t k = 0; k < copies[i]; k++)
            order[at++] = i;
    for (uint32_t i = at; i > 1; i--) {
        uint64_t k = random_below(&r, i);
        uint32_t swap = order[k];

        order[k] = order[i - 1];
        order[i - 1] = swap;
    }
    *n = at;
    return order;
}

static struct fann_train_data *
samples(const struct tenet_data *d, const uint32_t *copies, uint64_t seed)
{
    struct fann_train_data *data;
    uint32_t n, *order = order_of(d, copies, seed, &n);

    if (order == NULL)
        return NULL;
    data = fann_create_train(n, d->inputs_n, d->outputs_n);
    for (uint32_t i = 0; data != NULL && i < n; i++) {
        memcpy(data->input[i], tenet_inputs(d, order[i]),
               d->inputs_n * sizeof(fann_type));
        memcpy(data->output[i], tenet_outputs(d, order[i]),
               d->outputs_n * sizeof(fann_type));
    }
    free(order);
    return data;
}

/* Over the samples whose held[] is `which`. */
static void
score(struct tenet *t, const struct tenet_data *d, const bool *held, bool which,
      struct tenet_score *s)
{
    float in[TENET_WIDTH_MAX];

    *s = (struct tenet_score){.classes_n = tenet_classes_n(d)};
    for (size_t i = 0; i < d->n; i++) {
        if (held[i] != which)
            continue;
        memcpy(in, tenet_inputs(d, i), d->inputs_n * sizeof *in);
        tenet_score_add(s, d, i, fann_run(t->net, in), t->threshold);
    }
}

static double
mean_square(const struct tenet_score *s)
{
    return s->n == 0 ? 0 : s->squares / (double)s->n;
}

static void
report(const struct tenet_options *o, uint64_t epoch, double mse,
       const struct tenet_score *held)
{
    if (o->progress == NULL || o->report_epochs == 0 ||
        (epoch != 1 && epoch % o->report_epochs != 0 && o->cascade == 0))
        return;
    fprintf(o->progress, "%s %llu mse %.6f", o->cascade ? "neuron" : "epoch",
            (unsigned long long)epoch, mse);
    if (held->n > 0)
        fprintf(o->progress, " held_out_mse %.6f", mean_square(held));
    fputc('\n', o->progress);
    fflush(o->progress);
}

static void
loop(struct tenet *t, struct fann_train_data *data, const struct tenet_data *d,
     const bool *held, const struct tenet_options *o, const volatile int *stop,
     float *best, struct tenet_result *r)
{
    size_t bytes = t->net->total_connections * sizeof *best;
    bool any_held = memchr(held, 1, d->n) != NULL;

    r->end = TENET_EPOCHS;
    r->held_mse = INFINITY;
    for (uint64_t e = 1; e <= o->epochs_max; e++) {
        double mse = (double)fann_train_epoch(t->net, data);

        r->epochs = e;
        if (any_held)
            score(t, d, held, true, &r->held);
        report(o, e, mse, &r->held);
        if (!any_held || mean_square(&r->held) < r->held_mse) {
            r->held_mse = mean_square(&r->held);
            r->best_epoch = e;
            r->mse = mse;
            memcpy(best, t->net->weights, bytes);
        }
        if (mse <= o->mse)
            r->end = TENET_MSE;
        else if (any_held && o->stagnation > 0 &&
                 e - r->best_epoch >= o->stagnation)
            r->end = TENET_STAGNATION;
        else if (*stop)
            r->end = TENET_STOPPED;
        else
            continue;
        break;
    }
    if (r->epochs > 0)
        memcpy(t->net->weights, best, bytes);
}

/* Cascade training, of which libfann tells after each neuron. */
struct cascade {
    struct tenet *t;
    const struct tenet_data *d;
    const bool *held;
    const struct tenet_options *o;
    const volatile int *stop;
    struct fann *best;
    struct tenet_result *r;
};

/* libfann moves the neurons when it adds one, and has the connections follow at
 * the very end only: until then fann_copy() copies nonsense. */
static void
follow(struct fann *net)
{
    struct fann_neuron *first = net->first_layer->first_neuron;

    for (unsigned i = net->num_input + 1; i < net->total_neurons; i++)
        for (unsigned k = first[i].first_con; k < first[i].last_con; k++)
            net->connections[k] = first + (k - first[i].first_con);
}

static int FANN_API
after_neuron(struct fann *net, struct fann_train_data *data, unsigned most,
             unsigned between, float desired, unsigned epochs)
{
    struct cascade *c = fann_get_user_data(net);
    unsigned neurons =
        net->total_neurons - net->num_input - 1 - net->num_output;
    struct tenet_result *r = c->r;
    double mse = (double)fann_get_MSE(net);
    bool any_held = memchr(c->held, 1, c->d->n) != NULL;

    (void)data, (void)most, (void)between, (void)desired, (void)epochs;
    follow(net);
    r->epochs = neurons;
    if (any_held)
        score(c->t, c->d, c->held, true, &r->held);
    report(c->o, neurons, mse, &r->held);
    if (c->best == NULL || !any_held || mean_square(&r->held) < r->held_mse) {
        struct fann *copy = fann_copy(net);

        if (copy == NULL)
            return -1;
        if (c->best != NULL)
            destroy(c->best);
        c->best = copy;
        r->held_mse = mean_square(&r->held);
        r->best_epoch = neurons;
        r->mse = mse;
    }
    if (*c->stop)
        r->end = TENET_STOPPED;
    else if (any_held && c->o->stagnation > 0 &&
             neurons - r->best_epoch >= c->o->stagnation)
        r->end = TENET_STAGNATION;
    else
        return 0;
    return -1;
}

static enum status
grow(struct cascade *c, struct fann_train_data *data)
{
    c->r->end = TENET_EPOCHS;
    fann_set_user_data(c->t->net, c);
    fann_set_callback(c->t->net, after_neuron);
    fann_cascadetrain_on_data(c->t->net, data, c->o->cascade, 1,
                              (float)c->o->mse);
    if (c->r->end == TENET_EPOCHS) /* after the last one nothing was told */
        after_neuron(c->t->net, data, 0, 0, 0, 0);
    if (c->best == NULL)
        return ST_NOMEM;
    if (c->r->end == TENET_EPOCHS && c->r->mse <= c->o->mse)
        c->r->end = TENET_MSE;
    destroy(c->t->net);
    c->t->net = c->best;
    return ST_OK;
}

enum status
tenet_learn(struct tenet **out, const struct tenet_data *d,
            const uint32_t *copies, const bool *held,
            const struct tenet_options *o, const volatile int *stop,
            struct tenet_result *r)
{
    struct fann_train_data *data = samples(d, copies, o->seed);
    struct tenet *t = NULL;
    float *best = NULL;
    enum status st = ST_NOMEM;

    *out = NULL;
    *r = (struct tenet_result){0};
    if (data == NULL || (st = make(&t, d, o)) != ST_OK)
        goto out;
    st = ST_NOMEM;
    if (o->cascade > 0) {
        struct cascade c = {t, d, held, o, stop, NULL, r};

        if (grow(&c, data) != ST_OK)
            goto out;
    } else {
        if ((best = calloc(t->net->total_connections, sizeof *best)) == NULL)
            goto out;
        loop(t, data, d, held, o, stop, best, r);
    }
    score(t, d, held, false, &r->learned);
    score(t, d, held, true, &r->held);
    *out = t;
    t = NULL;
    st = ST_OK;
out:
    free(best);
    tenet_free(t);
    if (data != NULL)
        fann_destroy_train(data);
    return st;
}

void
tenet_free(struct tenet *t)
{
    if (t == NULL)
        return;
    if (t->net != NULL)
        destroy(t->net);
    free(t);
}

enum status
tenet_save(struct tenet *t, const char *path)
{
    return fann_file_save(t->net, path, "tenet");
}
