/* cmd_hydra.c -- `winnow hydra`: undo hard hyphenation in a text. */
#include "base/log.h"
#include "hydra.h"
#include "text_tool.h"

static void
line(void *self, struct str text, struct buf *out)
{
    hydra_line(self, text, out);
}

static void
copy(void *self, struct str text, struct buf *out)
{
    hydra_copy(self, text, out);
}

static void
finish(void *self, struct buf *out)
{
    hydra_finish(self, out);
}

static void
report(const struct unigrams *u, uint64_t bad, const struct hydra *h)
{
    struct hydra_counts c = hydra_counts(h);

    fprintf(stderr,
            "unigrams %zu (%llu lines passed over), lines %llu, candidates "
            "%llu, concatenated %llu, merged %llu\n",
            unigrams_n(u), (unsigned long long)bad, (unsigned long long)c.lines,
            (unsigned long long)c.candidates,
            (unsigned long long)c.concatenated, (unsigned long long)c.merged);
}

static int
run(struct invocation *in)
{
    const struct hydra_options o = {
        .german = invocation_flag(in, "German") != NULL,
        .mark = invocation_flag(in, "nondest") != NULL,
        .across = invocation_flag(in, "across") != NULL,
        .made = text_tool_shown(in, "verbose"),
        .left = text_tool_shown(in, "Verbose")};
    const char *path = invocation_flag(in, "unigrams");
    struct unigrams *u;
    struct letters *l;
    struct hydra *h = NULL;
    uint64_t bad = 0;
    int code = EXIT_FAILED;

    if (path == NULL)
        return command_usage(in, "which words? --unigrams FILE");
    u = unigrams_new();
    l = letters_new();
    if (l != NULL && unigrams_read(u, path, &bad) == ST_OK) {
        h = hydra_new(u, l, o);
        if (bad > 0)
            log_warn("hydra", "file=%s lines_passed_over=%llu", path,
                     (unsigned long long)bad);
        code = text_tool_run(in, &(struct text_tool){h, line, copy, finish});
        if (invocation_flag(in, "verbose") != NULL)
            report(u, bad, h);
    }
    hydra_free(h);
    letters_free(l);
    unigrams_free(u);
    return code;
}

static const struct flag flags[] = {
    FLAG("unigrams,u", "FILE",
         "Words and frequencies: lines of FREQ<TAB>WORD."),
    TEXT_TOOL_FLAGS SWITCH(
        "German,G",
        "Also join Noun- Noun (both with a capital), keeping the hyphen."),
    SWITCH("nondest,n",
           "Keep what was joined: <normalized from=\"unter- werfen\">."),
    SWITCH("across", "Join over the end of a line, too."),
    {0},
};

const struct command command_hydra = {
    .name = "hydra",
    .group = COMMANDS_DOCUMENTS,
    .usage = "-u UNIGRAMS [-i FILE] [-o FILE]",
    .summary = "Undo hard hyphenation: unter- werfen becomes unterwerfen.",
    .help =
        "Two neighbours, the first of which ends in a hyphen, become one "
        "word when that\nword (with or without the hyphen) is more "
        "frequent than both parts.\n\n"
        "  winnow hydra -u de.unigrams.gz -i corpus.xml.gz -o joined.xml.gz "
        "-I '<'",
    .flags = flags,
    .run = run,
};
