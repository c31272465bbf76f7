/* cmd_crawl.c -- `winnow crawl`: the command line of a crawl. */
#include "crawl.h"

#include "base/buf.h"
#include "base/options/command.h"
#include "base/options/job_dir.h"
#include "crawler/loop/folder.h"

#include <sys/stat.h>

/* With the folder's job, or as its first. */
static int
go_on(struct invocation *in, struct crawl_setup *setup)
{
    const struct job_request request = {
        .dir = setup->dir,
        .file = in->job.n > 0,
        .change = invocation_flag(in, "change") != NULL};
    struct job *job = NULL;
    enum status st = folder_is_free(setup->dir);
    int code;

    if (st == ST_OK)
        st = job_settle(&job, &in->opts, &request);
    code = command_exit(st);
    if (st == ST_OK) {
        setup->job = job;
        setup->change = request.change;
        code = crawl_run(setup);
    }
    job_free(job);
    return code;
}

/* Other commands take a folder as a word; and who has one page in mind has its
 * URL at hand. */
static int
refuse_word(const struct invocation *in)
{
    const char *word = in->words[0].p;
    struct stat sb;

    if (stat(word, &sb) == 0 && S_ISDIR(sb.st_mode))
        return command_usage(in, "%s is a folder: --dir %s goes on with it",
                             word, word);
    if (str_has(in->words[0], S("://")))
        return command_usage(in,
                             "%s is no job file: with one, --seed adds a URL; "
                             "winnow try looks at one page",
                             word);
    return command_usage(in, "unexpected word: %s", word);
}

static int
run(struct invocation *in)
{
    const char *dir = invocation_flag(in, "dir");
    struct crawl_setup setup = {.opts = &in->opts,
                                .quiet = invocation_flag(in, "quiet") != NULL};
    struct buf path = {0};
    int code;

    if (in->words_n > 0)
        return refuse_word(in);
    if (invocation_flag(in, "seed") && invocation_flag(in, "again"))
        return command_usage(in, "either --seed or --again: its file may have "
                                 "new URLs, too");
    if (dir == NULL && in->job.n == 0)
        return command_usage(in, "give a job file (JOB.ini) or --dir DIR");
    if (dir != NULL)
        buf_c(&path, dir);
    else
        buf_str(&path, job_dir(in->job));
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    if (path.n == 0) {
        buf_free(&path);
        return command_usage(in, "--dir is empty");
    }
    buf_char(&path, '\0');
    setup.dir = path.p;
    setup.seeds = invocation_flag_all(in, "seed", &setup.seeds_n);
    setup.again = invocation_flag(in, "again");
    code = go_on(in, &setup);
    buf_free(&path);
    return code;
}

static const struct flag flags[] = {
    FLAG_ON_DISK("dir", "DIR",
                 "Where all state of the crawl lives; else the job's name."),
    FLAG("seed", "URL", "A seed more; may be given several times."),
    FLAG("again", "FILE",
         "URLs, one a line, that are fetched once more, whatever became of "
         "them, in place of the job's seeds; -: standard input."),
    SWITCH("change",
           "Go on with another job, though it mixes two corpora; recorded."),
    SWITCH("quiet,q", "No status line."),
    {0},
};

const struct command command_crawl = {
    .name = "crawl",
    .group = COMMANDS_CRAWLING,
    .usage = "JOB.ini [--dir DIR] [--seed URL]... [--again FILE] [--change] "
             "[--quiet] | --dir DIR",
    .summary =
        "Crawl for one or more languages; clean pages and keep the good ones.",
    .help =
        "All state of the crawl lives under DIR (preset: the job file's name\n"
        "without .ini, in the working folder): frontier/, corpus/, log/, and "
        "job,\n"
        "the job itself: --dir DIR alone goes on with it.  With a job file or "
        "--set,\n"
        "what differs is said and done; but what would mix two corpora "
        "(language,\n"
        "scope, cleaning ...) is refused without --change, which is recorded "
        "there.\n"
        "\n"
        "Ends when a limit of [limits] is reached, nothing is left, or "
        "nothing\n"
        "becomes due within limits.wait_seconds (exit 0).  Ctrl-C finishes "
        "what\n"
        "is in flight and ends (exit 130); a second one ends at once.  A fault "
        "(a\n"
        "service refuses a document, a store fails) ends it with exit 1.\n"
        "\n"
        "Examples:\n"
        "  winnow crawl dutch.ini --set limits.pages=1000\n"
        "  jq -r 'select(.verdict == \"http_403\").url' dutch/log/crawl.jsonl "
        "|\n"
        "    winnow crawl --dir dutch --again -\n",
    .flags = flags,
    .job_first = true,
    .run = run,
};
