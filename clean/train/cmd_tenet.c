/* cmd_tenet.c -- `winnow tenet`: a FANN network from labelled samples. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options/command.h"
#include "clean/boilerplate/fann_check.h"
#include "clean/boilerplate/fann_file.h"
#include "clean/tools/text_lines.h"
#include "tenet.h"

struct tenet_plan {
    struct tenet_options o;
    const char *in, *out, *network;
    uint64_t inputs_n, outputs_n; /* 0: as the file says */
    double hold_out;
    bool balanced;
    double weight[TENET_WIDTH_MAX];
    uint32_t weights_n; /* 0: all count the same */
};

static volatile int stop;

static void
on_signal(int number)
{
    (void)number;
    stop = 1;
}

static bool
whole(const struct invocation *in, const char *flag, uint64_t high,
      uint64_t *out)
{
    const char *text = invocation_flag(in, flag);

    return text == NULL || (str_u64(str_c(text), out) && *out <= high);
}

static bool
real(const struct invocation *in, const char *flag, double low, double high,
     double *out)
{
    const char *text = invocation_flag(in, flag);

    return text == NULL ||
           (str_real(str_c(text), out) && *out >= low && *out <= high);
}

static bool
activation(const struct invocation *in, const char *flag, int *out)
{
    const char *text = invocation_flag(in, flag);

    if (text != NULL)
        *out = tenet_activation_find(str_c(text));
    return *out >= 0;
}

/* "balanced", "none", or one number a class. */
static bool
class_weights(const char *text, struct tenet_plan *p)
{
    struct str rest = str_c(text), word;

    p->balanced = text != NULL && strcmp(text, "balanced") == 0;
    if (text == NULL || p->balanced || strcmp(text, "none") == 0)
        return true;
    while (str_word(&rest, &word)) {
        double w;

        if (p->weights_n == TENET_WIDTH_MAX || !str_real(word, &w) ||
            !(w >= 0.001 && w <= 1000))
            return false;
        p->weight[p->weights_n++] = w;
    }
    return p->weights_n >= 2;
}

static int
read_layers(const struct invocation *in, struct tenet_plan *p)
{
    static const char *const names[TENET_HIDDEN_MAX] = {"one", "two", "three",
                                                        "four", "five"};
    static const uint64_t preset[TENET_HIDDEN_MAX] = {18, 0, 0, 0, 0};
    uint64_t cascade = 0;

    for (uint32_t i = 0; i < TENET_HIDDEN_MAX; i++) {
        uint64_t n = preset[i];

        if (!whole(in, names[i], FANN_WIDTH_MAX, &n))
            return command_usage(in, "--%s takes 0 to %u", names[i],
                                 FANN_WIDTH_MAX);
        p->o.hidden[i] = (uint32_t)n;
    }
    if (!whole(in, "cascade", TENET_CASCADE_MAX, &cascade))
        return command_usage(in, "--cascade takes 0 to %u", TENET_CASCADE_MAX);
    p->o.cascade = (uint32_t)cascade;
    if (!whole(in, "innum", TENET_WIDTH_MAX, &p->inputs_n) ||
        !whole(in, "outnum", TENET_WIDTH_MAX, &p->outputs_n))
        return command_usage(in, "--innum and --outnum take 1 to %u",
                             TENET_WIDTH_MAX);
    return EXIT_DONE;
}

static int
read_names(const struct invocation *in, struct tenet_plan *p)
{
    const char *algorithm = invocation_flag(in, "train");

    p->o.algorithm = tenet_algorithm_find(algorithm ? str_c(algorithm)
                                                    : S("FANN_TRAIN_RPROP"));
    if (p->o.algorithm == NULL)
        return command_usage(in, "--train %s: no such algorithm of FANN",
                             algorithm);
    if (!activation(in, "hidden", &p->o.hidden_activation) ||
        !activation(in, "activ", &p->o.output_activation))
        return command_usage(in, "no such activation function of FANN");
    if (!class_weights(invocation_flag(in, "class-weights"), p))
        return command_usage(in, "--class-weights takes none, balanced or a "
                                 "number (0.001 to 1000) for each class");
    return EXIT_DONE;
}

static int
read_flags(const struct invocation *in, struct tenet_plan *p)
{
    int code;

    p->in = invocation_flag(in, "input");
    p->out = invocation_flag(in, "output");
    p->network = invocation_flag(in, "score");
    if (p->in == NULL)
        return command_usage(in, "which samples? --input FILE");
    if ((code = read_layers(in, p)) != EXIT_DONE ||
        (code = read_names(in, p)) != EXIT_DONE)
        return code;
    if (!whole(in, "maximum", 1000000000, &p->o.epochs_max) ||
        !whole(in, "report", 1000000000, &p->o.report_epochs) ||
        !whole(in, "stagnation", 1000000000, &p->o.stagnation))
        return command_usage(in, "--maximum, --report and --stagnation take a "
                                 "number of epochs");
    if (!whole(in, "seed", UINT64_MAX, &p->o.seed))
        return command_usage(in, "--seed takes a number");
    if (!real(in, "desire", 0, 1e9, &p->o.mse))
        return command_usage(in, "--desire takes a mean square error");
    if (!real(in, "hold-out", 0, 0.9, &p->hold_out))
        return command_usage(in, "--hold-out takes 0 to 0.9");
    if (!real(in, "threshold", -1e9, 1e9, &p->o.threshold))
        return command_usage(in, "--threshold takes a number");
    p->o.no_widrow = invocation_flag(in, "widrow") != NULL;
    if (p->out != NULL && invocation_flag(in, "erase") == NULL &&
        access(p->out, F_OK) == 0)
        return command_usage(in, "%s is there already; --erase replaces it",
                             p->out);
    if (p->out != NULL && p->network == NULL && !file_writable(p->out))
        return command_usage(in, "--output %s: %s", p->out, strerror(errno));
    return EXIT_DONE;
}

static enum status
read_file(const char *path, size_t size_max, struct buf *text)
{
    struct text_lines *in;
    enum status st = text_lines_open(&in, path);
    struct str line;
    bool ended;

    if (st != ST_OK)
        return st;
    while ((st = text_lines_next(in, &line, &ended)) == ST_OK &&
           text->n <= size_max) {
        buf_str(text, line);
        if (ended)
            buf_char(text, '\n');
    }
    text_lines_close(in);
    if (st == ST_OK) {
        log_error("tenet", "file=%s fault=\"larger than %zu MiB\"", path,
                  size_max >> 20);
        return ST_LIMIT;
    }
    return st == ST_NONE ? ST_OK : st;
}

static enum status
load(struct tenet_data *d, const struct tenet_plan *p)
{
    struct buf text = {0};
    enum status st = read_file(p->in, TENET_FILE_BYTES, &text);
    const char *fault;
    size_t at;

    *d = (struct tenet_data){0};
    if (st == ST_OK &&
        (st = tenet_data_parse(d, buf_view(&text), &fault, &at)) != ST_OK)
        log_error("tenet", "file=%s byte=%zu fault=\"%s\"", p->in, at, fault);
    buf_free(&text);
    if (st != ST_OK)
        return st;
    if ((p->inputs_n > 0 && p->inputs_n != d->inputs_n) ||
        (p->outputs_n > 0 && p->outputs_n != d->outputs_n)) {
        log_error("tenet",
                  "file=%s inputs=%u outputs=%u fault=\"not as many as "
                  "--innum and --outnum say\"",
                  p->in, d->inputs_n, d->outputs_n);
        return ST_USAGE;
    }
    if (p->weights_n > 0 && p->weights_n != tenet_classes_n(d)) {
        log_error("tenet", "class_weights=%u classes=%u", p->weights_n,
                  tenet_classes_n(d));
        return ST_USAGE;
    }
    return ST_OK;
}

static void
print_score(const struct tenet_score *s, const char *of)
{
    struct buf out = {0};

    tenet_score_print(s, of, &out);
    fwrite(buf_view(&out).p, 1, out.n, stdout);
    buf_free(&out);
}

static void
print_result(const struct tenet_result *r, const struct tenet_options *o)
{
    static const char *const why[] = {"the desired error",
                                      "no better on what is held out",
                                      "--maximum", "a signal"};

    const char *unit = o->cascade > 0 ? "neuron" : "epoch";

    printf("ended after %llu %ss by %s; kept the network of %s %llu "
           "(mse %.6f)\n",
           (unsigned long long)r->epochs, unit, why[r->end], unit,
           (unsigned long long)r->best_epoch, r->mse);
    printf("threshold %g\n", o->threshold);
    print_score(&r->learned, "learned");
    if (r->held.n > 0)
        print_score(&r->held, "held out");
}

static int
train(struct tenet_plan *p, const struct tenet_data *d)
{
    bool *held = calloc(d->n, sizeof *held);
    uint32_t *copies = calloc(d->n, sizeof *copies);
    struct tenet *net = NULL;
    struct tenet_result r;
    enum status st = ST_NOMEM;
    size_t held_n;

    if (held == NULL || copies == NULL)
        goto out;
    held_n = tenet_hold_out(d, p->hold_out, p->o.seed, held);
    if (p->balanced)
        tenet_balance(d, p->o.threshold, held, p->weight);
    else if (p->weights_n == 0)
        for (uint32_t c = 0; c < tenet_classes_n(d); c++)
            p->weight[c] = 1;
    tenet_copies(d, p->weight, p->o.threshold, held, copies);
    printf("samples %u (%zu held out), inputs %u, outputs %u, seed %llu\n",
           d->n, held_n, d->inputs_n, d->outputs_n,
           (unsigned long long)p->o.seed);
    st = tenet_learn(&net, d, copies, held, &p->o, &stop, &r);
    if (st == ST_OK) {
        print_result(&r, &p->o);
        if (p->out != NULL)
            st = tenet_save(net, p->out);
    }
out:
    tenet_free(net);
    free(copies);
    free(held);
    if (st == ST_NOMEM)
        log_error("tenet", "fault=\"out of memory\"");
    return st != ST_OK ? EXIT_FAILED : stop ? EXIT_INTERRUPTED : EXIT_DONE;
}

/* The network that is there already, if it takes such samples; gzip or not. */
static enum status
load_network(struct fann **out, const struct tenet_plan *p,
             const struct tenet_data *d)
{
    struct buf text = {0};
    const char *fault = NULL;
    enum status st = read_file(p->network, FANN_FILE_BYTES, &text);

    *out = NULL;
    if (st == ST_OK)
        st = fann_file_parse(out, buf_view(&text), &fault);
    buf_free(&text);
    if (st == ST_OK && (fann_get_num_input(*out) != d->inputs_n ||
                        fann_get_num_output(*out) != d->outputs_n)) {
        fault = "its inputs and outputs are not those of the samples";
        st = ST_INVALID;
    }
    if (fault != NULL)
        log_error("tenet", "file=%s fault=\"%s\"", p->network, fault);
    return st;
}

static int
score(const struct tenet_plan *p, const struct tenet_data *d)
{
    struct tenet_score *s = memory_need(calloc(1, sizeof *s));
    float in[TENET_WIDTH_MAX];
    struct fann *net;
    enum status st = load_network(&net, p, d);

    for (size_t i = 0; st == ST_OK && i < d->n; i++) {
        memcpy(in, tenet_inputs(d, i), d->inputs_n * sizeof *in);
        if (net->scale_mean_in != NULL)
            fann_scale_input(net, in);
        tenet_score_add(s, d, i, fann_run(net, in), p->o.threshold);
    }
    if (st == ST_OK)
        print_score(s, "judged");
    if (net != NULL)
        fann_destroy(net);
    free(s);
    return st == ST_OK ? EXIT_DONE : EXIT_FAILED;
}

static int
run(struct invocation *in)
{
    struct tenet_plan *p = memory_need(calloc(1, sizeof *p));
    const struct sigaction act = {.sa_handler = on_signal};
    struct tenet_data d;
    int code;

    p->hold_out = 0.1;
    p->o =
        (struct tenet_options){.hidden_activation = FANN_SIGMOID_SYMMETRIC,
                               .output_activation = FANN_LINEAR_PIECE_SYMMETRIC,
                               .epochs_max = 50000,
                               .report_epochs = 1000,
                               .mse = 0.003,
                               .seed = 1,
                               .stagnation = 200,
                               .threshold = 0.5,
                               .progress = stderr};
    if ((code = read_flags(in, p)) != EXIT_DONE)
        goto out;
    if (load(&d, p) != ST_OK)
        code = EXIT_FAILED;
    else if (p->network != NULL)
        code = score(p, &d);
    else {
        sigaction(SIGINT, &act, NULL);
        sigaction(SIGTERM, &act, NULL);
        code = train(p, &d);
    }
    tenet_data_free(&d);
out:
    free(p);
    return code;
}

static const struct flag flags[] = {
    FLAG("input,i", "FILE", "Samples in FANN's .dat format, gzip or not."),
    FLAG_ON_DISK("output,o", "NETWORK",
                 "Where to save the network; else it is only scored."),
    SWITCH("erase,e", "Replace the output if it is there."),
    FLAG("innum,I", "N",
         "Inputs the samples must have; else as the file says."),
    FLAG("outnum,O", "N",
         "Outputs the samples must have; else as the file says."),
    FLAG("one,1", "N", "Neurons of the first hidden layer (18); 0: none."),
    FLAG("two,2", "N", "Of the second (0); the first 0 ends the list."),
    FLAG("three,3", "N", "Of the third (0)."),
    FLAG("four,4", "N", "Of the fourth (0)."),
    FLAG("five,5", "N", "Of the fifth (0)."),
    FLAG("cascade", "N",
         "No hidden layers: grow up to N neurons (cascade training)."),
    FLAG("train,t", "NAME", "Algorithm of FANN (FANN_TRAIN_RPROP)."),
    FLAG("hidden,H", "NAME",
         "Activation of hidden neurons (FANN_SIGMOID_SYMMETRIC)."),
    FLAG("activ,a", "NAME",
         "Activation of output neurons (FANN_LINEAR_PIECE_SYMMETRIC)."),
    FLAG("maximum,m", "N", "Most epochs (50000)."),
    FLAG("report,r", "N", "Report each N epochs (1000); 0: never."),
    FLAG("desire,d", "MSE", "Stop at this error, as FANN counts it (0.003)."),
    SWITCH("widrow,w", "Plain random weights, not Nguyen and Widrow's."),
    FLAG("seed", "N", "Seed of weights, order and what is held out (1)."),
    FLAG("hold-out", "X", "Share of samples that is only scored (0.1)."),
    FLAG("stagnation,patience", "N",
         "Stop when the held-out error is no better for N epochs (200); 0: "
         "never."),
    FLAG("class-weights", "W,W...",
         "How much a sample of each class counts: none, balanced, or numbers."),
    FLAG("threshold", "X", "One output above this is class 1 (0.5)."),
    FLAG("score,judge", "NET",
         "Score this network on the samples; nothing is learned."),
    {0},
};

const struct command command_tenet = {
    .name = "tenet",
    .group = COMMANDS_MEASURING,
    .usage = "-i SAMPLES.dat [-o NETWORK]",
    .summary = "Train a FANN network on labelled samples.",
    .help = "The samples held out are runs of neighbours, since neighbours "
            "come from the same\npage. The network with the least error on "
            "them is kept. Precision, recall and F1\nof every class are "
            "printed for both parts. Networks of FANN 2.1 can be scored, "
            "too. With --cascade\n--stagnation counts neurons.\n\n"
            "  winnow tenet -i blocks.dat -o blocks.net --class-weights "
            "balanced\n"
            "  winnow clean --set clean.network=./blocks.net PAGES",
    .flags = flags,
    .run = run,
};
