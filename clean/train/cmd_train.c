/* cmd_train.c -- `winnow train`: make data/boilerplate.net from labelled pages.
 *
 * Reads the pages, cross-validates (each page classified by networks that saw
 * no page of its registered domain), prints the scores, and with --out learns
 * from everything and saves a FANN network, the first pass, and beside it what
 * sees the first one's values of the neighbourhood (the context pass): a
 * forest, a network, or both. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/options/command.h"
#include "clean/boilerplate/fann_file.h"
#include "corpus/tagger/tagger_train.h"
#include "tenet.h"
#include "train_cross.h"

struct train_plan {
    struct train_options o;
    uint64_t folds;
    const char *pages, *out, *export;
    enum train_split split;
    bool one_pass;
};

static bool
number(const struct invocation *in, const char *name, uint64_t low,
       uint64_t high, uint64_t *value)
{
    const char *text = invocation_flag(in, name);

    return text == NULL ||
           (str_u64(str_c(text), value) && *value >= low && *value <= high);
}

/* From 1 on. */
static bool
number32(const struct invocation *in, const char *name, uint32_t high,
         uint32_t *value)
{
    uint64_t wide = *value;

    if (!number(in, name, 1, high, &wide))
        return false;
    *value = (uint32_t)wide;
    return true;
}

static bool
real(const struct invocation *in, const char *name, double *value)
{
    const char *text = invocation_flag(in, name);

    return text == NULL ||
           (str_real(str_c(text), value) && *value >= 0 && *value <= 0.9);
}

static bool
kind(const struct invocation *in, const char *name, uint32_t *value)
{
    static const char *const names[] = {
        [TRAIN_NET] = "net", [TRAIN_FOREST] = "forest", [TRAIN_BOTH] = "both"};
    const char *text = invocation_flag(in, name);

    if (text == NULL)
        return true;
    for (*value = TRAIN_BOTH; *value > 0; --*value)
        if (str_eq(str_c(text), str_c(names[*value])))
            return true;
    return false;
}

/* *algorithm: NULL for Adam. */
static bool
trainer(const struct invocation *in, const char **algorithm)
{
    struct str name = str_c(invocation_flag(in, "trainer"));

    *algorithm = NULL;
    if (name.n == 0 || str_eq(name, S("adam")))
        return true;
    *algorithm = tenet_algorithm_find(name);
    return *algorithm != NULL;
}

static const struct train_options usual = {.hidden_n = 32,
                                           .epochs = 5,
                                           .nets = 1,
                                           .samples_max = 200000,
                                           .seed = 1,
                                           .rate = 3e-3,
                                           .decay = 1e-5,
                                           .first = TRAIN_BOTH,
                                           .context = TRAIN_FOREST,
                                           .trees = 600,
                                           .step = 0.12,
                                           .rows = 0.25,
                                           .inputs = 0.3};

static int
read_net_flags(struct invocation *in, struct train_options *o)
{
    if (!number32(in, "nets", TRAIN_NETS_MAX, &o->nets))
        return command_usage(in, "--nets takes 1 to %u", TRAIN_NETS_MAX);
    if (!number32(in, "hidden", 128, &o->hidden_n) || o->hidden_n % 16 != 0 ||
        (uint64_t)o->nets * o->hidden_n > 128)
        return command_usage(in, "--hidden takes a multiple of 16; times "
                                 "--nets, 128 at most");
    if (!number32(in, "epochs", 1000, &o->epochs))
        return command_usage(in, "--epochs takes 1 to 1000");
    if (!real(in, "rate", &o->rate) || !real(in, "decay", &o->decay) ||
        !real(in, "drop", &o->drop))
        return command_usage(in, "--rate, --decay and --drop take 0 to 0.9");
    if (!number32(in, "samples", 100000000, &o->samples_max))
        return command_usage(in, "--samples takes 1 to 100000000");
    if (!trainer(in, &o->algorithm))
        return command_usage(in, "--trainer takes adam or an algorithm of "
                                 "libfann: batch, rprop, quickprop, sarprop");
    return EXIT_DONE;
}

static int
read_forest_flags(struct invocation *in, struct train_options *o)
{
    if (!number32(in, "trees", FOREST_TREES_MAX, &o->trees))
        return command_usage(in, "--trees takes 1 to %u", FOREST_TREES_MAX);
    if (!real(in, "step", &o->step) || !real(in, "tree-rows", &o->rows) ||
        !real(in, "tree-inputs", &o->inputs))
        return command_usage(in, "--step, --tree-rows and --tree-inputs take "
                                 "0 to 0.9");
    return EXIT_DONE;
}

/* Known before hours of training, not after them. */
static int
may_save(const struct invocation *in, const char *out)
{
    if (out == NULL || file_writable(out))
        return EXIT_DONE;
    return command_usage(in, "--out %s: %s", out, strerror(errno));
}

static int
read_flags(struct invocation *in, struct train_plan *p)
{
    int code;

    p->o = usual;
    p->folds = 5;
    if (!number(in, "folds", 2, TRAIN_FOLDS_MAX, &p->folds))
        return command_usage(in, "--folds takes 2 to %u", TRAIN_FOLDS_MAX);
    if (!number(in, "seed", 0, UINT64_MAX, &p->o.seed))
        return command_usage(in, "--seed takes a number");
    if ((code = read_net_flags(in, &p->o)) != EXIT_DONE ||
        (code = read_forest_flags(in, &p->o)) != EXIT_DONE)
        return code;
    if (!kind(in, "first", &p->o.first) || p->o.first == TRAIN_FOREST)
        return command_usage(in, "--first takes net or both");
    if (!kind(in, "context", &p->o.context))
        return command_usage(in, "--context takes net, forest or both");
    p->pages = invocation_flag(in, "pages");
    p->out = invocation_flag(in, "out");
    p->export = invocation_flag(in, "export");
    p->one_pass = invocation_flag(in, "one-pass") != NULL;
    p->split = invocation_flag(in, "leave-set-out") != NULL ? TRAIN_BY_SET
                                                            : TRAIN_BY_DOMAIN;
    if (p->pages == NULL)
        return command_usage(in, "--pages DIR is needed");
    return may_save(in, p->out);
}

/* Learn from all, move the best cut to 0.5, save.  What an earlier run left for
 * the context pass was made for another first one: it goes. */
static enum status
save(const struct train_set *set, const struct train_plan *p, uint32_t pass,
     double cut)
{
    struct arena *a = set->arena[0];
    struct str context = arena_printf(a, "%s.second", p->out);
    struct str first = arena_printf(a, "%s.first", p->out);
    struct str forest = arena_printf(a, "%s.forest", p->out);
    struct str kinds_path = arena_printf(a, "%s.kinds", p->out);
    struct page_kind_model kinds;
    struct train_model m = train_all(set, pass, &p->o);
    double shift = log(cut / (1 - cut));
    enum status st = ST_OK;

    if (pass == 1) /* what moves the mean of both passes so far */
        shift /= (double)CONTEXT_WEIGHT;
    if (pass == 0) {
        unlink(context.p);
        unlink(first.p);
        unlink(forest.p);
        unlink(kinds_path.p);
    }
    if (m.net != NULL) {
        train_net_shift(m.net, shift);
        st = fann_file_save(m.net, pass == 0 ? p->out : context.p, "train");
    }
    if (m.forest != NULL && st == ST_OK) {
        m.forest->base += (float)shift;
        st = forest_save(m.forest, pass == 0 ? first.p : forest.p);
    }
    if (st == ST_OK && pass == 1 && train_kinds_all(set, &kinds))
        st = page_kind_save(&kinds, kinds_path.p);
    if (st == ST_OK)
        log_info("train", "saved=%s pass=%u net=%d forest=%d cut=%.2f", p->out,
                 pass + 1, m.net != NULL, m.forest != NULL, cut);
    train_model_free(&m);
    return st;
}

/* One pass: classify pages unseen, report, save. */
static enum status
pass(struct train_set *set, const struct train_plan *p, uint32_t folds,
     uint32_t i, uint32_t last)
{
    enum status st;
    double cut;

    train_cross(set, folds, i, &p->o);
    printf("pass %u, %u folds\n", i + 1, folds);
    st = train_report(set, p->split, folds, i, i == last ? p->export : NULL);
    fflush(stdout);
    cut = train_threshold(set, p->split, i, UINT32_MAX);
    if (st == ST_OK && p->out != NULL)
        st = save(set, p, i, cut);
    if (i < last)
        train_context(set, folds, cut);
    return st;
}

/* Pages of one domain would be classified by what has learned nothing. */
static enum status
say_one_fold(const struct train_plan *p)
{
    log_error("train",
              p->split == TRAIN_BY_SET
                  ? "%s: all pages to learn from are of one set: "
                    "--leave-set-out needs several"
                  : "%s: all pages to learn from are in one fold: it takes "
                    "pages of several domains (of few ones, another --seed or "
                    "more --folds)",
              p->pages);
    return ST_INVALID;
}

static enum status
train(const struct train_plan *p)
{
    struct train_set set;
    enum status st = train_set_load(&set, p->pages);
    uint32_t folds, last = p->one_pass ? 0 : 1;

    if (st != ST_OK)
        goto out;
    folds = train_split(&set, p->split, (uint32_t)p->folds, p->o.seed);
    log_info("train", "pages=%u folds=%u inputs=%u", set.pages_n, folds,
             (unsigned)FEATURES_N);
    if (!train_can_cross(&set))
        st = say_one_fold(p);
    for (uint32_t i = 0; i <= last && st == ST_OK; i++)
        st = pass(&set, p, folds, i, last);
out:
    train_set_free(&set);
    return st;
}

/* winnow train tagger */
static int
run_tagger(struct invocation *in)
{
    struct tagger_plan t = {.test = invocation_flag(in, "test"),
                            .out = invocation_flag(in, "out"),
                            .language = str_c(invocation_flag(in, "language"))};
    uint64_t epochs = 5, bits = 15, seed = 1, nets = 1;
    int code;

    t.files = invocation_flag_all(in, "conllu", &t.files_n);
    if (t.files_n == 0)
        return command_usage(in, "--conllu FILE is needed");
    if (!number(in, "epochs", 1, 1000, &epochs))
        return command_usage(in, "--epochs takes 1 to 1000");
    if (!number(in, "bits", 8, 20, &bits))
        return command_usage(in, "--bits takes 8 to 20");
    if (!number(in, "seed", 0, UINT64_MAX, &seed))
        return command_usage(in, "--seed takes a number");
    if (!number(in, "nets", 1, 100, &nets))
        return command_usage(in, "--nets takes 1 to 100");
    for (size_t i = 0; i < t.language.n; i++)
        if (!ascii_alpha(t.language.p[i]) && t.language.p[i] != '-')
            return command_usage(in, "--language takes a code: nl");
    t.epochs = (unsigned)epochs;
    t.nets = (unsigned)nets;
    t.bits = (unsigned)bits;
    t.seed = seed;
    if ((code = may_save(in, t.out)) != EXIT_DONE)
        return code;
    return tagger_train(&t) == ST_OK ? EXIT_DONE : EXIT_FAILED;
}

/* What each flag belongs to. */
enum { OF_PAGES = 1, OF_TAGGER = 2, OF_BOTH = 3 };

#define FLAGS(ROW)                                                             \
    ROW(OF_PAGES,                                                              \
        FLAG_ON_DISK(                                                          \
            "pages", "DIR",                                                    \
            "Labelled pages: manifest.tsv, pages/, truth/, segments/."))       \
    ROW(OF_BOTH, FLAG_ON_DISK("out", "MODEL",                                  \
                              "Save MODEL, and MODEL.first, .forest, "         \
                              ".second, .kinds as asked for."))                \
    ROW(OF_PAGES, FLAG("folds", "N", "Folds of the cross-validation (5)."))    \
    ROW(OF_PAGES, SWITCH("leave-set-out", "One fold for each set instead."))   \
    ROW(OF_PAGES,                                                              \
        FLAG_ON_DISK(                                                          \
            "export", "DIR",                                                   \
            "Write the text kept of each page, classified unseen, and "        \
            "kinds.tsv: the kinds it looks like."))                            \
    ROW(OF_BOTH, FLAG("seed", "N", "Seed of folds and networks (1)."))         \
    ROW(OF_PAGES,                                                              \
        FLAG("hidden", "N",                                                    \
             "Hidden neurons of one network, a multiple of 16 (32)."))         \
    ROW(OF_BOTH,                                                               \
        FLAG("nets", "N", "Networks, or taggers, whose mean is taken (1)."))   \
    ROW(OF_BOTH, FLAG("epochs", "N", "Times all pages are seen (5)."))         \
    ROW(OF_PAGES, FLAG("trainer", "NAME",                                      \
                       "adam, or rprop and others of libfann (adam)."))        \
    ROW(OF_PAGES, FLAG("samples", "N",                                         \
                       "Most blocks that libfann's learn from (200000)."))     \
    ROW(OF_PAGES, FLAG("rate", "X", "Learning rate at the start (0.003)."))    \
    ROW(OF_PAGES, FLAG("decay", "X", "Weight decay (0.00001)."))               \
    ROW(OF_PAGES,                                                              \
        FLAG("drop", "X", "Share of inputs left out while learning (0)."))     \
    ROW(OF_PAGES, FLAG("first", "KIND", "First pass: net, or both (both)."))   \
    ROW(OF_PAGES, FLAG("context,second", "KIND",                               \
                       "Context pass: net, forest, both (forest)."))           \
    ROW(OF_PAGES, FLAG("trees", "N", "Trees of a forest (600)."))              \
    ROW(OF_PAGES, FLAG("step", "X", "Weight of a tree (0.12)."))               \
    ROW(OF_PAGES, FLAG("tree-rows", "X",                                       \
                       "Share of the blocks that a tree sees (0.25)."))        \
    ROW(OF_PAGES, FLAG("tree-inputs", "X",                                     \
                       "Share of the inputs that a tree sees (0.3)."))         \
    ROW(OF_PAGES, SWITCH("one-pass", "No context pass."))                      \
    ROW(OF_TAGGER, FLAG("conllu", "FILE",                                      \
                        "tagger: CoNLL-U to learn from; upos:FILE: but not "   \
                        "its language's own tags; repeatable."))               \
    ROW(OF_TAGGER, FLAG("language", "CODE",                                    \
                        "tagger: the language that the model says it is of; "  \
                        "it is then for no other."))                           \
    ROW(OF_TAGGER, FLAG("test", "FILE", "tagger: CoNLL-U to be judged by."))   \
    ROW(OF_TAGGER,                                                             \
        FLAG("bits", "N", "tagger: the model has 2^N features (15)."))

static const struct flag flags[] = {
#define ROW(of, ...) __VA_ARGS__,
    FLAGS(ROW)
#undef ROW
        {0}};

static const unsigned char flag_of[] = {
#define ROW(of, ...) of,
    FLAGS(ROW)
#undef ROW
};

/* Words and flags that the one or the other would pass over are refused. */
static int
check_fits(const struct invocation *in, bool tagger)
{
    const unsigned of = tagger ? OF_TAGGER : OF_PAGES;

    if (in->words_n > tagger)
        return command_usage(in, "%.*s is not understood",
                             STRF(in->words[tagger]));
    for (size_t i = 0; i < sizeof flag_of / sizeof *flag_of; i++) {
        struct str names = str_c(flags[i].name), name = names;
        char one[32];

        str_cut(&names, ',', &name);
        snprintf(one, sizeof one, "%.*s", STRF(name));
        if (invocation_flag(in, one) != NULL && (flag_of[i] & of) == 0)
            return command_usage(in, "--%s is %s train tagger", one,
                                 tagger ? "nothing for" : "only for");
    }
    return EXIT_DONE;
}

static int
run(struct invocation *in)
{
    struct train_plan p = {.pages = NULL};
    bool tagger = in->words_n > 0 && str_eq(in->words[0], S("tagger"));
    int rc = check_fits(in, tagger);

    if (rc == EXIT_DONE && tagger)
        return run_tagger(in);
    if (rc == EXIT_DONE)
        rc = read_flags(in, &p);
    if (rc != EXIT_DONE)
        return rc;
    return train(&p) == ST_OK ? EXIT_DONE : EXIT_FAILED;
}

const struct command command_train = {
    .name = "train",
    .group = COMMANDS_MEASURING,
    .usage = "--pages DIR [--out FILE] [--folds N] [--seed N]\n"
             "       winnow train tagger --conllu FILE ... [--test FILE] "
             "[--out FILE]",
    .summary =
        "Train the boilerplate classifier, or a tagger, on labelled texts.",
    .help =
        "Each page is classified by networks that saw no page of its\n"
        "registered domain; the scores of that are printed.  Targets come\n"
        "from aligning each page with its main text.\n"
        "\n"
        "`winnow train tagger` learns parts of speech (UPOS, and the\n"
        "treebanks' own tags where they have them) and lemmas from\n"
        "treebanks in CoNLL-U and says how many words of --test get theirs.\n",
    .flags = flags,
    .run = run,
};
