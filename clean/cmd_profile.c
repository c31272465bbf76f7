/* cmd_profile.c -- `winnow profile`: a language profile out of plain text. */
#include <errno.h>
#include <stdlib.h>

#include "profiler.h"
#include "utf8.h"
#include "winnow/buf.h"
#include "winnow/command.h"

#define TYPES_PRESET 15
#define WORDS_PRESET 400
#define SD_MIN_PRESET 0.15

struct plan {
    struct str language;
    uint64_t types_n, words_n;
    double sd_min;
    const char *out;
};

static bool
read_file(struct buf *text, const char *path)
{
    FILE *f = fopen(path, "rb");
    char piece[65536];
    size_t n;
    bool good;

    if (f == NULL)
        return false;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        buf_add(text, piece, n);
    good = !ferror(f);
    fclose(f);
    return good;
}

/* Cut `text` at line ends into documents of `words_n` words or a little more;
 * 0: it is one document. */
static void
add_documents(struct profiler *p, struct str text, uint64_t words_n)
{
    size_t from = 0, at = 0, words = 0;

    if (words_n == 0) {
        profiler_add(p, text);
        return;
    }
    while (at < text.n) {
        size_t end = str_find(text, '\n', at);
        struct str line = str_sub(text, at, end), word;

        while (str_word(&line, &word))
            words++;
        at = end + 1;
        if (words >= words_n) {
            profiler_add(p, str_sub(text, from, at));
            from = at;
            words = 0;
        }
    }
    if (words * 2 >= words_n) /* a short rest would only be noise */
        profiler_add(p, str_sub(text, from, text.n));
}

static int
add_files(const struct invocation *in, struct profiler *p,
          const struct plan *plan)
{
    struct buf text = {0};
    int code = EXIT_DONE;

    for (size_t i = 0; i < in->words_n && code == EXIT_DONE; i++) {
        const char *path = in->words[i].p;

        buf_clear(&text);
        if (!read_file(&text, path)) {
            fprintf(stderr, "winnow profile: %s: %s\n", path, strerror(errno));
            code = EXIT_FAILED;
        } else if (!utf8_valid(buf_view(&text))) {
            fprintf(stderr, "winnow profile: %s: not UTF-8\n", path);
            code = EXIT_FAILED;
        } else
            add_documents(p, buf_view(&text), plan->words_n);
    }
    buf_free(&text);
    return code;
}

static int
write_profile(const struct profiler *p, const struct profile *profile,
              const struct plan *plan)
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
make(const struct invocation *in, const struct plan *plan)
{
    struct profiler *p = profiler_new();
    struct arena *a = arena_new();
    struct profile profile;
    int code = EXIT_FAILED;

    if (p != NULL)
        profiler_skip(p, str_c(invocation_flag(in, "skip")));
    if (p != NULL && (code = add_files(in, p, plan)) == EXIT_DONE) {
        if (profiler_finish(p, &profile, a, plan->language,
                            (uint32_t)plan->types_n, plan->sd_min) == ST_OK)
            code = write_profile(p, &profile, plan);
        else {
            fprintf(stderr,
                    "winnow profile: too little text: %llu words in %llu "
                    "documents do not hold %llu words that most have\n",
                    (unsigned long long)profiler_tokens_n(p),
                    (unsigned long long)profiler_documents_n(p),
                    (unsigned long long)plan->types_n);
            code = EXIT_FAILED;
        }
    }
    arena_free(a);
    profiler_free(p);
    return code;
}

static int
run(struct invocation *in)
{
    struct plan plan = {.types_n = TYPES_PRESET,
                        .words_n = WORDS_PRESET,
                        .sd_min = SD_MIN_PRESET,
                        .language = str_c(invocation_flag(in, "language")),
                        .out = invocation_flag(in, "out")};
    const char *types = invocation_flag(in, "types");
    const char *words = invocation_flag(in, "words");
    const char *sd_min = invocation_flag(in, "sd-min");

    if (plan.language.n == 0)
        return command_usage(in, "which language? --language nl");
    if (in->words_n == 0)
        return command_usage(in, "which text files?");
    if (types != NULL && (!str_u64(str_c(types), &plan.types_n) ||
                          plan.types_n < 1 || plan.types_n > PROFILE_TYPES_MAX))
        return command_usage(in, "--types %s: 1 to %d", types,
                             PROFILE_TYPES_MAX);
    if (words != NULL && !str_u64(str_c(words), &plan.words_n))
        return command_usage(in, "--words %s: a number", words);
    if (sd_min != NULL &&
        (!str_real(str_c(sd_min), &plan.sd_min) || !(plan.sd_min > 0)))
        return command_usage(in, "--sd-min %s: a number above 0", sd_min);
    return make(in, &plan);
}

static const struct flag flags[] = {
    {"language,l", "CODE", "The language, as in clean.language: nl, de, fr."},
    {"out,o", "FILE", "Where to write the profile; else to stdout."},
    {"types", "N", "How many of the commonest words to take (15)."},
    {"words", "N",
     "Cut files at line ends into documents of N words (400); 0: each file is "
     "a document."},
    {"skip", "WORDS", "Words to leave out: names that the sample is about."},
    {"sd-min", "X", "Least standard deviation (0.15)."},
    {0},
};

const struct command command_profile = {
    .name = "profile",
    .usage = "--language CODE [-o data/profiles/CODE.prof] FILE...",
    .summary = "make a language profile (for badness) out of plain text",
    .help =
        "Counts the commonest words of the texts (UTF-8, one sentence or "
        "paragraph a line)\nand how their frequency varies from document to "
        "document. The profile goes to the\nfolder profiles/ of clean.data; "
        "every *.prof there is loaded. Some 20,000 words of\nrunning text are "
        "enough. The standard deviation has a floor because sentences out\nof "
        "a treebank vary less than web pages do.\n\n"
        "  winnow profile --language nl -o data/profiles/nl.prof nl.txt",
    .flags = flags,
    .run = run,
};
