/* cmd_rofl.c -- `winnow rofl`: put the missing blank between sentences. */
#include "rofl.h"
#include "text_tool.h"

#define LIMIT_PRESET 1
#define LIMIT_MAX 1000

struct rofl_state {
    struct rofl rofl;
    uint64_t lines, changes;
};

static void
line(void *self, struct str text, struct buf *out)
{
    struct rofl_state *s = self;

    s->lines++;
    s->changes += rofl_line(&s->rofl, text, out);
    buf_char(out, '\n');
}

static void
copy(void *self, struct str text, struct buf *out)
{
    struct rofl_state *s = self;

    s->lines++;
    buf_str(out, text);
    buf_char(out, '\n');
}

/* The lists of one kind, all in one set. */
static enum status
read_lists(const struct invocation *in, const char *flag,
           const struct letters *l, struct unigrams *set)
{
    size_t n;
    const char *const *path = invocation_flag_all(in, flag, &n);
    enum status st = ST_OK;

    for (size_t i = 0; i < n && st == ST_OK; i++)
        st = unigrams_read_words(set, path[i], l);
    return st;
}

static int
run(struct invocation *in)
{
    const char *limit = invocation_flag(in, "limit");
    uint64_t limit_n = LIMIT_PRESET;
    struct unigrams *set[3];
    struct letters *l;
    struct rofl_state s = {0};
    int code = EXIT_FAILED;

    if (invocation_flag(in, "word") == NULL)
        return command_usage(in, "which words? --word FILE");
    if (limit != NULL &&
        (!str_u64(str_c(limit), &limit_n) || limit_n > LIMIT_MAX))
        return command_usage(in, "--limit takes 0 to %d", LIMIT_MAX);
    for (int i = 0; i < 3; i++)
        set[i] = unigrams_new();
    l = letters_new();
    if (l != NULL && read_lists(in, "word", l, set[0]) == ST_OK &&
        read_lists(in, "prefix", l, set[1]) == ST_OK &&
        read_lists(in, "suffix", l, set[2]) == ST_OK) {
        s.rofl = (struct rofl){l,
                               set[0],
                               set[1],
                               set[2],
                               (unsigned)limit_n,
                               invocation_flag(in, "emofix") != NULL,
                               text_tool_shown(in, "verbose"),
                               text_tool_shown(in, "Verbose")};
        code = text_tool_run(in, &(struct text_tool){&s, line, copy, NULL});
        if (invocation_flag(in, "verbose") != NULL)
            fprintf(stderr, "words %zu, lines %llu, blanks put in %llu\n",
                    unigrams_n(set[0]), (unsigned long long)s.lines,
                    (unsigned long long)s.changes);
    }
    letters_free(l);
    for (int i = 0; i < 3; i++)
        unigrams_free(set[i]);
    return code;
}

static const struct flag flags[] = {
    FLAG("word,w", "FILE", "Known words, one a line, in any case. Repeatable."),
    FLAG("prefix,p", "FILE",
         "Words that no sentence ends with (www, ftp). Repeatable."),
    FLAG("suffix,s", "FILE",
         "Words that no sentence begins with (com, html). Repeatable."),
    TEXT_TOOL_FLAGS SWITCH("emofix,e",
                           "First put blanks round :letters: emoticons."),
    FLAG("limit,l", "N", "Go over a changed line up to N more times (1)."),
    {0},
};

const struct command command_rofl = {
    .name = "rofl",
    .group = COMMANDS_DOCUMENTS,
    .usage = "-w WORDS [-p PREFIXES] [-s SUFFIXES] [-i FILE] [-o FILE]",
    .summary = "Separate run-on sentences: end.Now becomes end. Now.",
    .help = "A blank goes after ! ? : and full stop between two known words, "
            "unless the first\nis a prefix or the second a suffix of the "
            "lists.\n\n"
            "  winnow rofl -w en.words -s tld.list <in.txt >out.txt",
    .flags = flags,
    .run = run,
};
