/* cmd_lab.c -- `winnow lab`: the command line of an experiment. */
#include "base/log.h"
#include "base/machine.h"
#include "base/nearest.h"
#include "base/options/command.h"
#include "base/progress.h"
#include "frontier/score/scorer.h"
#include "lab_open.h"
#include "lab_report.h"

#include <errno.h>
#include <math.h>
#include <string.h>

struct lab {
    struct invocation *in;
    struct arena *arena;
    struct web *web;
    const struct preset *preset; /* NULL: compare the scorers */
    struct experiment e;
};

/* ---- the command line ---- */

/* The flag's number; false: said what is wrong. */
static bool
number(const struct lab *l, const char *flag, double least, double *out)
{
    const char *text = invocation_flag(l->in, flag);

    if (text == NULL)
        return true;
    if (str_real(str_c(text), out) && *out >= least && *out <= 1e15)
        return true;
    command_usage(l->in, "--%s %s: not a number from %g on", flag, text, least);
    return false;
}

/* The same for a whole number: half a millisecond is none at all. */
static bool
whole(const struct lab *l, const char *flag, uint64_t least, uint64_t *out)
{
    double x = (double)*out;

    if (!number(l, flag, (double)least, &x))
        return false;
    *out = (uint64_t)x;
    if (floor(x) == x)
        return true;
    command_usage(l->in, "--%s %s: not a whole number", flag,
                  invocation_flag(l->in, flag));
    return false;
}

static bool
numbers(struct lab *l)
{
    struct experiment *e = &l->e;
    uint64_t seed = 1, delay = 0, chance = 1;

    if (!whole(l, "pages", 1, &e->pages_max) || !whole(l, "seed", 0, &seed) ||
        !whole(l, "chance", 1, &chance) || !whole(l, "delay-ms", 0, &delay) ||
        !whole(l, "fetch-ms", 0, &e->fetch_ms) ||
        !number(l, "rate", 0, &e->rate))
        return false;
    if (chance > EXPERIMENT_CHANCES_MAX) {
        command_usage(l->in, "--chance: more than %d", EXPERIMENT_CHANCES_MAX);
        return false;
    }
    e->chances_n = (size_t)chance;
    l->in->opts.politeness_delay_ms = delay;
    l->in->opts.frontier_random_seed = seed;
    return true;
}

/* Options that a crawl goes by and the laboratory does not. */
static void
tell_without_effect(const struct lab *l)
{
    static const struct {
        const char *section, *key, *instead;
    } without[] = {
        {"politeness", "delay_ms", "give --delay-ms"},
        {"politeness", "delays", "give --delay-ms, for all hosts"},
        {"politeness", "address_delay_ms", "a record knows no addresses"},
        {"politeness", "tdmrep", "a record has no tdmrep.json"},
        {"frontier", "random_seed", "give --seed"},
        {"frontier", "scorer", "give --scorers"},
        {"limits", "pages", "give --pages"},
        {"limits", "documents", "give --pages"},
        {"fetch", "bytes_per_second", "give --rate"},
        {"sitemaps", "use", "a record has no sitemaps"},
        {"dedup", "known_sentences", "sentences are not recorded"},
    };

    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (opts_given(&l->in->opts, without[i].section, without[i].key))
            log_warn("lab", "%s.%s has no effect in the laboratory: %s",
                     without[i].section, without[i].key, without[i].instead);
}

static bool
has_patience(const struct experiment *e, double x)
{
    for (size_t i = 0; i < e->patiences_n; i++)
        if (e->patience[i] == x)
            return true;
    return false;
}

/* Without a list: that of the job, and where hosts rest, none beside it. */
static bool
patiences(struct lab *l)
{
    const char *list = invocation_flag(l->in, "patience");
    struct experiment *e = &l->e;
    struct str rest = str_c(list), word;

    if (list == NULL) {
        e->patience[e->patiences_n++] = l->in->opts.frontier_patience;
        if (!experiment_timeless(e) && e->patience[0] > 0)
            e->patience[e->patiences_n++] = 0;
        return true;
    }
    while (str_word(&rest, &word)) {
        double *x = &e->patience[e->patiences_n];

        if (e->patiences_n == EXPERIMENT_PATIENCES_MAX || !str_real(word, x) ||
            *x < 0 || *x > 1) {
            command_usage(l->in,
                          "--patience %s: at most %d numbers from 0 to 1", list,
                          EXPERIMENT_PATIENCES_MAX);
            return false;
        }
        if (!has_patience(e, *x))
            e->patiences_n++;
    }
    if (e->patiences_n == 0)
        command_usage(l->in, "--patience is empty");
    return e->patiences_n > 0;
}

/* One that is there already, also under its other name. */
static bool
is_there(const struct experiment *e, struct str name)
{
    size_t oracle = oracle_find(name);

    for (size_t i = 0; i < e->scorers_n; i++)
        if (str_eq(e->scorer[i], name) ||
            (oracle < ORACLES_N && oracle_find(e->scorer[i]) == oracle))
            return true;
    return false;
}

/* ": there are bfs, random ..." */
static void
list_scorers(struct buf *out)
{
    const char *between = ": there are ";

    for (const struct scorer *const *s = scorer_table; *s != NULL; s++) {
        buf_printf(out, "%s%s", between, (*s)->name);
        between = ", ";
    }
    for (size_t i = 0; i < ORACLES_N; i++)
        buf_printf(out, ", %s", oracle_table[i].name);
}

static bool
add_scorer(struct lab *l, struct str name)
{
    struct nearest near;
    struct buf tail = {0};
    struct str best;

    if (l->e.scorers_n == EXPERIMENT_SCORERS_MAX) {
        command_usage(l->in, "--scorers: more than %d", EXPERIMENT_SCORERS_MAX);
        return false;
    }
    if (is_there(&l->e, name))
        return true;
    l->e.scorer[l->e.scorers_n++] = name;
    if (scorer_find(name) != NULL || oracle_find(name) < ORACLES_N)
        return true;
    nearest_init(&near, name);
    for (const struct scorer *const *s = scorer_table; *s != NULL; s++)
        nearest_offer(&near, str_c((*s)->name));
    for (size_t i = 0; i < ORACLES_N; i++) {
        nearest_offer(&near, str_c(oracle_table[i].name));
        if (oracle_table[i].alias != NULL)
            nearest_offer(&near, str_c(oracle_table[i].alias));
    }
    best = nearest_best(&near);
    if (best.n > 0)
        buf_printf(&tail, "; did you mean %.*s?", STRF(best));
    else
        list_scorers(&tail);
    command_usage(l->in, "--scorers: there is no scorer %.*s%.*s", STRF(name),
                  STRF(buf_view(&tail)));
    buf_free(&tail);
    return false;
}

static bool
scorers(struct lab *l)
{
    const char *list = invocation_flag(l->in, "scorers");
    struct str rest = str_c(list), word;

    if (list == NULL) {
        for (const struct scorer *const *s = scorer_table; *s != NULL; s++)
            add_scorer(l, str_c((*s)->name));
        return add_scorer(l, S("ceiling"));
    }
    while (str_word(&rest, &word))
        if (!add_scorer(l, word))
            return false;
    if (l->e.scorers_n == 0)
        command_usage(l->in, "--scorers is empty");
    return l->e.scorers_n > 0;
}

/* Their options, before the web is loaded, which may take minutes. */
static bool
scorers_open(const struct lab *l)
{
    bool good = true;

    for (size_t i = 0; i < l->e.scorers_n && good; i++) {
        const struct scorer *s = scorer_find(l->e.scorer[i]);
        void *state = NULL;

        if (s == NULL || s->open == NULL)
            continue;
        good = s->open(&state, l->e.opts) == ST_OK;
        s->close(state);
    }
    return good;
}

/* What would change nothing is refused. */
static bool
preset_takes(const struct lab *l)
{
    static const char *const others[] = {"pages", "chance", "patience"};

    for (size_t i = l->preset->pages; i < sizeof others / sizeof *others; i++)
        if (invocation_flag(l->in, others[i]) != NULL) {
            command_usage(l->in,
                          "--preset %s crawls in its own way: without "
                          "--%s",
                          l->preset->name, others[i]);
            return false;
        }
    return true;
}

static bool
preset(struct lab *l)
{
    const char *name = invocation_flag(l->in, "preset");
    struct buf known = {0};

    if (name == NULL)
        return true;
    for (const struct preset *const *p = preset_table; *p != NULL; p++) {
        if (strcmp((*p)->name, name) == 0)
            l->preset = *p;
        buf_printf(&known, " %s (%s)%s", (*p)->name, (*p)->help,
                   p[1] != NULL ? "," : "");
    }
    if (l->preset == NULL)
        command_usage(l->in, "--preset %s: there are%.*s", name,
                      STRF(buf_view(&known)));
    buf_free(&known);
    return l->preset != NULL && preset_takes(l);
}

static bool
language(struct lab *l)
{
    const char *code = invocation_flag(l->in, "language");
    struct str set;

    if (code == NULL)
        return true;
    set = arena_printf(l->arena, "clean.language=%s", code);
    return opts_set(&l->in->opts, "--language", set) == ST_OK;
}

/* --record is a run of its own: what it writes is compared by another one. */
static bool
only_records(struct lab *l)
{
    static const char *const others[] = {"scorers",
                                         "pages",
                                         "chance",
                                         "patience",
                                         "preset",
                                         "lessons",
                                         "out",
                                         "json",
                                         "rate",
                                         "fetch-ms",
                                         "delay-ms",
                                         "inside-only",
                                         "leave-out-missing",
                                         "seed"};

    if (invocation_flag(l->in, "record") == NULL)
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (invocation_flag(l->in, others[i]) != NULL) {
            command_usage(l->in,
                          "--record only records: give --%s to the run that "
                          "compares (winnow lab --web %s)",
                          others[i], invocation_flag(l->in, "record"));
            return false;
        }
    return true;
}

/* ---- run ---- */

static enum status
tell(struct lab *l, struct lab_report *r)
{
    bool json = invocation_flag(l->in, "json") != NULL;
    const char *folder = invocation_flag(l->in, "out");
    const struct buf *text = json ? &r->json : &r->markdown;

    fwrite(text->p, 1, text->n, stdout);
    return folder != NULL ? lab_report_write(r, folder) : ST_OK;
}

static enum status
compare(struct lab *l, struct lab_report *r)
{
    struct findings *f;
    enum status st = experiment_run(&l->e);

    if (st != ST_OK)
        return st;
    f = findings_make(&l->e, l->in->opts.frontier_random_seed);
    lab_report_findings(r, f, l->arena);
    findings_free(f);
    return ST_OK;
}

static enum status
run_preset(struct lab *l, struct lab_report *r)
{
    enum status st;

    preset_choose_scorers(&l->e);
    l->e.progress = progress_begin("lab", "fetches", 0);
    st = l->preset->run(&l->e, l->arena, &r->tables, &r->plots);
    progress_end(l->e.progress);
    l->e.progress = NULL;

    if (st == ST_OK)
        lab_report_preset(r, l->preset, &l->e);
    return st;
}

static enum status
experiment(struct lab *l)
{
    struct lab_report r = {0};
    enum status st;

    l->e.web = l->web;
    l->e.seed = l->web->seed;
    l->e.seeds_n = l->web->seeds_n;
    st = link_words_open(&l->e.link_words, &l->in->opts);
    if (st == ST_OK)
        st = experiment_prepare(&l->e);
    if (st == ST_OK)
        st = l->preset != NULL ? run_preset(l, &r) : compare(l, &r);
    if (st == ST_OK)
        st = tell(l, &r);
    lab_report_free(&r);
    experiment_free(&l->e);
    link_words_close(l->e.link_words);
    return st;
}

static size_t
threads(const struct opts *o)
{
    return o->clean_threads > 0 ? (size_t)o->clean_threads
                                : machine_processors();
}

/* --lessons: the file to write to, or none. */
static bool
lessons(struct lab *l)
{
    const char *path = invocation_flag(l->in, "lessons");

    if (path != NULL && (l->e.lessons = fopen(path, "w")) == NULL)
        command_usage(l->in, "--lessons %s: %s", path, strerror(errno));
    return path == NULL || l->e.lessons != NULL;
}

/* Are they all in the file? */
static bool
end_lessons(struct lab *l)
{
    bool failed;

    if (l->e.lessons == NULL)
        return true;
    failed = ferror(l->e.lessons) != 0;
    if (fclose(l->e.lessons) == 0 && !failed)
        return true;
    log_error("lab", "cannot write --lessons %s: %s",
              invocation_flag(l->in, "lessons"), strerror(errno));
    return false;
}

static int
run(struct invocation *in)
{
    struct lab l = {.in = in, .arena = arena_new()};
    struct lab_source source = {.opts = &in->opts,
                                .web = invocation_flag(in, "web"),
                                .seeds = invocation_flag(in, "seeds"),
                                .record = invocation_flag(in, "record"),
                                .threads_n = threads(&in->opts)};
    int code = EXIT_USAGE;

    l.e.threads_n = source.threads_n;
    l.e.opts = &in->opts;
    l.e.leave_out_missing = invocation_flag(in, "leave-out-missing") != NULL;
    l.e.inside_only = invocation_flag(in, "inside-only") != NULL;
    if (in->words_n > 0)
        code = command_usage(in, "unexpected word: %.*s", STRF(in->words[0]));
    else if (source.web == NULL)
        code = command_usage(in, "which web? give --web DIR");
    else if (only_records(&l) && language(&l) && numbers(&l) && patiences(&l) &&
             scorers(&l) && preset(&l) && scorers_open(&l) && lessons(&l)) {
        enum status st;

        if (source.record == NULL)
            tell_without_effect(&l);
        st = lab_open(&l.web, &source);

        if (log_threshold == LOG_INFO) /* of every crawl there would be some */
            log_threshold = LOG_WARN;
        if (st == ST_OK && source.record == NULL)
            st = experiment(&l);
        code = command_exit(st);
    }
    if (!end_lessons(&l))
        code = command_exit(ST_IO);
    web_free(l.web);
    arena_free(l.arena);
    return code;
}

static const struct flag flags[] = {
    FLAG_ON_DISK("web", "DIR", "The web: see above."),
    FLAG("language", "CODES", "As clean.language: the target languages."),
    FLAG("scorers", "LIST", "Scorers to compare; else all there are."),
    FLAG("seeds", "FILE",
         "Seeds, one URL a line; else seeds*.txt beside DIR, else every host's "
         "root."),
    FLAG("pages", "N",
         "Pages each crawl fetches; else half of those that can be reached."),
    FLAG("seed", "N", "The first random seed; else 1."),
    FLAG("chance", "N",
         "Random seeds: every scorer crawls with so many, from --seed on; "
         "figures are means with their ranges; else 1."),
    FLAG("patience", "LIST",
         "Values of frontier.patience; every scorer crawls with each of them, "
         "bfs and random too; else that of the job and, with a delay, 0."),
    FLAG("delay-ms", "N", "politeness.delay_ms of the crawls; else 0."),
    FLAG("rate", "N", "Fetches started a second; else unbounded."),
    FLAG("fetch-ms", "N", "How long a fetch takes; else 0."),
    SWITCH("leave-out-missing",
           "Links to URLs that answer with an error are not followed."),
    SWITCH("inside-only",
           "Links to hosts that were not recorded are out of scope; else they "
           "are queued and turn out to be unreachable, at no cost."),
    FLAG("preset", "NAME",
         "seeds, cyclic or links: an experiment of the WAC-9 paper, beside the "
         "published figures."),
    FLAG("lessons", "FILE",
         "Write what scorer learned learns from to FILE: host, how the page "
         "ended, features with values."),
    FLAG_ON_DISK("record", "RECORDING",
                 "Write the cleaned web there, for --web RECORDING, and do "
                 "nothing else."),
    FLAG_ON_DISK("out,o", "FOLDER",
                 "Write tables (TSV), report.md and report.html to it."),
    SWITCH("json", "Print one JSON object."),
    {0},
};

const struct command command_lab = {
    .name = "lab",
    .group = COMMANDS_MEASURING,
    .usage = "--web DIR [--language de] [--scorers bfs,paper,ceiling] [--json]",
    .summary = "Compare scorers on a recorded web, in virtual time.",
    .help =
        "Crawls one web once for every scorer: the real frontier, scorers,\n"
        "politeness, robots.txt, cleaning and deduplication, in virtual time.\n"
        "--web is a folder of sites (DIR/<host>/<path>), the folder of a "
        "crawl\n"
        "with output.warc = on, a WARC or ARC file, or what --record wrote.\n"
        "A crawl and a record bring their language and cleaning along.\n"
        "\n"
        "Prints, for every scorer: coverage (share of all that can be kept,\n"
        "when 10, 20, 25 and 50 percent of the reachable pages are fetched,\n"
        "and by virtual time), documents a fetch and a second, how well its\n"
        "scores predict what is kept, and what it found host by host.\n"
        "\n"
        "Beside the scorers, some that know the web: ceiling knows what is "
        "kept\n"
        "and the paths to it; without delays no order can do much better.\n"
        "greedy (the greedy oracle) knows of every queued URL whether it will\n"
        "be kept: no bound.  patterns knows what share of the URLs of each "
        "kind\n"
        "and host is kept: what it misses cannot be learnt from yields.\n"
        "\n"
        "A fetch takes --fetch-ms, starts at most --rate times a second and\n"
        "on fetch.parallel slots; nothing else takes time.  The same input "
        "and\n"
        "--seed give the same bytes.\n"
        "\n"
        "Examples:\n"
        "  winnow lab --web sites --language de --record de.web\n"
        "  winnow lab --web de.web --scorers bfs,paper,ceiling --chance 4 -o "
        "results\n"
        "  winnow lab --web de.web --preset links --json\n",
    .flags = flags,
    .run = run,
};
