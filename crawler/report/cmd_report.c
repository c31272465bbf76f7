/* cmd_report.c -- `winnow report`: what a crawl has fetched and kept so far. */
#include "base/buf.h"
#include "base/options/command.h"
#include "report.h"

static int
run(struct invocation *in)
{
    const char *folder = invocation_flag(in, "out");
    struct report *r = NULL;
    struct buf path = {0};
    int code = EXIT_FAILED;

    if (in->words_n != 1)
        return command_usage(in, "%s",
                             in->words_n ? "one DIR at a time"
                                         : "which crawl? give DIR");
    if (report_read(&r, in->words[0].p) != ST_OK)
        goto out;
    if (folder)
        buf_c(&path, folder);
    else
        buf_printf(&path, "%.*s/report", STRF(in->words[0]));
    buf_char(&path, '\0');
    if (invocation_flag(in, "json"))
        report_json(r, stdout);
    else
        report_text(r, stdout);
    if (report_files(r, path.p) != ST_OK) /* reported; the figures are out */
        goto out;
    if (!invocation_flag(in, "json"))
        printf("\nTables and plot: %s/report.svg, yield.tsv, reasons.tsv, "
               "languages.tsv, "
               "hosts.tsv\n",
               path.p);
    code = EXIT_DONE;
out:
    report_free(r);
    buf_free(&path);
    return code;
}

static const struct flag flags[] = {
    {"json", NULL, "Print one JSON object instead of text."},
    {"out,o", "OUTDIR", "Where tables and plot go; else DIR/report."},
    {0},
};

const struct command command_report = {
    .name = "report",
    .usage = "DIR [--json] [--out OUTDIR]",
    .summary = "Yield curve, rejections by reason and hosts of a crawl.",
    .help =
        "DIR is the folder given to winnow crawl --dir; the crawl may still\n"
        "be running.  Prints totals, the yield ratio (documents kept / pages\n"
        "fetched, errors included; redirects and robots.txt are no pages), "
        "its\n"
        "course, documents by language, why pages were not kept, hosts by "
        "yield.  Writes\n"
        "yield.tsv, reasons.tsv, languages.tsv, hosts.tsv and report.svg.\n"
        "\n"
        "Example:\n"
        "  winnow report crawl --json | jq .yield_ratio\n",
    .flags = flags,
    .run = run,
};
