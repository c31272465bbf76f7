/* cmd_report.c -- `winnow report`: what a crawl has fetched and kept so far. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options/command.h"
#include "report.h"

/* Who may only read DIR, and has named no other place, has the figures. */
static bool
may_only_read(const struct invocation *in, const char *path)
{
    const char *dir = access(path, F_OK) == 0 ? path : in->words[0].p;

    if (invocation_flag(in, "out") != NULL || access(dir, W_OK) == 0 ||
        (errno != EACCES && errno != EROFS))
        return false;
    log_info("report",
             "no tables and no plot: %s: %s; --out OUTDIR says where to write "
             "them",
             dir, strerror(errno));
    return true;
}

static int
one_crawl(const struct invocation *in, const struct report *r)
{
    const char *folder = invocation_flag(in, "out");
    bool json = invocation_flag(in, "json") != NULL;
    struct buf path = {0};
    enum status st = ST_OK;
    bool files;

    if (folder)
        buf_c(&path, folder);
    else
        buf_printf(&path, "%.*s/report", STRF(in->words[0]));
    buf_char(&path, '\0');
    if (json)
        report_json(r, stdout);
    else
        report_text(r, stdout);
    files = !may_only_read(in, path.p);
    if (files)
        st = report_files(r, path.p); /* reported; the figures are out */
    if (files && st == ST_OK && !json)
        printf("\nTables and plot: %s/report.svg, yield.tsv, reasons.tsv, "
               "languages.tsv, "
               "hosts.tsv\n",
               path.p);
    buf_free(&path);
    return st == ST_OK ? EXIT_DONE : EXIT_FAILED;
}

/* By any name; its pages would count twice. */
static bool
is_twice(const struct invocation *in, size_t *which)
{
    struct stat one, other;

    for (size_t i = 0; i < in->words_n; i++)
        for (size_t k = 0; k < i; k++)
            if (stat(in->words[i].p, &one) == 0 &&
                stat(in->words[k].p, &other) == 0 &&
                one.st_ino == other.st_ino && one.st_dev == other.st_dev) {
                *which = i;
                return true;
            }
    return false;
}

static int
run(struct invocation *in)
{
    size_t n = 0, which;
    struct report **r;
    int code = EXIT_FAILED;

    if (in->words_n == 0)
        return command_usage(in, "which crawl? give DIR");
    if (in->words_n > 1 && invocation_flag(in, "out") != NULL)
        return command_usage(in, "--out is for the files of one DIR");
    if (is_twice(in, &which))
        return command_usage(in, "%s is given twice", in->words[which].p);
    r = memory_need(calloc(in->words_n, sizeof *r));
    while (n < in->words_n && report_read(&r[n], in->words[n].p) == ST_OK)
        n++;
    if (n == 1 && in->words_n == 1) {
        code = one_crawl(in, r[0]);
    } else if (n == in->words_n) {
        (invocation_flag(in, "json") ? report_json_of_all
                                     : report_text_of_all)(r, n, stdout);
        code = EXIT_DONE;
    }
    while (n > 0)
        report_free(r[--n]);
    free(r);
    return code;
}

static const struct flag flags[] = {
    SWITCH("json", "Print one JSON object instead of text."),
    FLAG_ON_DISK("out,o", "OUTDIR",
                 "Where tables and plot go; else DIR/report."),
    {0},
};

const struct command command_report = {
    .name = "report",
    .group = COMMANDS_CRAWLING,
    .usage = "DIR... [--json] [--out OUTDIR]",
    .summary = "Summarize crawls: yield curve, rejections by reason, hosts.",
    .help =
        "DIR is the folder given to winnow crawl --dir; the crawl may still\n"
        "be running.  Prints totals, the yield ratio (documents kept / pages\n"
        "fetched, errors included; redirects and robots.txt are no pages), "
        "its\n"
        "course, documents and tokens by language, why pages were not kept, "
        "of\n"
        "what type those are that are no HTML, hosts by yield.  Writes\n"
        "yield.tsv, reasons.tsv, languages.tsv, hosts.tsv and report.svg,\n"
        "unless you may only read DIR and give no --out.\n"
        "\n"
        "Of several, as of crawlers that share a frontier, it prints the "
        "totals\n"
        "of each and their sum, and writes no files; with --json all of each\n"
        "is in \"crawls\".  A page that two of them have fetched counts "
        "twice.\n"
        "\n"
        "Examples:\n"
        "  winnow report crawl --json | jq .yield_ratio\n"
        "  winnow report crawler-1 crawler-2 --json | jq .sum.kept\n",
    .flags = flags,
    .run = run,
};
