/* pipeline.c -- see pipeline.h. */
#include "pipeline.h"

static bool
fault(struct buf *why, unsigned line, const char *what, struct str word)
{
    buf_printf(why, "line %u: %s%s%.*s", line, what, word.n > 0 ? ": " : "",
               STRF(word));
    return false;
}

/* The next word; quotes take blanks into it.  False: no more, or a quote that
 * is not closed (then *rest is not empty). */
static bool
next_word(struct pipeline *p, struct str *rest, struct str *word)
{
    struct buf b = {.arena = p->arena};
    struct str s = str_trim(*rest);
    bool quoted = false;
    size_t at = 0;

    *rest = s;
    if (s.n == 0 || s.p[0] == '#')
        return false;
    for (; at < s.n && (quoted || !ascii_space(s.p[at])); at++)
        if (s.p[at] == '"')
            quoted = !quoted;
        else
            buf_char(&b, s.p[at]);
    if (quoted)
        return false;
    *rest = str_sub(s, at, s.n);
    *word = buf_keep(&b);
    return true;
}

static bool
is_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_alpha(s.p[i]) && !ascii_digit(s.p[i]) && s.p[i] != '-' &&
            s.p[i] != '_')
            return false;
    return s.n > 0 && s.n <= 100 && s.p[0] != '-';
}

static size_t
find_stage(const struct pipeline *p, struct str name)
{
    for (size_t i = 0; i < p->n; i++)
        if (str_eq(name, str_c(p->stage[i].name)))
            return i;
    return SIZE_MAX;
}

static bool
define(struct pipeline *p, struct pipeline_stage *s, struct str given,
       const char **why)
{
    *why = "too many options";
    if (s->defines_n == PIPELINE_DEFINES_MAX)
        return false;
    given = str_n(arena_cstr(p->arena, given), given.n);
    if (!job_set(s->job, &s->settings, given, why))
        return false;
    s->define[s->defines_n++] = given.p;
    return true;
}

static bool
add_input(struct pipeline *p, struct pipeline_stage *s, struct str word,
          const char **why)
{
    struct pipeline_input *in = &s->input[s->inputs_n];

    *why = "too many inputs";
    if (s->inputs_n == PIPELINE_INPUTS_MAX)
        return false;
    *in = (struct pipeline_input){find_stage(p, word), S("")};
    *why = "neither a stage above nor a file";
    if (in->stage != SIZE_MAX)
        p->stage[in->stage].is_read = true;
    else if (strpbrk(word.p, "/.*") != NULL)
        in->pattern = word;
    else if (!str_eq(word, S("input")))
        return false;
    s->inputs_n++;
    return true;
}

/* What follows NAME = JOB. */
static bool
read_rest(struct pipeline *p, struct pipeline_stage *s, struct str rest,
          unsigned line, struct buf *why)
{
    bool reads = false;
    struct str word;
    const char *reason;

    while (next_word(p, &rest, &word)) {
        bool good;

        if (!reads && str_eq(word, S("<"))) {
            reads = true;
            continue;
        }
        good = reads ? add_input(p, s, word, &reason)
                     : define(p, s, word, &reason);
        if (!good)
            return fault(why, line, reason, word);
    }
    if (rest.n > 0 && rest.p[0] != '#')
        return fault(why, line, "a quote is not closed", S(""));
    if (s->inputs_n == 0)
        return fault(why, line, "it reads nothing (< STAGE or < input)", S(""));
    return true;
}

static bool
read_stage(struct pipeline *p, struct str text, unsigned line, struct buf *why)
{
    struct pipeline_stage *s = &p->stage[p->n];
    struct str word;

    if (!next_word(p, &text, &word))
        return text.n == 0 || text.p[0] == '#' ||
               fault(why, line, "a quote is not closed", S(""));
    if (p->n == PIPELINE_STAGES_MAX)
        return fault(why, line, "too many stages", S(""));
    if (!is_name(word) || str_eq(word, S("input")))
        return fault(why, line, "no name of a stage", word);
    if (find_stage(p, word) != SIZE_MAX)
        return fault(why, line, "a stage has that name already", word);
    *s = (struct pipeline_stage){.name = arena_cstr(p->arena, word)};
    if (!next_word(p, &text, &word) || !str_eq(word, S("=")) ||
        !next_word(p, &text, &word))
        return fault(why, line, "not NAME = JOB [KEY=VALUE...] < INPUT...",
                     S(""));
    if ((s->job = job_find(word)) == NULL)
        return fault(why, line, "no such job", word);
    job_preset(s->job, &s->settings);
    if (!read_rest(p, s, text, line, why))
        return false;
    p->n++;
    return true;
}

bool
pipeline_read(struct pipeline *p, struct str text, struct buf *why)
{
    struct str line;

    text = str_unmarked(text);
    for (unsigned i = 1; str_cut(&text, '\n', &line); i++)
        if (!read_stage(p, line, i, why))
            return false;
    if (p->n == 0)
        buf_c(why, "it has no stage");
    return p->n > 0;
}

bool
pipeline_set(struct pipeline *p, struct str given, struct buf *why)
{
    struct str key = str_sub(given, 0, str_find(given, '=', 0));
    size_t dot = str_find(key, '.', 0); /* without one a name is no stage's */
    size_t only = dot < key.n ? find_stage(p, str_sub(key, 0, dot)) : SIZE_MAX;
    struct str rest =
        only == SIZE_MAX ? given : str_sub(given, dot + 1, given.n);
    const char *reason = "no stage has such an option";
    bool taken = false;

    for (size_t i = 0; i < p->n; i++) {
        if ((only != SIZE_MAX && only != i) ||
            !job_has_option(p->stage[i].job, rest))
            continue;
        if (!define(p, &p->stage[i], rest, &reason)) {
            taken = false;
            break;
        }
        taken = true;
    }
    if (!taken)
        buf_printf(why, "%.*s: %s", STRF(given), reason);
    return taken;
}

static const struct {
    const char *name, *text;
} built_in[] = {
    {"webcorpus",
     "documents = document < input\n"
     "unique = deduplication < documents\n"
     "host-unique = dedup-by-host < unique\n"
     "whole = utf8 < host-unique\n"
     "sentences = sentence < whole\n"
     "languages = language < sentences\n"
     "extracted = sentence-extract < languages\n"
     "compact = sentence-extract-compact < extracted\n"
     "tokens = token < compact\n"
     "words = ngram weight-column=2 < tokens\n"
     "bigrams = ngram n=2 weight-column=2 < tokens\n"
     "trigrams = ngram n=3 weight-column=2 < tokens\n"
     "cooccurrences = cooccurrence n=3 weight-column=2 < tokens\n"},
    {"vertical", "documents = document < input\n"
                 "unique = deduplication < documents\n"
                 "host-unique = dedup-by-host < unique\n"
                 "whole = utf8 < host-unique\n"
                 "sentences = sentence < whole\n"
                 "languages = language paragraphs=1 < sentences\n"
                 "vertical = vertical < languages\n"},
};

void
pipeline_set_clean(struct pipeline *p, struct str folder,
                   const char *const *set, size_t set_n)
{
    for (size_t i = 0; i < p->n; i++) {
        struct job_settings *s = &p->stage[i].settings;

        s->data = folder;
        s->set = set;
        s->set_n = set_n;
    }
}

const char *
pipeline_built_in(struct str name)
{
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        if (str_eq(name, str_c(built_in[i].name)))
            return built_in[i].text;
    return NULL;
}
