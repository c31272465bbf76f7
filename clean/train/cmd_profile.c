/* cmd_profile.c -- `winnow profile`: a language profile out of plain text or
 * token files. */
#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/options/command.h"
#include "confusable_input.h"
#include "profile_input.h"

#define TYPES_PRESET 15
#define WORDS_PRESET 400
#define TYPES_MIN 5
#define SHARE_MIN_PRESET 0.007
#define SD_MIN_PRESET 0.15
#define ORDER_WORDS_PRESET 200
#define ELSEWHERE_PRESET 0.9

struct profile_plan {
    struct str language;
    uint64_t types_n, words_n, order_words_n;
    double sd_min, share_min, elsewhere;
    const char *counts;            /* NULL: no confusable language */
    const char *const *confusable; /* CODE=FILE each */
    size_t confusable_n;
    const char *out;
};

static int
add_files(const struct invocation *in, struct profiler *p,
          const struct profile_plan *plan)
{
    int code = EXIT_DONE;

    for (size_t i = 0; i < in->words_n && code == EXIT_DONE; i++)
        if (profile_input(p, in->words[i].p, plan->words_n) != ST_OK)
            code = EXIT_FAILED;
    return code;
}

static int
write_profile(const struct profiler *p, const struct profile *profile,
              const struct profile_plan *plan)
{
    FILE *to = plan->out ? fopen(plan->out, "wb") : stdout;
    struct buf text = {0};
    bool good;

    buf_printf(&text,
               "# %llu documents, %llu words; mean and deviation of log10 of "
               "the relative frequency\n",
               (unsigned long long)profiler_documents_n(p),
               (unsigned long long)profiler_tokens_n(p));
    profile_print(profile, &text);
    good = to != NULL && fwrite(text.p, 1, text.n, to) == text.n;
    if (to != NULL && to != stdout)
        good = fclose(to) == 0 && good;
    if (!good)
        fprintf(stderr, "winnow profile: %s: %s\n",
                plan->out ? plan->out : "stdout", strerror(errno));
    buf_free(&text);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int
finish(const struct profiler *p, const struct profile_plan *plan,
       const struct confusable_plan *confusable, struct arena *a)
{
    const struct profiler_plan wanted = {
        .language = plan->language,
        .types_n = (uint32_t)plan->types_n,
        .types_min =
            plan->types_n < TYPES_MIN ? (uint32_t)plan->types_n : TYPES_MIN,
        .share_min = plan->share_min,
        .sd_min = plan->sd_min,
        .order_words_n = (uint32_t)plan->order_words_n,
        .elsewhere = plan->elsewhere,
        .confusable = confusable,
        .confusable_n = plan->confusable_n};
    struct profile profile;

    if (profiler_finish(p, &profile, a, &wanted) == ST_OK)
        return write_profile(p, &profile, plan);
    fprintf(stderr,
            "winnow profile: too little text: %llu words in %llu documents do "
            "not hold %llu words that most have%s\n",
            (unsigned long long)profiler_tokens_n(p),
            (unsigned long long)profiler_documents_n(p),
            (unsigned long long)wanted.types_min,
            plan->confusable_n > 0
                ? ", or --counts and --confusable are too short"
                : "");
    return EXIT_FAILED;
}

static int
finish_with(const struct profiler *p, const struct profile_plan *plan,
            struct arena *a)
{
    struct confusable_plan *confusable =
        ARENA_ARRAY(a, struct confusable_plan, plan->confusable_n + 1);
    int code = EXIT_DONE;

    for (size_t i = 0; i < plan->confusable_n && code == EXIT_DONE; i++) {
        struct str file = str_c(plan->confusable[i]);

        str_cut(&file, '=', &confusable[i].language);
        if (confusable_input(&confusable[i].learner, plan->counts, file.p) !=
            ST_OK)
            code = EXIT_FAILED;
    }
    if (code == EXIT_DONE)
        code = finish(p, plan, confusable, a);
    for (size_t i = 0; i < plan->confusable_n; i++)
        confusable_learner_free(confusable[i].learner);
    return code;
}

static int
make(const struct invocation *in, const struct profile_plan *plan)
{
    bool dictionary = str_eq(in->opts.clean_word_break, S("dictionary"));
    struct segmenter *g = NULL;
    struct profiler *p = profiler_new();
    struct arena *a = arena_new();
    int code = EXIT_FAILED;

    if (dictionary)
        (void)segmenter_open(&g); /* without: letter by letter */
    if (p != NULL)
        profiler_segment(p, g);
    if (p != NULL)
        profiler_skip(p, str_c(invocation_flag(in, "skip")));
    if (p != NULL && (code = add_files(in, p, plan)) == EXIT_DONE)
        code = finish_with(p, plan, a);
    arena_free(a);
    profiler_free(p);
    segmenter_free(g);
    return code;
}

/* The flags that are numbers; EXIT_USAGE: reported. */
static int
read_numbers(const struct invocation *in, struct profile_plan *plan)
{
    const char *types = invocation_flag(in, "types");
    const char *words = invocation_flag(in, "words");
    const char *sd_min = invocation_flag(in, "sd-min");
    const char *share = invocation_flag(in, "share-min");
    const char *order = invocation_flag(in, "order-words");
    const char *elsewhere = invocation_flag(in, "elsewhere");

    if (types != NULL &&
        (!str_u64(str_c(types), &plan->types_n) || plan->types_n < 1 ||
         plan->types_n > PROFILE_TYPES_MAX))
        return command_usage(in, "--types %s: 1 to %d", types,
                             PROFILE_TYPES_MAX);
    if (words != NULL && !str_u64(str_c(words), &plan->words_n))
        return command_usage(in, "--words %s: a number", words);
    if (share != NULL && (!str_real(str_c(share), &plan->share_min) ||
                          !(plan->share_min >= 0 && plan->share_min <= 1)))
        return command_usage(in, "--share-min %s: 0 to 1", share);
    if (order != NULL && (!str_u64(str_c(order), &plan->order_words_n) ||
                          plan->order_words_n > ORDER_WORDS_MAX))
        return command_usage(in, "--order-words %s: 0 to %d", order,
                             ORDER_WORDS_MAX);
    if (elsewhere != NULL && (!str_real(str_c(elsewhere), &plan->elsewhere) ||
                              !(plan->elsewhere > 0 && plan->elsewhere <= 1)))
        return command_usage(in, "--elsewhere %s: above 0, at most 1",
                             elsewhere);
    if (sd_min != NULL &&
        (!str_real(str_c(sd_min), &plan->sd_min) || !(plan->sd_min > 0)))
        return command_usage(in, "--sd-min %s: a number above 0", sd_min);
    return EXIT_DONE;
}

/* --counts and --confusable; EXIT_USAGE: reported. */
static int
read_confusable(const struct invocation *in, struct profile_plan *plan)
{
    plan->confusable =
        invocation_flag_all(in, "confusable", &plan->confusable_n);
    plan->counts = invocation_flag(in, "counts");
    if ((plan->confusable_n == 0) != (plan->counts == NULL))
        return command_usage(in, "--counts and --confusable go together");
    for (size_t i = 0; i < plan->confusable_n; i++) {
        struct str list = str_c(plan->confusable[i]), name;

        if (!str_cut(&list, '=', &name) || name.n == 0 || list.n == 0)
            return command_usage(in, "--confusable %s: CODE=FILE",
                                 plan->confusable[i]);
    }
    return EXIT_DONE;
}

static int
run(struct invocation *in)
{
    struct profile_plan plan = {.types_n = TYPES_PRESET,
                                .words_n = WORDS_PRESET,
                                .sd_min = SD_MIN_PRESET,
                                .share_min = SHARE_MIN_PRESET,
                                .order_words_n = ORDER_WORDS_PRESET,
                                .elsewhere = ELSEWHERE_PRESET,
                                .language =
                                    str_c(invocation_flag(in, "language")),
                                .out = command_out(in, "out")};
    int code;

    if (plan.language.n == 0)
        return command_usage(in, "which language? --language nl");
    if (in->words_n == 0)
        return command_usage(in, "which text files?");
    if ((code = read_numbers(in, &plan)) != EXIT_DONE ||
        (code = read_confusable(in, &plan)) != EXIT_DONE)
        return code;
    return make(in, &plan);
}

static const struct flag flags[] = {
    FLAG("language,l", "CODE",
         "The language, as in clean.language: nl, de, fr."),
    FLAG("out,o", "FILE",
         "Where to write the profile; else (and -) to stdout."),
    FLAG("types", "N", "How many of the commonest words to take at most (15)."),
    FLAG("share-min", "X",
         "Once there are 5, leave out words that are rarer than this (0.007): "
         "they are too often missing by chance."),
    FLAG("words", "N",
         "Cut files at line ends into documents of N words (400); 0: each file "
         "is a document."),
    FLAG("skip", "WORDS",
         "Words to leave out: names that the sample is about."),
    FLAG("sd-min", "X", "Least standard deviation (0.15)."),
    FLAG("order-words", "N",
         "How many words the table of word order has (200); 0: no table."),
    FLAG("elsewhere", "X",
         "What kinds of text that the sample has not are expected to have of "
         "the word order and common words of those that it has (0.9)."),
    FLAG("counts", "FILE",
         "With --confusable: how often each word occurs in the language, lines "
         "COUNT<TAB>WORD."),
    FLAG("confusable,sibling", "CODE=FILE",
         "A language so near that the common words do not tell it, and how "
         "often each word occurs there, in the same kind of text. "
         "Repeatable."),
    {0},
};

const struct command command_profile = {
    .name = "profile",
    .group = COMMANDS_MEASURING,
    .usage = "--language CODE [-o data/profiles/CODE.prof] FILE...",
    .summary = "Make a language profile (for badness) from text.",
    .help =
        "Counts the commonest words of the texts (UTF-8, one sentence or "
        "paragraph a line),\nhow their frequency varies from document to "
        "document, and which words follow\nwhich. The profile goes to the "
        "folder profiles/ of clean.data; "
        "every *.prof there is loaded. Some 20,000 words of\nrunning text are "
        "enough. The standard deviation has a floor because sentences out\nof "
        "a treebank vary less than web pages do.\n\n"
        "  winnow profile --language nl -o data/profiles/nl.prof nl.txt",
    .flags = flags,
    .run = run,
};
