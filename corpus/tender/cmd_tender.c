/* cmd_tender.c -- `winnow tender`: near-duplicates of a corpus. */
#include <inttypes.h>

#include "base/log.h"
#include "tender.h"

#define MEMORY_PRESET ((uint64_t)1 << 30)
#define MEMORY_LEAST ((uint64_t)8 << 20)
#define MAX_PRESET 200
#define THREADS_MAX 256

/* A whole number in its bounds; *out is as it was when the flag is not given.
 */
static bool
number(const struct invocation *in, const char *flag, uint64_t low,
       uint64_t high, uint64_t *out)
{
    const char *given = invocation_flag(in, flag);

    if (given == NULL ||
        (str_u64(str_c(given), out) && *out >= low && *out <= high))
        return true;
    command_usage(in, "--%s takes %" PRIu64 " to %" PRIu64 ", not %s", flag,
                  low, high, given);
    return false;
}

/* 512M, 2G, or bytes. */
static bool
memory(const struct invocation *in, uint64_t *out)
{
    static const char units[] = "KMGT";
    struct str given = str_c(invocation_flag(in, "memory"));
    const char *unit;
    unsigned shift = 0;

    if (given.n == 0)
        return true;
    unit = memchr(units, given.p[given.n - 1] & ~0x20, sizeof units - 1);
    if (unit != NULL) {
        shift = 10 * (unsigned)(unit - units + 1);
        given.n--;
    }
    if (!str_u64(given, out) || *out > UINT64_MAX >> shift ||
        (*out << shift) < MEMORY_LEAST) {
        command_usage(in, "--memory takes 8M or more (K, M, G, T), not %s",
                      invocation_flag(in, "memory"));
        return false;
    }
    *out <<= shift;
    return true;
}

static bool
near_and_rule(const struct invocation *in, struct tender_options *o)
{
    const char *near = invocation_flag(in, "near");
    struct str rule = str_c(invocation_flag(in, "rule"));

    if (near != NULL &&
        (!str_real(str_c(near), &o->near) || o->near < .05 || o->near > 1)) {
        command_usage(in, "--near takes .05 to 1, not %s", near);
        return false;
    }
    if (near != NULL && invocation_flag(in, "limit") != NULL) {
        command_usage(in, "--near and --limit exclude each other");
        return false;
    }
    if (rule.n > 0 && !str_eq(rule, S("stars")) && !str_eq(rule, S("pairs"))) {
        command_usage(in, "--rule takes stars or pairs, not %.*s", STRF(rule));
        return false;
    }
    o->rule = str_eq(rule, S("pairs")) ? TENDER_PAIRS : TENDER_STARS;
    return true;
}

/* --input, and behind it --against. */
static bool
inputs(const struct invocation *in, struct tender_options *o)
{
    struct paths earlier = {0};
    bool good = paths_of_flag(&o->inputs, in, "input") &&
                paths_of_flag(&earlier, in, "against");

    for (size_t i = 0; good && i < earlier.n; i++)
        paths_add(&o->inputs, earlier.path[i]);
    o->earlier_n = earlier.n;
    paths_free(&earlier);
    return good;
}

static bool
options(const struct invocation *in, struct tender_options *o)
{
    uint64_t threads = 1, limit = 0, max = MAX_PRESET;

    if (!number(in, "threads", 1, THREADS_MAX, &threads) ||
        !number(in, "limit", 1, 1000, &limit) ||
        !number(in, "max", 2, UINT32_MAX, &max) ||
        !number(in, "size", 1, UINT32_MAX, &o->size_max) ||
        !number(in, "ddsize", 1, UINT32_MAX, &o->ddsize_max) ||
        !memory(in, &o->memory) || !near_and_rule(in, o))
        return false;
    o->threads = (size_t)threads;
    o->limit = (uint32_t)limit;
    o->max = (uint32_t)max;
    o->prefix = invocation_flag(in, "output");
    o->presorted = invocation_flag(in, "presort") != NULL;
    o->gzip = invocation_flag(in, "gzip") != NULL;
    o->full = invocation_flag(in, "full") != NULL;
    o->restart = invocation_flag(in, "restart") != NULL;
    if (o->prefix == NULL || invocation_flag(in, "input") == NULL ||
        in->words_n > 0) {
        command_usage(in, "--input and --output are needed, and nothing else");
        return false;
    }
    return inputs(in, o) && paths_of_flag(&o->blacklists, in, "black");
}

static int
exit_code(enum status st, const struct tender_counts *c)
{
    switch (st) {
    case ST_OK: return c->rejected_lines > 0 ? EXIT_REJECTED : EXIT_DONE;
    case ST_USAGE: return EXIT_USAGE;
    default: return EXIT_FAILED;
    }
}

static int
run(struct invocation *in)
{
    struct tender_options o = {.memory = MEMORY_PRESET};
    struct tender_counts c;
    enum status st = ST_USAGE;

    if (options(in, &o)) {
        st = tender_run(&o, &c);
        log_info("tender",
                 "documents=%" PRIu64 " hashes=%" PRIu64 " overfull=%" PRIu64
                 " pairs=%" PRIu64 " near=%" PRIu64 " removed=%" PRIu64
                 " revoked=%" PRIu64 " blacklisted=%" PRIu64
                 " lines_rejected=%" PRIu64,
                 c.documents, c.hashes, c.overfull, c.pairs, c.scored,
                 c.removed, c.revoked, c.blacklisted, c.rejected_lines);
    } else {
        c = (struct tender_counts){0};
    }
    paths_free(&o.inputs);
    paths_free(&o.blacklists);
    return exit_code(st, &c);
}

static const struct flag flags[] = {
    FLAG("input,i", "PATTERN",
         "Fingerprints: files of format tender (texrex's) or shingles, "
         "compressed or not; quote wildcards. Repeatable."),
    FLAG("against", "PATTERN",
         "Fingerprints of an earlier corpus, which stays as it is: what "
         "resembles a document of it is removed, whatever the sizes. "
         "Repeatable."),
    FLAG_ON_DISK("output,o", "PREFIX",
                 "Results are PREFIX_TIME.03.blacklist and .03.clusters."),
    FLAG("black,b,blacklist", "PATTERN",
         "Ids that are gone already: left out of the input. Lists of earlier "
         "runs over parts are gone on with. Repeatable."),
    FLAG("limit,l", "N",
         "By count: so many shared hashes make a near-duplicate (5)."),
    FLAG("near,n", "J",
         "By fingerprints: so large an estimated resemblance (0.8)."),
    FLAG("max,m", "N",
         "A hash that so many documents have says nothing (200)."),
    FLAG("rule", "stars|pairs",
         "Remove what resembles a document that stays (stars), or as texrex "
         "the lesser one of each pair."),
    SWITCH(
        "full,f",
        "Also PREFIX_TIME.03.blacklist-full: every pair, and what it shares."),
    SWITCH("gzip,g", "Compress the results."),
    FLAG("memory", "BYTES", "For sorting, e.g. 512M, 2G (1G)."),
    FLAG("threads,t", "N", "Threads (1)."),
    FLAG("size,s", "N", "Hashes sorted at once, at most."),
    FLAG("ddsize,d", "N", "Pairs sorted at once, at most."),
    SWITCH("presort,p", "The input is sorted; refused if it is not."),
    SWITCH("restart", "Forget what an unfinished run has left."),
    FLAG("gzbin,z", "PATH", "Of texrex; without effect, gzip is built in."),
    {0},
};

const struct command command_tender = {
    .name = "tender",
    .group = COMMANDS_DOCUMENTS,
    .usage = "-i PATTERN -o PREFIX [--against PATTERN] [-b PATTERN] "
             "[-l N | --near J] [-t N]",
    .summary = "Find the near-duplicates of a corpus.",
    .help =
        "Writes the ids of the documents to be removed, one a line, for winnow "
        "tecl or\ntexrex's, and beside it clusters: removed id, kept id, what "
        "they share. The larger\nof two documents is the better one. With the "
        "rule stars no document goes unless\nit resembles one that stays by "
        "itself.\n\nA run that was killed goes on where it was when it is "
        "started again; its files\nare in PREFIX.tender until it is done.\n\n"
        "  winnow tender -i 'corpus/*.shingles.gz' -o black --near 0.8\n"
        "  winnow tecl -i 'corpus/*.xml' -b 'black_*.03.blacklist' -o unique\n"
        "  winnow tender -i new.shingles --against 'old/*.shingles' -o black",
    .flags = flags,
    .run = run,
};
