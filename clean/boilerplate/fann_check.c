/* fann_check.c -- see fann_check.h.
 *
 * One pass with a cursor: the keys in the order of fann_save(), then the sizes
 * of the layers, the scaling of inputs and outputs if there is one, a tuple for
 * each neuron, a tuple for each connection.  Only fully connected networks
 * pass, in layers or with shortcuts (cascade training makes these): of such a
 * network every number that libfann uses as an index is known beforehand. */
#include "fann_check.h"

#define FUNCTIONS_N 18u      /* FANN_LINEAR to FANN_COS ... */
#define GAUSSIAN_STEPWISE 9u /* ... of which libfann never wrote this one */
#define CANDIDATE_KINDS_MAX                                                    \
    64 /* functions or steepnesses of cascade training */
#define REAL_BYTES_MAX 48

struct checker {
    struct str text;
    size_t at, copied; /* `copied`: up to here the text stands in *sound */
    struct buf *sound;
    uint32_t layers_n, size[FANN_LAYERS_MAX]; /* with bias neurons */
    bool shortcut;
};

static bool
literal(struct checker *c, const char *z)
{
    size_t n = strlen(z);

    if (c->text.n - c->at < n || memcmp(c->text.p + c->at, z, n) != 0)
        return false;
    c->at += n;
    return true;
}

static bool
whole(struct checker *c, uint32_t *out)
{
    size_t from = c->at;

    *out = 0;
    for (; c->at < c->text.n && c->at - from < 9; c->at++) {
        unsigned digit = (unsigned)(unsigned char)c->text.p[c->at] - '0';

        if (digit > 9)
            break;
        *out = *out * 10 + digit;
    }
    return c->at > from;
}

static size_t
digits(struct checker *c)
{
    size_t from = c->at;

    while (c->at < c->text.n && (unsigned char)(c->text.p[c->at] - '0') <= 9)
        c->at++;
    return c->at - from;
}

static bool
one_of(struct checker *c, const char *bytes)
{
    if (c->at == c->text.n || c->text.p[c->at] == '\0' ||
        strchr(bytes, c->text.p[c->at]) == NULL)
        return false;
    c->at++;
    return true;
}

/* A decimal number as printf() writes it, without nan and inf. */
static bool
real(struct checker *c)
{
    size_t from = c->at;

    one_of(c, "-");
    if (digits(c) == 0 || (one_of(c, ".") && digits(c) == 0))
        return false;
    if (one_of(c, "eE")) {
        one_of(c, "+-");
        if (digits(c) == 0)
            return false;
    }
    return c->at - from <= REAL_BYTES_MAX;
}

/* Blanks, then the end of the line. */
static bool
line_end(struct checker *c)
{
    while (one_of(c, " "))
        continue;
    return literal(c, "\n");
}

/* n numbers with a blank after each. */
static bool
reals(struct checker *c, uint32_t n)
{
    while (n-- > 0)
        if (!real(c) || (!one_of(c, " ") && n > 0))
            return false;
    return line_end(c);
}

static bool
wholes(struct checker *c, uint32_t n, uint32_t limit)
{
    uint32_t x;

    while (n-- > 0)
        if (!whole(c, &x) || x >= limit || (!one_of(c, " ") && n > 0))
            return false;
    return line_end(c);
}

static bool
key(struct checker *c, const char *name)
{
    size_t before = c->at;

    if (literal(c, name) && literal(c, "="))
        return true;
    c->at = before;
    return false;
}

/* A key that FANN 2.1 does not write: where it is missing, `line` comes in. */
static bool
late_key(struct checker *c, const char *name, const char *line)
{
    uint32_t x;

    if (key(c, name))
        return whole(c, &x) && line_end(c);
    buf_add(c->sound, c->text.p + c->copied, c->at - c->copied);
    buf_c(c->sound, line);
    c->copied = c->at;
    return true;
}

/* name=value lines; a name with a blank before it has a real value. */
static bool
plain_keys(struct checker *c, const char *const *names)
{
    uint32_t x;

    for (; *names != NULL; names++) {
        bool is_real = **names == ' ';

        if (!key(c, *names + is_real) || !(is_real ? real(c) : whole(c, &x)) ||
            !line_end(c))
            return false;
    }
    return true;
}

/* "NAME_count=N", then "NAME=" and so many numbers. */
static bool
counted(struct checker *c, const char *count, const char *list, bool is_real)
{
    uint32_t n;

    return key(c, count) && whole(c, &n) && n > 0 && n <= CANDIDATE_KINDS_MAX &&
           line_end(c) && key(c, list) &&
           (is_real ? reals(c, n) : wholes(c, n, FUNCTIONS_N));
}

static const char *
check_head(struct checker *c)
{
    static const char *const rates[] = {" learning_rate", NULL};
    uint32_t type;

    if (!literal(c, "FANN_FLO_2.1\n"))
        return "not a FANN_FLO_2.1 file";
    if (!key(c, "num_layers") || !whole(c, &c->layers_n) || c->layers_n < 2 ||
        c->layers_n > FANN_LAYERS_MAX || !line_end(c))
        return "num_layers is not 2 to 256";
    if (!plain_keys(c, rates))
        return "broken learning_rate";
    if (!key(c, "connection_rate") || !literal(c, "1.000000") || !line_end(c) ||
        !key(c, "network_type") || !whole(c, &type) || type > 1 || !line_end(c))
        return "not fully connected in layers or with shortcuts";
    c->shortcut = type == 1;
    return NULL;
}

/* How it was trained; nothing of it counts in running it. */
static const char *
check_training(struct checker *c)
{
    static const char *const first[] = {" learning_momentum",
                                        "training_algorithm",
                                        "train_error_function",
                                        "train_stop_function",
                                        " cascade_output_change_fraction",
                                        " quickprop_decay",
                                        " quickprop_mu",
                                        " rprop_increase_factor",
                                        " rprop_decrease_factor",
                                        " rprop_delta_min",
                                        " rprop_delta_max",
                                        " rprop_delta_zero",
                                        "cascade_output_stagnation_epochs",
                                        " cascade_candidate_change_fraction",
                                        "cascade_candidate_stagnation_epochs",
                                        "cascade_max_out_epochs",
                                        NULL};
    static const char *const second[] = {"cascade_max_cand_epochs", NULL};
    static const char *const third[] = {
        "cascade_num_candidate_groups", " bit_fail_limit",
        " cascade_candidate_limit", " cascade_weight_multiplier", NULL};

    if (!plain_keys(c, first) ||
        !late_key(c, "cascade_min_out_epochs", "cascade_min_out_epochs=50\n") ||
        !plain_keys(c, second) ||
        !late_key(c, "cascade_min_cand_epochs",
                  "cascade_min_cand_epochs=50\n") ||
        !plain_keys(c, third))
        return "broken parameters of training";
    if (!counted(c, "cascade_activation_functions_count",
                 "cascade_activation_functions", false) ||
        !counted(c, "cascade_activation_steepnesses_count",
                 "cascade_activation_steepnesses", true))
        return "broken parameters of cascade training";
    return NULL;
}

/* Neurons that are biases: the last of each layer, with shortcuts only that of
 * the inputs. */
static uint32_t
biases(const struct checker *c, uint32_t layer)
{
    return layer == 0 || !c->shortcut;
}

static const char *
check_sizes(struct checker *c)
{
    if (!key(c, "layer_sizes"))
        return "no layer_sizes";
    for (uint32_t i = 0; i < c->layers_n; i++)
        if (!whole(c, &c->size[i]) || c->size[i] < 1 + biases(c, i) ||
            c->size[i] > FANN_WIDTH_MAX + 1 ||
            (!one_of(c, " ") && i + 1 < c->layers_n))
            return "layer_sizes out of range";
    return line_end(c) ? NULL : "layer_sizes out of range";
}

static const char *
check_scaling(struct checker *c)
{
    static const char *const of_inputs[] = {
        "scale_mean_in", "scale_deviation_in", "scale_new_min_in",
        "scale_factor_in"};
    static const char *const of_outputs[] = {
        "scale_mean_out", "scale_deviation_out", "scale_new_min_out",
        "scale_factor_out"};
    uint32_t last = c->layers_n - 1, included;

    if (!key(c, "scale_included") || !whole(c, &included) || included > 1 ||
        !line_end(c))
        return "no scale_included";
    for (int i = 0; included && i < 4; i++)
        if (!key(c, of_inputs[i]) || !reals(c, c->size[0] - 1))
            return "broken scaling of inputs";
    for (int i = 0; included && i < 4; i++)
        if (!key(c, of_outputs[i]) ||
            !reals(c, c->size[last] - biases(c, last)))
            return "broken scaling of outputs";
    return NULL;
}

/* What a neuron of a layer that is no bias is connected to: numbers from
 * *first on. */
static uint32_t
sources(const struct checker *c, uint32_t layer, uint32_t *first)
{
    uint32_t before = 0;

    for (uint32_t i = 0; i < layer; i++)
        before += c->size[i];
    *first = layer == 0 || c->shortcut ? 0 : before - c->size[layer - 1];
    return before - *first;
}

static const char *
check_neurons(struct checker *c)
{
    uint32_t from_n, function, first;

    if (!literal(c, "neurons (num_inputs, activation_function, "
                    "activation_steepness)="))
        return "no neurons";
    for (uint32_t layer = 0; layer < c->layers_n; layer++)
        for (uint32_t i = 0; i < c->size[layer]; i++) {
            bool bias = i + biases(c, layer) >= c->size[layer];

            if (!literal(c, "(") || !whole(c, &from_n) || !literal(c, ", ") ||
                !whole(c, &function) || !literal(c, ", ") || !real(c) ||
                !literal(c, ")"))
                return "broken neurons";
            one_of(c, " ");
            if (from_n != (bias ? 0 : sources(c, layer, &first)))
                return "a neuron has not the connections of its layer";
            if (function >= FUNCTIONS_N || function == GAUSSIAN_STEPWISE)
                return "an activation function that libfann does not have";
        }
    return line_end(c) ? NULL : "broken neurons";
}

static const char *
check_connections(struct checker *c)
{
    if (!literal(c, "connections (connected_to_neuron, weight)="))
        return "no connections";
    for (uint32_t layer = 1; layer < c->layers_n; layer++) {
        uint32_t first, from, from_n = sources(c, layer, &first);

        for (uint32_t i = biases(c, layer); i < c->size[layer]; i++)
            for (uint32_t k = 0; k < from_n; k++) {
                if (!literal(c, "(") || !whole(c, &from) || !literal(c, ", ") ||
                    !real(c) || !literal(c, ")"))
                    return "too few connections";
                if (from != first + k)
                    return "connections out of order";
                one_of(c, " ");
            }
    }
    while (one_of(c, " \n"))
        continue;
    return c->at == c->text.n ? NULL : "more than the connections of a network";
}

const char *
fann_check(struct str text, struct buf *sound)
{
    struct checker c = {.text = text, .sound = sound};
    const char *fault;

    buf_clear(sound);
    if ((fault = check_head(&c)) != NULL ||
        (fault = check_training(&c)) != NULL ||
        (fault = check_sizes(&c)) != NULL ||
        (fault = check_scaling(&c)) != NULL ||
        (fault = check_neurons(&c)) != NULL ||
        (fault = check_connections(&c)) != NULL)
        return fault;
    buf_add(sound, text.p + c.copied, text.n - c.copied);
    return NULL;
}
