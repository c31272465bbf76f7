/* cmd_clean.c -- `winnow clean`: files to documents, without a crawl. */
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <sys/eventfd.h>

#include "base/machine.h"
#include "base/options/command.h"
#include "base/path.h"
#include "base/progress.h"
#include "batch.h"
#include "clean/provenance/provenance.h"
#include "clean/sandbox/sandbox.h"
#include "output_flags.h"
#include "stats_log.h"

static volatile sig_atomic_t stop;
static int stop_fd = -1; /* an eventfd: can be read when `stop` is set */

static void
on_signal(int signal_number)
{
    const uint64_t one = 1;
    int before = errno;

    if (stop)
        _exit(EXIT_INTERRUPTED); /* the second one: now */
    stop = signal_number;
    (void)!write(stop_fd, &one, sizeof one);
    errno = before;
}

/* The first signal ends the work: pages at hand are finished, and nothing waits
 * for more input. */
static void
await_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static double
seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Records by type, and what had to be skipped. */
static void
archive_summary(const struct batch *b)
{
    bool any = false;

    fprintf(stderr, ", %zu pages; %zu archives:", (size_t)b->pages,
            (size_t)b->archives);
    for (int t = 0; t < WARC_TYPE_N; t++)
        if (b->records[t] > 0) {
            fprintf(stderr, " %llu %s", (unsigned long long)b->records[t],
                    warc_type_name((enum warc_type)t));
            any = true;
        }
    if (!any)
        fputs(" no records", stderr);
    if (b->not_page > 0)
        fprintf(stderr, ", %zu not pages", (size_t)b->not_page);
    for (int f = 0; f < WARC_FAULT_N; f++)
        if (b->faults[f] > 0)
            fprintf(stderr, ", %llu %s as %s", (unsigned long long)b->faults[f],
                    f == WARC_FAULT_UNFINISHED ? "cut" : "skipped",
                    warc_fault_name((enum warc_fault)f));
}

static void
summary(const struct batch *b, double took)
{
    size_t n = b->done;

    fprintf(stderr, "winnow clean: %zu files, %zu kept", n,
            (size_t)b->reject[VERDICT_NONE]);
    for (int r = 1; r < VERDICT_N; r++)
        if (b->reject[r] > 0)
            fprintf(stderr, ", %zu %s", (size_t)b->reject[r],
                    verdict_name((enum verdict)r));
    if (b->not_html > 0)
        fprintf(stderr, ", %zu not_html", (size_t)b->not_html);
    if (b->unreadable > 0)
        fprintf(stderr, ", %zu unreadable", (size_t)b->unreadable);
    if (b->damaged > 0)
        fprintf(stderr, ", %zu damaged", (size_t)b->damaged);
    if (b->archives > 0)
        archive_summary(b);
    if (b->there > 0)
        fprintf(stderr, ", %zu files whose results were there",
                (size_t)b->there);
    if (b->stale > 0)
        fprintf(stderr, ", %zu results of an earlier run are left",
                (size_t)b->stale);
    if (b->unwritten > 0)
        fprintf(stderr, ", %zu not written%s", (size_t)b->unwritten,
                b->lost ? ", stopped there" : "");
    fprintf(stderr, "; %.1f s, %.0f %s/s, %.1f MB/s\n", took,
            (double)(b->archives > 0 ? b->pages : n) / took,
            b->archives > 0 ? "pages" : "files",
            (double)b->bytes_in / 1e6 / took);
}

static int
exit_code(const struct batch *b)
{
    size_t rejected =
        b->unreadable + b->damaged + (b->strict ? b->not_html : 0);

    for (int r = 1; r < VERDICT_N && b->strict; r++)
        rejected += b->reject[r];
    for (int f = 0; f < WARC_FAULT_N; f++)
        rejected += b->faults[f] > 0;
    if (stop)
        return EXIT_INTERRUPTED;
    if (b->unwritten > 0)
        return EXIT_FAILED;
    return rejected > 0 ? EXIT_REJECTED : EXIT_DONE;
}

static int
clean_all(struct batch *b, const struct opts *o)
{
    struct cleaner *cleaner;
    struct scope *scope = NULL;
    enum status st = cleaner_open(&cleaner, o);
    double start;
    int code;

    if (st == ST_OK && (st = scope_open(&scope, o)) == ST_OK &&
        (st = sandbox_choose(&b->sandboxed, o)) == ST_OK &&
        (st = converter_open(&b->converter, o, NULL)) == ST_OK &&
        b->converter != NULL)
        b->document_max = (size_t)o->convert_body_max;
    if (st != ST_OK) {
        scope_close(scope);
        cleaner_close(cleaner);
        return command_exit(st);
    }
    b->cleaner = cleaner;
    b->scope = scope;
    start = seconds();
    if (batch_run(b) != ST_OK) {
        fprintf(stderr, "winnow clean: cannot start a thread\n");
        code = EXIT_FAILED;
    } else {
        if (o->log_progress)
            summary(b, seconds() - start + 1e-9);
        code = exit_code(b);
    }
    converter_close(b->converter);
    scope_close(scope);
    cleaner_close(cleaner);
    return code;
}

static size_t
threads(const struct opts *o)
{
    return o->clean_threads > 0 ? (size_t)o->clean_threads
                                : machine_processors();
}

/* What the words name, or else input.path; what is not there is counted. */
static int
gather(const struct invocation *in, struct inputs *inputs, struct batch *b)
{
    const struct outputs *to = b->outputs;
    const char *out = to->join ? NULL : to->out;
    int code = EXIT_DONE;

    for (size_t i = 0; i < in->words_n; i++)
        if (inputs_add(inputs, in->words[i].p, out, to->folder) != ST_OK) {
            code = EXIT_FAILED;
            b->unreadable++;
        }
    if (in->words_n == 0 &&
        inputs_add_matching(inputs,
                            arena_cstr(inputs->arena, in->opts.input_path), out,
                            to->folder) != ST_OK)
        code = EXIT_FAILED;
    inputs_finish(inputs);
    return code;
}

/* Several inputs, or a folder. */
static bool
is_many(const struct invocation *in, struct arena *a)
{
    const char *path =
        arena_cstr(a, in->words_n > 0 ? in->words[0] : in->opts.input_path);

    return in->words_n > 1 || is_folder(path) || inputs_is_pattern(path);
}

/* --language and --fields are options under another name. */
static int
set_options(struct invocation *in)
{
    static const char *const same[][2] = {{"language", "clean.language"},
                                          {"fields", "output.fields"}};

    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const char *value = invocation_flag(in, same[i][0]);
        struct buf assignment = {0}, where = {0};
        enum status st = ST_OK;

        if (value == NULL)
            continue;
        buf_printf(&assignment, "%s=%s", same[i][1], value);
        buf_printf(&where, "--%s", same[i][0]);
        buf_char(&where, '\0');
        st = opts_set(&in->opts, where.p, buf_view(&assignment));
        buf_free(&assignment);
        buf_free(&where);
        if (st != ST_OK)
            return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static bool
several_named(const struct inputs *inputs)
{
    size_t n = 0;

    for (size_t i = 0; i < inputs->n; i++)
        n += !inputs->item[i].from_folder;
    return n > 1;
}

/* Where it is said what the results were made with: beside those of many
 * inputs; else "". */
static struct path
provenance_path(const struct outputs *to)
{
    size_t n = to->out ? strlen(to->out) : 0;

    if (n == 0 || (!to->join && !to->folder))
        return path_printf("%s", "");
    if (to->join)
        return path_printf("%s." PROVENANCE_FILE, to->out);
    while (n > 1 && to->out[n - 1] == '/')
        n--;
    return path_printf("%.*s/" PROVENANCE_FILE, (int)n, to->out);
}

/* In a folder it stands before the results, which a kill leaves there; joined
 * files are whole or not there, and it comes after them. */
static enum status
note_provenance(const struct invocation *in, const struct outputs *to, bool end)
{
    const bool missing = invocation_flag(in, "missing") != NULL;
    struct path path = provenance_path(to);

    if (path.z[0] == '\0' || (end && !to->join))
        return ST_OK;
    if (!end && to->join)
        return provenance_check(path.z);
    return provenance_write(path.z, &in->opts,
                            to->join  ? PROVENANCE_NEW
                            : missing ? PROVENANCE_GO_ON
                                      : PROVENANCE_ADD,
                            invocation_flag(in, "change") != NULL);
}

static int
clean_into(const struct invocation *in, struct outputs *to, struct batch *b)
{
    enum status st = outputs_open(to);
    bool whole;
    int code;

    if (st == ST_OK)
        st = outputs_spare_inputs(to, b->inputs);
    if (st == ST_OK)
        st = stats_log_open(&b->stats, &in->opts);
    if (st == ST_OK)
        st = note_provenance(in, to, false);
    if (st != ST_OK) {
        (void)outputs_close(to, false);
        return command_exit(st);
    }
    code = clean_all(b, &in->opts);
    if (stats_log_close(b->stats, b) != ST_OK)
        code = EXIT_FAILED;
    whole = code == EXIT_DONE || code == EXIT_REJECTED;
    if (outputs_close(to, whole) != ST_OK ||
        (whole && note_provenance(in, to, true) != ST_OK))
        code = EXIT_FAILED;
    return code;
}

/* The outputs are set; clean what is there. */
static int
clean_inputs(struct invocation *in, struct batch *b)
{
    struct outputs *to = b->outputs;
    struct inputs inputs;
    int code = EXIT_FAILED, gathered;

    inputs_init(&inputs);
    b->inputs = &inputs;
    gathered = gather(in, &inputs, b);
    if (inputs.n > 0 && b->url.n > 0 && several_named(&inputs))
        code =
            command_usage(in, "--url is that of one page, or what the paths of "
                              "a folder come after: not of several files");
    else if (inputs.n > 0)
        code = clean_into(in, to, b);
    if (inputs.n == 0 && gathered == EXIT_DONE)
        fprintf(stderr, "winnow clean: no files there\n");
    inputs_free(&inputs);
    b->inputs = NULL;
    return code == EXIT_DONE && gathered != EXIT_DONE ? EXIT_REJECTED : code;
}

static void
set_input(const struct opts *o, struct arena *a, struct batch *b)
{
    if (o->input_gzip.n > 0)
        b->gzip = arena_cstr(a, o->input_gzip);
    if (str_eq(o->input_format, S("arc")))
        b->format = WARC_FORMAT_ARC;
    else if (str_eq(o->input_format, S("warc")))
        b->format = WARC_FORMAT_WARC;
}

/* What --missing leaves out must be in no file that is made anew, nor say what
 * of the others is kept. */
static int
check_missing(const struct invocation *in, const struct outputs *to)
{
    if (invocation_flag(in, "missing") == NULL)
        return invocation_flag(in, "change") == NULL
                   ? EXIT_DONE
                   : command_usage(in, "--change goes with --missing");
    if (!to->folder)
        return command_usage(in, "--missing: of many inputs, with a folder of "
                                 "results: -o OUT/");
    for (size_t i = 0; i < to->n; i++)
        if (to->item[i].file != NULL)
            return command_usage(in, "--missing: %s is one file for all inputs",
                                 to->item[i].file);
    if (!str_eq(in->opts.clean_duplicates, S("off")) ||
        !str_eq(in->opts.clean_known_sentences, S("off")))
        return command_usage(in,
                             "--missing: clean.duplicates and "
                             "clean.known_sentences compare the documents of "
                             "one run (winnow tender: of many)");
    return EXIT_DONE;
}

static int
run(struct invocation *in)
{
    struct outputs outputs = {.opts = &in->opts};
    struct batch b = {.url = str_c(invocation_flag(in, "url")),
                      .all = invocation_flag(in, "all") != NULL,
                      .missing = invocation_flag(in, "missing") != NULL,
                      .strict = invocation_flag(in, "strict") != NULL,
                      .stop = &stop,
                      .outputs = &outputs,
                      .page_max = in->opts.clean_page_max,
                      .documents = convert_wanted(&in->opts),
                      .threads_n = threads(&in->opts)};
    struct arena *a;
    int code;

    if (!in->opts.log_progress)
        progress_every_ms = PROGRESS_OFF;
    if (in->words_n == 0 && in->opts.input_path.n == 0)
        return command_usage(in, "which files? a file, a folder or -");
    a = arena_new();
    set_input(&in->opts, a, &b);
    if ((code = output_flags(in, is_many(in, a), a, &outputs)) == EXIT_DONE &&
        (code = set_options(in)) == EXIT_DONE &&
        (code = check_missing(in, &outputs)) == EXIT_DONE) {
        await_signals();
        b.stop_fd = stop_fd;
        code = clean_inputs(in, &b);
        stop_fd = -1;
        close(b.stop_fd);
    }
    arena_free(a);
    return code;
}

static const struct flag flags[] = {
    FLAG("format,f", "LIST",
         "One or several of these formats; preset: what the job says, else the "
         "ending of OUT (page.xml), else text."),
    FLAG("out,o", "OUT",
         "Where results go: a file for one input, or for all when OUT ends as "
         "one of the formats does (corpus.jsonl.gz); else a folder (mirrored) "
         "for folders and several inputs; preset (and -) standard output.  "
         "Several formats get their endings."),
    SWITCH("join", "One file for each format with the documents of all inputs: "
                   "OUT.ENDING."),
    FLAG("split-mib", "N",
         "--join, and a new file OUT-00001.ENDING after every N MiB."),
    FLAG("compress", "KIND", "gzip, zstd or none; OUT gets .gz or .zst."),
    FLAG("fields", "NAMES", "Of jsonl: winnow, fineweb, dolma or oscar."),
    FLAG("links", "FILE", "Also write the links of all documents there."),
    FLAG("shingles", "FILE",
         "Also write the fingerprints there, in texrex's lines, for tender."),
    FLAG("tokens", "FILE", "Also write the frequencies of words there."),
    FLAG("metrics", "FILE", "Also write the features of all blocks there."),
    FLAG("index", "FILE",
         "Also write where each document of an archive is found: id, URL, "
         "archive, offset, length."),
    SWITCH("all,a", "Also write documents that the filters reject, and process "
                    "every file of a folder, HTML or not."),
    SWITCH("strict", "Exit with 3 also when a filter has rejected a document "
                     "or a folder has files that are not HTML."),
    SWITCH("missing",
           "Only inputs whose results are not in the folder OUT yet, or are "
           "older than they are: so a run that was killed goes on."),
    SWITCH("change", "--missing: go on with other options or models than the "
                     "results that are there; OUT/provenance.json records it."),
    FLAG("language,l", "LIST", "Target languages; the same as clean.language."),
    FLAG("url,u", "URL",
         "The URL of the input; for a folder, what its files' paths come "
         "after. Without it documents are named by path and have no links."),
    {0},
};

const struct command command_clean = {
    .name = "clean",
    .group = COMMANDS_DOCUMENTS,
    .usage = "[JOB.ini] [--format LIST] [--all] [-o OUT] [IN...]",
    .summary =
        "Clean HTML and WARC files: text, JSON lines, XML, TEI and more.",
    .help =
        "IN is an HTML file, a WARC or ARC file (plain, gzip or zstd; known "
        "by its\n"
        "content), a WACZ file (FILE.wacz), a folder of these or - (standard\n"
        "input).  A folder is mirrored:\n"
        "IN/a/b.html becomes OUT/a/b.txt, of several folders OUT/IN/a/b.txt.\n"
        "Files of a folder that are not HTML are skipped and counted unless\n"
        "--all is given, names that begin with a dot are left out; a file "
        "that\n"
        "is named is always processed, but for PDF and the like without\n"
        "convert.types, MHTML, mail, and what holds texts already (JSON "
        "lines,\n"
        "XML of a corpus, TEI): those are named, and make the exit code 3.  "
        "Result\n"
        "files appear whole or not at all, and never in the place of an "
        "input.\n"
        "A file named with the ending .gz or .zst is compressed.\n"
        "\n"
        "A job file says it all: input.path, output.format, output.prefix.  "
        "Job\n"
        "files of texrex run as they are; what has no meaning any more is "
        "named.\n"
        "\n"
        "[scope] says by their URLs which pages are cleaned; the others, and\n"
        "those of scope.exclude_file (opt-outs), count as out_of_scope.\n"
        "\n"
        "All pages of an archive go to one result.  Its other records are\n"
        "counted by type; what is broken is skipped, counted and logged with\n"
        "its offset, and makes the exit code 3.  So does a file that ends in\n"
        "a record, of which what is there is cleaned (cut in the records).\n"
        "\n"
        "text      the kept blocks, one a line\n"
        "xml       <doc> records as texrex writes them, all blocks with their\n"
        "          boilerplate value (bpv), badness as bdv; options "
        "output.xml_*\n"
        "jsonl     one object a line: id, url, title, text, headings, "
        "comments,\n"
        "          language, badness, language_best, badness_best, languages,\n"
        "          badness_words, badness_order, badness_foreign,\n"
        "          boilerplate_mean, page_kinds, chars, chars_all, blocks, "
        "blocks_all,\n"
        "          tokens, charset,\n"
        "          language_declared, description, keywords, author, authors,\n"
        "          date, date_modified, site, section, image, licence,\n"
        "          rights, rights_signals,\n"
        "          page_type, canonical, english, country, region, city, "
        "doctype,\n"
        "          timestamp, ip, warc_file, warc_offset, warc_length,\n"
        "          warc_decompressed, cut, reject, reject_detail: all of "
        "them in\n"
        "          every record,\n"
        "          \"\", 0, false or [\"\"] when not known\n"
        "markdown  headings, lists, tables, quotations and code, behind a "
        "YAML\n"
        "          block (output.markdown_facts)\n"
        "tei       TEI P5, a <TEI> a document, valid by tei_all\n"
        "vertical  a token a line for Sketch Engine and NoSketch Engine, with\n"
        "          <doc>, <p bp>, <g/>, and a registry file beside it\n"
        "cwb       the same for the IMS Corpus Workbench\n"
        "wet       the kept text as WARC 1.1 conversion records\n"
        "links     source, target, badness, boilerplate value of the block\n"
        "tokens    ID, types, tokens; then types by frequency\n"
        "shingles  ID, bytes, shingles, fingerprint, signature in hex, scheme\n"
        "tender    the fingerprint as fixed-width lines for texrex's tender\n"
        "metrics   the network's features of every block\n"
        "index     id, URL, archive, offset, length of documents of archives\n"
        "page      all blocks and links with their numbers, verdict and what "
        "was\n"
        "          asked for it: one JSON object a line, as winnow try --json\n"
        "tarc      the HTML of the documents, as texrex's TARC files; facts\n"
        "          tarcfile, tarcheaderoffset and the like say where\n"
        "\n"
        "Exit: 0 done, whatever the filters rejected; 3 some input could not "
        "be\n"
        "read (with --strict: or was rejected); 1 not written.\n"
        "\n"
        "Examples:\n"
        "  winnow clean page.html\n"
        "  winnow clean --format jsonl --language nl -o out/ pages/\n"
        "  winnow clean --format xml,vertical --links links.gz --split-mib 256 "
        "\\\n"
        "    --compress gzip -o corpus/nl pages/\n"
        "  curl -s http://localhost/ | winnow clean --all -\n"
        "  winnow clean -j texrex.ini\n",
    .flags = flags,
    .job_first = true,
    .run = run,
};
