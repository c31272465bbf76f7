/* cmd_clean.c -- `winnow clean`: files to documents, without a crawl. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <sys/stat.h>

#include "batch.h"
#include "winnow/command.h"

static volatile sig_atomic_t stop;

static void
on_signal(int signal_number)
{
    if (stop)
        _exit(EXIT_INTERRUPTED); /* the second one: now */
    stop = signal_number;
}

static double
seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
summary(const struct batch *b, double took)
{
    size_t n = b->done;

    fprintf(stderr, "winnow clean: %zu files, %zu kept", n,
            (size_t)b->reject[REJECT_NONE]);
    for (int r = 1; r < REJECT_N; r++)
        if (b->reject[r] > 0)
            fprintf(stderr, ", %zu %s", (size_t)b->reject[r],
                    reject_name((enum reject)r));
    if (b->not_html > 0)
        fprintf(stderr, ", %zu not_html", (size_t)b->not_html);
    if (b->unreadable > 0)
        fprintf(stderr, ", %zu unreadable", (size_t)b->unreadable);
    if (b->unwritten > 0)
        fprintf(stderr, ", %zu not written", (size_t)b->unwritten);
    fprintf(stderr, "; %.1f s, %.0f files/s, %.1f MB/s\n", took,
            (double)n / took, (double)b->bytes_in / 1e6 / took);
}

static int
exit_code(const struct batch *b)
{
    size_t rejected = b->unreadable + b->not_html;

    for (int r = 1; r < REJECT_N && !b->all; r++)
        rejected += b->reject[r];
    if (stop)
        return EXIT_INTERRUPTED;
    if (b->unwritten > 0)
        return EXIT_FAILED;
    return rejected > 0 ? EXIT_REJECTED : EXIT_DONE;
}

static bool
is_folder(const char *path)
{
    struct stat sb;

    return path != NULL && stat(path, &sb) == 0 && S_ISDIR(sb.st_mode);
}

/* Folders and several inputs need a folder to go to. */
static bool
out_is_folder(const struct invocation *in, const char *out)
{
    if (in->words_n > 1 || is_folder(out))
        return true;
    return is_folder(in->words[0].p);
}

static int
clean_all(struct batch *b, const struct opts *o)
{
    struct cleaner *cleaner;
    enum status st = cleaner_open(&cleaner, o);
    double start;
    int code;

    if (st != ST_OK)
        return st == ST_USAGE ? EXIT_USAGE : EXIT_FAILED;
    b->cleaner = cleaner;
    start = seconds();
    if (batch_run(b) != ST_OK) {
        fprintf(stderr, "winnow clean: cannot start a thread\n");
        code = EXIT_FAILED;
    } else {
        summary(b, seconds() - start + 1e-9);
        code = exit_code(b);
    }
    cleaner_close(cleaner);
    return code;
}

static size_t
threads(const struct opts *o)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (o->clean_threads > 0)
        return (size_t)o->clean_threads;
    return cores > 0 ? (size_t)cores : 1;
}

static int
gather(const struct invocation *in, struct inputs *inputs, const char *out,
       const char *suffix)
{
    bool folder = out_is_folder(in, out);
    int code = EXIT_DONE;

    for (size_t i = 0; i < in->words_n; i++)
        if (inputs_add(inputs, in->words[i].p, out, folder, suffix) != ST_OK)
            code = EXIT_FAILED;
    inputs_finish(inputs, suffix);
    return code;
}

static int
run(struct invocation *in)
{
    const char *format = invocation_flag(in, "format");
    const char *language = invocation_flag(in, "language");
    const char *out = invocation_flag(in, "out");
    struct sigaction action = {.sa_handler = on_signal};
    struct inputs inputs;
    struct batch b = {.url = str_c(invocation_flag(in, "url")),
                      .all = invocation_flag(in, "all") != NULL,
                      .stop = &stop,
                      .progress = isatty(STDERR_FILENO) == 1,
                      .opts = &in->opts,
                      .threads_n = threads(&in->opts)};
    int code, gathered;

    if ((b.writer = writer_find(str_c(format ? format : "text"))) == NULL)
        return command_usage(in, "--format %s: text, xml or jsonl", format);
    if (in->words_n == 0)
        return command_usage(in, "which files? a file, a folder or -");
    if (language != NULL) {
        char assignment[256];

        snprintf(assignment, sizeof assignment, "clean.language=%s", language);
        if (opts_set(&in->opts, "--language", str_c(assignment)) != ST_OK)
            return EXIT_USAGE;
    }
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    inputs_init(&inputs);
    b.inputs = &inputs;
    gathered = gather(in, &inputs, out, b.writer->suffix);
    code = inputs.n > 0 ? clean_all(&b, &in->opts) : EXIT_FAILED;
    if (inputs.n == 0 && gathered == EXIT_DONE)
        fprintf(stderr, "winnow clean: no files there\n");
    inputs_free(&inputs);
    return code == EXIT_DONE && gathered != EXIT_DONE ? EXIT_REJECTED : code;
}

static const struct flag flags[] = {
    {"format,f", "FORMAT", "text (preset), xml or jsonl."},
    {"out,o", "OUT",
     "Where results go: a file for one input, a folder (mirrored) for folders "
     "and several inputs; preset standard output."},
    {"all,a", NULL,
     "Also write documents that the filters reject, and process every file of "
     "a folder, HTML or not."},
    {"language,l", "LIST", "Target languages; the same as clean.language."},
    {"url,u", "URL",
     "The URL of the input; for a folder, what its files' paths come after. "
     "Without it documents are named by path and have no links."},
    {0},
};

const struct command command_clean = {
    .name = "clean",
    .usage = "[JOB.ini] [--format text|xml|jsonl] [--all] [-o OUT] IN...",
    .summary = "Clean files without a crawl: text, XML or JSON lines.",
    .help =
        "IN is a file, a folder or - (standard input).  A folder is mirrored:\n"
        "IN/a/b.html becomes OUT/a/b.txt.  Files of a folder that are not "
        "HTML\n"
        "are skipped and counted unless --all is given; a file that is named\n"
        "is always processed.  Result files appear whole or not at all.\n"
        "\n"
        "text   the kept blocks, one a line\n"
        "xml    <doc> records as texrex writes them, all blocks with their\n"
        "       boilerplate value (bpv), badness as bdv\n"
        "jsonl  one object a line: id, url, title, text, language, badness,\n"
        "       language_best, badness_best, boilerplate_mean, chars, "
        "chars_all,\n"
        "       blocks, blocks_all, tokens, charset; when known\n"
        "       language_declared, description, keywords, author, date,\n"
        "       canonical, doctype; reject with --all\n"
        "\n"
        "Exit: 0 all kept, 3 some rejected or unreadable, 1 not written.\n"
        "\n"
        "Examples:\n"
        "  winnow clean page.html\n"
        "  winnow clean --format jsonl --language nl -o out/ pages/\n"
        "  curl -s http://localhost/ | winnow clean --all -\n",
    .flags = flags,
    .job_first = true,
    .run = run,
};
