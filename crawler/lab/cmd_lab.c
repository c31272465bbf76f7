/* cmd_lab.c -- `winnow lab`: the command line of an experiment. */
#include "../../frontier/scorer.h"
#include "build.h"
#include "lab.h"
#include "lab_seeds.h"
#include "winnow/command.h"
#include "winnow/log.h"
#include "winnow/nearest.h"

#include <math.h>
#include <unistd.h>

struct lab {
    struct invocation *in;
    struct arena *arena;
    struct site *site;
    struct web *web;
    struct experiment e;
};

static int
exit_code(enum status st)
{
    return st == ST_OK ? EXIT_DONE : st == ST_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

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

static bool
numbers(struct lab *l)
{
    double pages = 0, seed = 1, delay = 0, fetch = 0, rate = 0;

    if (!number(l, "pages", 1, &pages) || !number(l, "seed", 0, &seed) ||
        !number(l, "delay-ms", 0, &delay) ||
        !number(l, "fetch-ms", 0, &fetch) || !number(l, "rate", 0, &rate))
        return false;
    l->e.pages_max = (uint64_t)pages;
    l->e.fetch_ms = (uint64_t)fetch;
    l->e.rate = rate;
    l->in->opts.politeness_delay_ms = (uint64_t)delay;
    l->in->opts.frontier_random_seed = (uint64_t)seed;
    return true;
}

static bool
add_scorer(struct lab *l, struct str name)
{
    struct nearest near;
    struct str best;

    if (l->e.scorers_n == EXPERIMENT_SCORERS_MAX) {
        command_usage(l->in, "--scorers: more than %d", EXPERIMENT_SCORERS_MAX);
        return false;
    }
    for (size_t i = 0; i < l->e.scorers_n; i++)
        if (str_eq(l->e.scorer[i], name))
            return true;
    l->e.scorer[l->e.scorers_n++] = name;
    if (scorer_find(name) != NULL)
        return true;
    nearest_init(&near, name);
    for (const struct scorer *s = scorer_table; s->name != NULL; s++)
        nearest_offer(&near, str_c(s->name));
    best = nearest_best(&near);
    command_usage(l->in, "--scorers: there is no scorer %.*s%s%.*s%s",
                  STRF(name), best.n ? "; did you mean " : "", STRF(best),
                  best.n ? "?" : "");
    return false;
}

static bool
scorers(struct lab *l)
{
    const char *list = invocation_flag(l->in, "scorers");
    struct str rest = str_c(list), word;

    if (list == NULL) {
        for (const struct scorer *s = scorer_table; s->name != NULL; s++)
            add_scorer(l, str_c(s->name));
        return true;
    }
    while (str_word(&rest, &word))
        if (!add_scorer(l, word))
            return false;
    if (l->e.scorers_n == 0)
        command_usage(l->in, "--scorers is empty");
    return l->e.scorers_n > 0;
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

/* ---- the web ---- */

static enum status
build(struct lab *l, const char *dir)
{
    const struct opts *o = &l->in->opts;
    struct build b = {.opts = o};
    struct cleaner *cleaner = NULL;
    struct lab_seeds seeds;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    enum status st;

    b.threads_n = o->clean_threads ? o->clean_threads
                  : cores > 1      ? (size_t)cores
                                   : 1;
    l->e.threads_n = b.threads_n;
    if ((st = site_open(&l->site, dir)) != ST_OK ||
        (st = lab_seeds_of_site(&seeds, l->arena, o, l->site, dir,
                                invocation_flag(l->in, "seeds"))) != ST_OK ||
        (st = cleaner_open(&cleaner, o)) != ST_OK)
        return st;
    b.cleaner = cleaner;
    b.seeds = seeds.url;
    b.seeds_n = seeds.n;
    st = build_from_site(&l->web, l->site, &b);
    cleaner_close(cleaner);
    return st;
}

/* ---- run ---- */

static enum status
experiment(struct lab *l)
{
    struct buf out = {0};
    enum status st;

    l->e.web = l->web;
    l->e.opts = &l->in->opts;
    l->e.seed = l->web->seed;
    l->e.seeds_n = l->web->seeds_n;
    if ((st = experiment_run(&l->e)) == ST_OK) {
        lab_json(&l->e, &out);
        fwrite(out.p, 1, out.n, stdout);
    }
    experiment_free(&l->e);
    buf_free(&out);
    return st;
}

static int
run(struct invocation *in)
{
    struct lab l = {.in = in, .arena = arena_new()};
    const char *web = invocation_flag(in, "web");
    int code = EXIT_USAGE;

    if (in->words_n > 0)
        code = command_usage(in, "unexpected word: %.*s", STRF(in->words[0]));
    else if (web == NULL)
        code = command_usage(in, "which web? give --web DIR");
    else if (language(&l) && numbers(&l) && scorers(&l)) {
        enum status st = build(&l, web);

        if (st == ST_OK)
            st = experiment(&l);
        code = exit_code(st);
    }
    web_free(l.web);
    site_close(l.site);
    arena_free(l.arena);
    return code;
}

static const struct flag flags[] = {
    {"web", "DIR", "A folder of sites: DIR/<host>/<path>."},
    {"language", "CODES", "As clean.language: the target languages."},
    {"scorers", "LIST", "Scorers to compare; else all there are."},
    {"seeds", "FILE",
     "Seeds, one URL a line; else seeds*.txt beside DIR, else every host's "
     "root."},
    {"pages", "N",
     "Pages each crawl fetches; else half of those that can be reached."},
    {"seed", "N", "Seed of all chance; else 1."},
    {"delay-ms", "N", "politeness.delay_ms of the crawls; else 0."},
    {"rate", "N", "Fetches started a second; else unbounded."},
    {"fetch-ms", "N", "How long a fetch takes; else 0."},
    {"json", NULL, "Print one JSON object."},
    {0},
};

const struct command command_lab = {
    .name = "lab",
    .usage = "--web DIR [--language de] [--scorers bfs,paper,oracle] [--json]",
    .summary = "Compare scorers on a web that stands still, in virtual time.",
    .help = "Cleans every page of DIR once, then crawls it once for each "
            "scorer: the\n"
            "real frontier in virtual time.\n",
    .flags = flags,
    .run = run,
};
