/* cmd_frontier.c -- `winnow frontier`: the frontier as a process of its own,
 * and looking into one, also while a crawl works on it.
 *
 * SIGINT, SIGTERM and SIGHUP are blocked in every thread and waited for in this
 * one: the first ends the service cleanly, a second one at once (kill -9 loses
 * nothing either, see tables.c). */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/options/command.h"
#include "base/thread.h"
#include "base/url/url.h"
#include "cmd_control.h"
#include "frontier/service/frontier_client.h"
#include "frontier/service/frontier_service.h"
#include "frontier/tools/frontier_tools.h"
#include "totals_say.h"

extern const struct command command_frontier;

/* ---- the service ---- */

static int
serve(const struct invocation *in, const char *dir)
{
    struct frontier_service *service;
    sigset_t signals;
    enum status st;

    arena_keep(ARENA_KEEP_MESSAGES);
    thread_hold_end(&signals);
    if ((st = frontier_service_start(&service, dir, &in->opts)) != ST_OK)
        return command_exit(st);
    log_info("frontier", "url=%.*s dir=%s ready", STRF(in->opts.frontier_url),
             dir);
    log_info("frontier", "signal=%d stopping", thread_await_end(&signals));
    frontier_service_stop(service);
    log_info("frontier", "dir=%s stopped", dir);
    return EXIT_DONE;
}

/* ---- looking ---- */

static enum totals_form
form_wanted(const struct invocation *in)
{
    return invocation_flag(in, "json")         ? TOTALS_JSON
           : invocation_flag(in, "prometheus") ? TOTALS_PROMETHEUS
                                               : TOTALS_TEXT;
}

static enum status
say_stat(struct frontier *f, enum totals_form form, struct buf *out)
{
    const struct control_rule *rule;
    struct frontier_totals t;

    frontier_totals(f, &t, frontier_now(f));
    totals_say(out, form, &t, frontier_scorer_name(f));
    if (form != TOTALS_TEXT)
        return ST_OK;
    for (size_t n = frontier_control_rules(f, &rule); n > 0; n--)
        frontier_control_say(rule++, out);
    frontier_reliability(f, out);
    return ST_OK;
}

/* The URL as the crawler would write it; as given when it is none. */
static struct str
canonical(struct arena *a, const char *text)
{
    struct url parsed;

    return url_parse_plain(&parsed, a, str_c(text), NULL) == ST_OK
               ? parsed.href
               : str_c(text);
}

static enum status
say_why(struct frontier *f, const char *text, struct buf *out)
{
    struct arena *a = arena_new();
    enum status st = frontier_why(f, canonical(a, text), frontier_now(f), out);

    arena_free(a);
    return st;
}

static enum status
say_faults(struct frontier *f, struct buf *out, int *code)
{
    uint64_t faults;
    enum status st = frontier_check(f, out, &faults);

    if (st != ST_OK)
        return st;
    buf_printf(out, "%llu faults\n", (unsigned long long)faults);
    *code = faults == 0 ? EXIT_DONE : EXIT_FAILED;
    return ST_OK;
}

static int
look(struct invocation *in, const char *dir)
{
    const char *url = invocation_flag(in, "why");
    struct frontier *f;
    struct buf out = {0};
    int code = EXIT_DONE;
    enum status st;

    control_ask_to_save(dir, &in->opts);
    if (!control_read_job(&in->opts, dir) && url != NULL && in->job.n == 0)
        log_warn("frontier",
                 "dir=%s has no job, so delays here are the presets': name the "
                 "job file, or the service's address in place of the folder",
                 dir);
    st = frontier_open_reader(&f, dir, &in->opts);
    if (st != ST_OK)
        return command_exit(st);
    if ((st = frontier_begin(f)) == ST_OK) {
        if (url != NULL) {
            st = say_why(f, url, &out);
            control_say_scope(&in->opts, url, &out);
        } else if (invocation_flag(in, "dump"))
            st = frontier_dump(f, stdout);
        else if (invocation_flag(in, "check"))
            st = say_faults(f, &out, &code);
        else
            st = say_stat(f, form_wanted(in), &out);
        frontier_abort(f);
    }
    fwrite(buf_view(&out).p, 1, out.n, stdout);
    buf_free(&out);
    frontier_close(f);
    return st == ST_OK ? code : command_exit(st);
}

/* ---- looking through a service ---- */

/* As say_stat(). */
static enum status
ask_stat(struct frontier_client *c, enum totals_form form, struct arena *a,
         struct buf *out)
{
    struct control_change rules = {.action = CONTROL_LIST};
    struct frontier_client_stat stat;
    enum status st = frontier_client_stat(c, a, &stat);

    if (st != ST_OK)
        return st;
    totals_say(out, form, &stat.totals, stat.scorer.p);
    if (form != TOTALS_TEXT)
        return ST_OK;
    st = frontier_client_control(c, &rules, out);
    buf_str(out, stat.reliability);
    return st;
}

static enum status
ask_why(struct frontier_client *c, const char *url, struct arena *a,
        struct buf *out)
{
    struct str text;
    enum status st = frontier_client_why(c, canonical(a, url), a, &text);

    if (st == ST_OK)
        buf_str(out, text);
    return st;
}

/* Of the service at `address`. */
static int
look_there(const struct invocation *in, struct str address)
{
    const char *url = invocation_flag(in, "why");
    struct opts opts = in->opts; /* the client reads them */
    struct arena *a = arena_new();
    struct frontier_client *c = NULL;
    struct buf out = {0};
    enum status st;

    opts.frontier_url = address;
    if ((st = frontier_client_open(&c, &opts, 0)) == ST_OK)
        st = url != NULL ? ask_why(c, url, a, &out)
                         : ask_stat(c, form_wanted(in), a, &out);
    if (st == ST_OK && url != NULL)
        control_say_scope(&in->opts, url, &out);
    if (st == ST_OK)
        fwrite(buf_view(&out).p, 1, out.n, stdout);
    else if (st == ST_TIMEOUT)
        frontier_client_say_unanswered(c);
    else if (st != ST_USAGE)
        log_error("frontier", "%.*s: no frontier service of this version: %s",
                  STRF(address), status_name(st));
    buf_free(&out);
    frontier_client_close(c);
    arena_free(a);
    return command_exit(st);
}

/* The file first: what is mapped has to be whole. */
static int
check(struct invocation *in, const char *dir)
{
    struct buf out = {0};
    uint64_t faults = 0;
    enum status st = frontier_check_file(dir, &out, &faults);
    int code;

    if (faults > 0)
        buf_printf(&out,
                   "%llu faults in %s/data.mdb; `winnow frontier --dir %s "
                   "--check --repair` writes what can be read into a new "
                   "store\n",
                   (unsigned long long)faults, dir, dir);
    fwrite(buf_view(&out).p, 1, out.n, stdout);
    buf_free(&out);
    code = faults > 0 || st == ST_IO ? EXIT_FAILED : look(in, dir);
    if (code == EXIT_DONE || st == ST_NONE ||
        invocation_flag(in, "repair") == NULL)
        return code;
    st = frontier_repair(dir, &in->opts, &out);
    fwrite(buf_view(&out).p, 1, out.n, stdout);
    buf_free(&out);
    fflush(stdout);
    return st == ST_OK ? look(in, dir) : command_exit(st);
}

/* ---- moving ---- */

static int
load(const struct invocation *in, const char *dir)
{
    const char *name = invocation_flag(in, "load");
    FILE *from = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
    uint64_t lines;
    enum status st;

    if (from == NULL) {
        log_error("frontier", "cannot read %s: %s", name, strerror(errno));
        return EXIT_USAGE;
    }
    if (fseek(from, 0, SEEK_CUR) != 0) {
        log_error("frontier",
                  "%s cannot be read from the start again: give "
                  "a file",
                  name);
        st = ST_USAGE;
    } else {
        st = frontier_load(dir, &in->opts, from, name, &lines);
    }
    if (from != stdin)
        fclose(from);
    if (st != ST_OK)
        return command_exit(st);
    printf("%llu lines loaded into %s\n", (unsigned long long)lines, dir);
    return EXIT_DONE;
}

static int
compact(const struct invocation *in, const char *dir)
{
    uint64_t before, after;
    enum status st = frontier_compact(dir, &in->opts, &before, &after);

    if (st != ST_OK)
        return command_exit(st);
    printf("%s: %.1f MiB, was %.1f MiB\n", dir, (double)after / (1 << 20),
           (double)before / (1 << 20));
    return EXIT_DONE;
}

/* ---- the command ---- */

/* Is it called so?  A folder that does not exist yet is told by its name. */
static bool
is_frontier(struct str dir)
{
    while (dir.n > 0 && dir.p[dir.n - 1] == '/')
        dir.n--;
    return str_ends(dir, S("/frontier")) || str_eq(dir, S("frontier"));
}

static int
ask_service(const struct invocation *in, struct str address, bool control)
{
    if (control)
        return control_run(in, address.p);
    if (invocation_flag(in, "stat") || invocation_flag(in, "why"))
        return look_there(in, address);
    return command_usage(in,
                         "%.*s is an address: only --stat, --why, --pause and "
                         "its like go through a service; give the folder, on "
                         "its machine",
                         STRF(address));
}

static size_t
looks_wanted(const struct invocation *in)
{
    static const char *const looks[] = {"stat",  "why",  "dump",
                                        "check", "load", "compact"};
    size_t n = 0;

    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        n += invocation_flag(in, looks[i]) != NULL;
    return n;
}

/* EXIT_DONE: what is given goes together. */
static int
check_flags(const struct invocation *in, size_t looks_n, bool control)
{
    if (looks_n > 1)
        return command_usage(in, "one of --stat, --why, --dump, --check, "
                                 "--load, --compact");
    if (form_wanted(in) != TOTALS_TEXT && !invocation_flag(in, "stat"))
        return command_usage(in, "--%s goes with --stat",
                             invocation_flag(in, "json") ? "json"
                                                         : "prometheus");
    if (invocation_flag(in, "json") && invocation_flag(in, "prometheus"))
        return command_usage(in, "either --json or --prometheus");
    if (invocation_flag(in, "repair") && !invocation_flag(in, "check"))
        return command_usage(in, "--repair goes with --check");
    if (control && looks_n > 0)
        return command_usage(in, "either look or change, not both at once");
    return EXIT_DONE;
}

/* EXIT_DONE: it is told where the frontier is; *service: that of the job, else
 * "". */
static int
check_place(const struct invocation *in, bool serves, struct str *service)
{
    size_t n = in->words_n + (invocation_flag(in, "dir") != NULL);

    *service = S("");
    if (n == 0 && !serves && in->job.n > 0 &&
        !str_starts(in->opts.frontier_url, S("inproc://"))) {
        *service = in->opts.frontier_url;
        return EXIT_DONE;
    }
    if (n != 1)
        return command_usage(in, "give one folder: %s",
                             serves ? "--dir DIR" : "DIR or --dir DIR");
    if (invocation_flag(in, "dir") == NULL && command_is_address(in->words[0]))
        *service = in->words[0];
    return EXIT_DONE;
}

/* EXIT_DONE: the job tells where to serve. */
static int
check_address(const struct invocation *in)
{
    struct str url = in->opts.frontier_url;

    if (in->job.n == 0)
        return command_usage(in, "expected a job file (JOB.ini) to serve, or "
                                 "--stat, --why URL, --dump, --check, "
                                 "--load FILE, --compact");
    if (str_starts(url, S("inproc://")))
        return command_usage(
            in,
            "frontier.url is %.*s, which lives inside the process of `winnow "
            "crawl`; give the service an address of its own: ipc:///PATH or "
            "tcp://127.0.0.1:PORT",
            STRF(url));
    return EXIT_DONE;
}

/* The folder of a crawl, or the frontier's own. */
static void
find_folder(struct buf *dir, struct str given)
{
    struct buf file = {0};

    buf_str(dir, given);
    buf_printf(&file, "%.*s/data.mdb", STRF(given));
    buf_char(&file, '\0');
    if (access(file.p, F_OK) != 0 && !is_frontier(given))
        buf_c(dir, "/frontier");
    buf_char(dir, '\0');
    buf_free(&file);
}

static int
run(struct invocation *in)
{
    const char *given = invocation_flag(in, "dir");
    size_t looks_n = looks_wanted(in);
    bool control = control_wanted(in), serves = !control && looks_n == 0;
    struct buf dir = {0};
    struct str service;
    int code = check_flags(in, looks_n, control);

    if (code == EXIT_DONE)
        code = check_place(in, serves, &service);
    if (code != EXIT_DONE)
        return code;
    if (!serves && service.n > 0)
        return ask_service(in, service, control);
    if (serves && (code = check_address(in)) != EXIT_DONE)
        return code;
    find_folder(&dir, given ? str_c(given) : in->words[0]);
    code = control                          ? control_run(in, dir.p)
           : invocation_flag(in, "load")    ? load(in, dir.p)
           : invocation_flag(in, "compact") ? compact(in, dir.p)
           : invocation_flag(in, "check")   ? check(in, dir.p)
           : serves                         ? serve(in, dir.p)
                                            : look(in, dir.p);
    buf_free(&dir);
    return code;
}

static const struct flag flags[] = {
    FLAG_ON_DISK("dir", "DIR",
                 "The folder of the crawl; the store is in DIR/frontier."),
    SWITCH("stat", "Print what is queued, done, failed, and by priority."),
    SWITCH("json", "With --stat: one JSON object."),
    SWITCH("prometheus", "With --stat: metrics in Prometheus' text format."),
    FLAG("why", "URL", "Say why a URL was or was not fetched."),
    SWITCH("dump", "Print every URL as a line of JSON."),
    SWITCH("check", "Check every page and every invariant of the store."),
    SWITCH("repair", "With --check: write what can be read into a new store."),
    FLAG("load", "FILE", "Make the frontier from what --dump has printed."),
    SWITCH("compact", "Write the store anew, without unused space."),
    FLAG("pause", "PATTERN",
         "Hand out nothing of these hosts, or these URLs. Repeatable."),
    FLAG("resume", "PATTERN",
         "Take back what was paused or deleted. Repeatable."),
    FLAG("delete", "PATTERN",
         "Hand out none of these URLs, queued ones and those to come; --resume "
         "takes it back until --compact. Repeatable."),
    FLAG("forget", "HOSTS",
         "The hosts that match leave queue, corpus and index for good; while a "
         "crawl runs the queue alone, with exit code 1. Repeatable."),
    SWITCH("yes", "With --delete, --forget: do it; else a terminal is asked. "
                  "With --resume: of what was forgotten, too."),
    SWITCH("rules", "Print what is paused and deleted."),
    {0}};

const struct command command_frontier = {
    .name = "frontier",
    .group = COMMANDS_CRAWLING,
    .usage = "JOB.ini --dir DIR | DIR, ADDRESS or JOB.ini --stat | ... --why "
             "URL | ... --pause PATTERN | DIR --dump | DIR --load FILE | DIR "
             "--check | DIR --compact",
    .summary =
        "Inspect or change a frontier (queue of URLs), or run it as a service.",
    .help =
        "Runs the frontier at frontier.url of the job: crawlers lease URLs\n"
        "from it and report what came of them.  SIGINT or SIGTERM ends it\n"
        "cleanly; kill -9 loses nothing that was acknowledged.\n"
        "\n"
        "--stat, --why, --dump and --check only read and may be used while a\n"
        "crawl or the service works on the folder.  They read it by the\n"
        "crawl's own job (DIR/job), or by the job file that is given.\n"
        "--stat, --why, --pause and its like take a service's address in\n"
        "place of the folder, or the job file alone, which says where the\n"
        "service is (frontier.url) and what it asks for (tls).\n"
        "\n"
        "--load makes a frontier in an empty or new folder from a file that\n"
        "--dump has written; started again with the same file it goes on\n"
        "where it was killed.  --compact needs the store to be closed and as\n"
        "much free space as the store has rows.\n"
        "\n"
        "--check --repair makes a new store of what can be read of a damaged\n"
        "one, says what is lost, and keeps the damaged file beside it.\n"
        "\n"
        "--pause, --resume, --delete and --rules work while a crawl or the\n"
        "service runs and when none does; the changes last and are logged.\n"
        "What is paused keeps its place in line.  --delete first shows what "
        "it\n"
        "meets, and wants --yes or an answer.  PATTERN is a host\n"
        "(a.example), all under it (.example), hosts with stars\n"
        "(*.shop.example) or URLs (http://a.example/calendar/*).  --stat\n"
        "shows what is paused and deleted, too.\n"
        "\n"
        "--forget HOSTS is --delete for good: it also removes the documents\n"
        "of these hosts from corpus and index in DIR, and their records from\n"
        "DIR/warc, which are read once for all of them, and leaves a receipt\n"
        "of each HOSTS in DIR/forgotten.jsonl.  While a crawl or the service\n"
        "runs it ends with exit code 1 once nothing of them is fetched any\n"
        "more; after these, or after a kill, the same command does the rest.\n"
        "\n"
        "  winnow frontier job.ini --dir crawl --set "
        "frontier.url=ipc:///run/frontier.sock\n"
        "  winnow frontier crawl --stat --json\n"
        "  winnow frontier crawl --stat --prometheus >crawl.prom\n"
        "  winnow frontier tcp://127.0.0.1:9461 --stat\n"
        "  winnow frontier crawl --dump >frontier.jsonl\n"
        "  winnow frontier other --load frontier.jsonl\n"
        "  winnow frontier crawl --pause .slow.example\n"
        "  winnow frontier crawl --why https://www.example.org/\n",
    .flags = flags,
    .job_first = true,
    .run = run};
