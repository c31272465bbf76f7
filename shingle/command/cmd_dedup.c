/* cmd_dedup.c -- `winnow dedup`: the service as a process of its own, and its
 * counts.
 *
 * SIGINT, SIGTERM and SIGHUP are blocked in every thread and waited for in this
 * one: the first ends the service cleanly, a second one at once (nothing is
 * lost by that either, see service.c). */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/log.h"
#include "base/options/command.h"
#include "base/options/job_dir.h"
#include "base/prometheus.h"
#include "base/thread.h"
#include "shingle/index/index.h"
#include "shingle/message/dedup.h"
#include "shingle/service/dedup_service.h"
#include "shingle/shards/shard.h"
#include "shingle/store/corpus_file.h"
#include "shingle/tools/repair.h"

enum { STAT_TIMEOUT_MS = 5000 };

extern const struct command command_dedup;

static const struct prometheus_count rows[] = {
#define ROW(field, kind, help) PROMETHEUS_COUNT(dedup_stat, field, kind, help)
    ROW(documents, GAUGE, "Documents kept."),
    ROW(exact_duplicates, GAUGE, "Documents with the text of a kept one."),
    ROW(near_duplicates, GAUGE, "Documents that resemble a kept one."),
    ROW(rejected, GAUGE, "Rejected documents that were stored."),
    ROW(text_bytes, GAUGE, "Bytes of text of kept documents."),
    ROW(index_entries, GAUGE, "Visits with a verdict."),
    ROW(bands_full, COUNTER, "Bands that have as many documents as they may."),
    ROW(replaced, GAUGE, "Kept documents that longer ones replaced."),
    ROW(forgotten, GAUGE, "Documents of hosts that were forgotten."),
#undef ROW
};
#define ROWS_N (sizeof rows / sizeof *rows)
_Static_assert(ROWS_N * sizeof(uint64_t) == sizeof(struct dedup_stat),
               "a row for each count");

static void
stat_json(const struct dedup_stat *stat, struct buf *out)
{
    struct json j = {.out = out};

    json_object(&j);
    for (size_t i = 0; i < ROWS_N; i++)
        json_ku64(&j, rows[i].is.name, prometheus_count_of(&rows[i], stat));
    json_object_end(&j);
    buf_char(out, '\n');
}

static int
print_stat(const struct invocation *in, const struct dedup_stat *stat)
{
    bool metrics = invocation_flag(in, "prometheus") != NULL;
    struct buf out = {0};

    if (invocation_flag(in, "json"))
        stat_json(stat, &out);
    else
        for (size_t i = 0; i < ROWS_N; i++)
            if (metrics)
                prometheus_count(&out, "dedup", &rows[i], stat);
            else
                buf_printf(
                    &out, "%-17s %llu\n", rows[i].is.name,
                    (unsigned long long)prometheus_count_of(&rows[i], stat));
    fwrite(buf_view(&out).p, 1, out.n, stdout);
    buf_free(&out);
    return EXIT_DONE;
}

static int
stat_service(const struct invocation *in, struct str url)
{
    struct opts opts = in->opts;
    struct dedup_client *client;
    struct dedup_stat stat;
    enum status st;

    opts.dedup_url = url;
    if ((st = dedup_client_open(&client, &opts)) != ST_OK)
        return command_exit(st);
    st = dedup_client_stat(client, &stat, STAT_TIMEOUT_MS);
    dedup_client_close(client);
    if (st == ST_OK)
        return print_stat(in, &stat);
    if (st == ST_IO || st == ST_INVALID)
        log_error("dedup",
                  "url=%.*s what answers there is no dedup service, or one of "
                  "another version",
                  STRF(url));
    else if (st != ST_USAGE && st != ST_TIMEOUT)
        log_error("dedup", "url=%.*s no counts: %s", STRF(url),
                  status_name(st));
    return command_exit(st);
}

/* Read DIR/dedup, whether a service runs on it or not. */
static int
stat_folder(const struct invocation *in, struct str dir)
{
    struct path folder = path_printf("%.*s/dedup", STRF(dir));
    struct store_options o = {.map_gib = in->opts.dedup_map_gib,
                              .sync = S("full"),
                              .read_only = true};
    struct dedup_stat stat;
    struct index *x;
    enum status st;

    if ((st = index_open(&x, folder.z, 0, &o)) == ST_OK)
        st = index_stat(x, &stat);
    index_close(x);
    return st == ST_OK ? print_stat(in, &stat) : command_exit(st);
}

static void
print(struct buf *out)
{
    fwrite(buf_view(out).p, 1, out->n, stdout);
    fflush(stdout);
    buf_free(out);
}

static int
check_folder(const struct invocation *in, struct str dir)
{
    struct path folder = path_printf("%.*s", STRF(dir));
    struct buf out = {0};
    uint64_t faults;
    enum status st = dedup_check(folder.z, &out, &faults);

    if (st == ST_OK && faults > 0 && invocation_flag(in, "repair")) {
        buf_free(&out);
        st = dedup_repair(folder.z, &in->opts, &out);
        print(&out);
        if (st == ST_OK)
            st = dedup_check(folder.z, &out, &faults);
    }
    if (st == ST_OK) {
        buf_printf(&out, "%llu faults", (unsigned long long)faults);
        if (faults > 0)
            buf_printf(&out,
                       " in %s/dedup/data.mdb; `winnow dedup %s --check "
                       "--repair` writes what can be read into a new index",
                       folder.z, folder.z);
        buf_char(&out, '\n');
    }
    print(&out);
    return st != ST_OK  ? command_exit(st)
           : faults > 0 ? EXIT_FAILED
                        : EXIT_DONE;
}

static int
serve(const struct invocation *in, const char *dir)
{
    struct dedup_service *service;
    sigset_t signals;
    enum status st;

    arena_keep(ARENA_KEEP_MESSAGES);
    thread_hold_end(&signals);
    if ((st = dedup_service_start(&service, dir, &in->opts)) != ST_OK)
        return command_exit(st);
    log_info("dedup", "url=%.*s dir=%s ready", STRF(in->opts.dedup_url), dir);
    log_info("dedup", "signal=%d stopping", thread_await_end(&signals));
    st = dedup_service_stop(service);
    log_info("dedup", "dir=%s stopped", dir);
    return command_exit(st);
}

/* Shard number N of the job's. */
static int
serve_shard(const struct invocation *in)
{
    const struct opt_list *urls = &in->opts.dedup_shards;
    uint64_t n;
    struct band_shard *shard;
    struct str url;
    sigset_t signals;
    enum status st;

    if (!str_u64(str_c(invocation_flag(in, "shard")), &n) || n < 1 ||
        n > urls->n)
        return command_usage(in,
                             "--shard is the number of an address in "
                             "dedup.shards, which has %zu",
                             urls->n);
    url = urls->item[n - 1];
    arena_keep(ARENA_KEEP_MESSAGES);
    thread_hold_end(&signals);
    if ((st = shard_start(&shard, url, &in->opts)) != ST_OK)
        return command_exit(st);
    log_info("dedup", "url=%.*s shard=%llu of %zu ready", STRF(url),
             (unsigned long long)n, urls->n);
    log_info("dedup", "signal=%d stopping", thread_await_end(&signals));
    shard_stop(shard);
    return EXIT_DONE;
}

static int
run(struct invocation *in)
{
    struct str url = in->opts.dedup_url;
    const char *given = invocation_flag(in, "dir");
    struct str dir = given ? str_c(given) : job_dir(in->job);
    bool stat = invocation_flag(in, "stat") != NULL;

    if (invocation_flag(in, "repair") && !invocation_flag(in, "check"))
        return command_usage(in, "--repair goes with --check");
    if (invocation_flag(in, "json") && invocation_flag(in, "prometheus"))
        return command_usage(in, "either --json or --prometheus");
    if (invocation_flag(in, "check")) {
        if (stat || in->job.n > 0 || in->words_n + (given != NULL) != 1)
            return command_usage(in, "give --check one folder: DIR --check");
        return check_folder(in, given ? dir : in->words[0]);
    }
    if (stat && in->job.n == 0 && in->words_n + (given != NULL) == 1) {
        struct str asked = given ? dir : in->words[0];

        return command_is_address(asked) ? stat_service(in, asked)
                                         : stat_folder(in, asked);
    }
    if (invocation_flag(in, "shard") != NULL && in->job.n > 0 && !stat &&
        in->words_n == 0 && given == NULL)
        return serve_shard(in);
    if (in->words_n > 0 || in->job.n == 0 || invocation_flag(in, "shard"))
        return command_usage(
            in, "expected a job file (JOB.ini)%s",
            stat ? " or the folder of a crawl, or a service's address" : "");
    if (str_starts(url, S("inproc://")))
        return command_usage(
            in,
            "dedup.url is %.*s, which lives inside the process of `winnow "
            "crawl`; give the service an address of its own: "
            "ipc:///PATH or tcp://127.0.0.1:PORT",
            STRF(url));
    if (dir.n == 0)
        return command_usage(in, "--dir is empty");
    return stat ? stat_service(in, url)
                : serve(in, path_printf("%.*s", STRF(dir)).z);
}

static const struct flag flags[] = {
    FLAG_ON_DISK("dir", "DIR",
                 "Holds dedup/, corpus/ and rejected/; else the job's name."),
    SWITCH("stat", "Print the counts of a running service, or of a folder."),
    FLAG("shard", "N",
         "Be the Nth of dedup.shards: a share of the table of bands."),
    SWITCH("json", "With --stat: one JSON object."),
    SWITCH("prometheus", "With --stat: metrics in Prometheus' text format."),
    SWITCH("check", "Check every page and row of the index of a folder."),
    SWITCH("repair", "With --check: write what can be read into a new index."),
    {0}};

const struct command command_dedup = {
    .name = "dedup",
    .group = COMMANDS_CRAWLING,
    .usage = "JOB.ini [--dir DIR] | JOB.ini --shard N | JOB.ini --stat | "
             "DIR-or-ADDRESS --stat | DIR --check",
    .summary = "Run the dedup service, which owns the corpus, or inspect it.",
    .help =
        "Runs the dedup service at dedup.url of the job: crawlers ship their\n"
        "documents to it; it writes those that are new to DIR/corpus and\n"
        "answers when they are durable.  SIGINT or SIGTERM ends it cleanly;\n"
        "kill -9 loses nothing that was acknowledged.\n"
        "\n"
        "With dedup.shards the table in which near-duplicates are looked for "
        "is\n"
        "in other processes, started with --shard 1, --shard 2 ... on any\n"
        "machine; they keep nothing on disk and may be killed.\n"
        "\n"
        "--stat prints documents by verdict, those that a longer one "
        "replaced,\n"
        "and those that winnow frontier --forget removed (forgotten, which "
        "are\n"
        "in no other of these counts).\n"
        "\n"
        "--check needs the service to be stopped.  --repair makes a new index\n"
        "of what can be read of a damaged one, says what is lost, and keeps\n"
        "the damaged file beside it.\n"
        "\n"
        "  winnow dedup job.ini --dir crawl --set "
        "dedup.url=ipc:///run/dedup.sock\n"
        "  winnow dedup job.ini --stat --json\n"
        "  winnow dedup crawl --stat\n"
        "  winnow dedup tcp://127.0.0.1:9462 --stat\n"
        "  winnow dedup crawl --check --repair\n",
    .flags = flags,
    .job_first = true,
    .run = run};
