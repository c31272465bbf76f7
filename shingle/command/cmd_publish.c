/* cmd_publish.c -- `winnow publish`: what a dedup service stores, for whoever
 * subscribes.
 *
 * A process of its own, beside the service: it reads what is committed and asks
 * the service for nothing, so neither a subscriber nor nng's PUB (see
 * proto/publisher.c) can hold up an answer, take the service's descriptors or
 * end it.  And two: the one that follows and publishes is the child of one that
 * only watches it, since nng can become deaf or end its process, and then only
 * a new process helps.  The new one goes on behind the last document.  systemd
 * hears the one that watches only, so the other gives it signs of life.
 *
 * Killed and started again the command goes on with what is stored then; what
 * was missed meanwhile stands in the files, and --from prints it.
 *
 * A message is a line and a record:
 *
 *     TOPIC NUMBER FILE AT BYTES ID\n RECORD
 *
 * Bounds: records over RECORD_MOST are not sent, only the line; BURST messages
 * a millisecond, so that the buffer of a subscriber who reads lasts. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/notify.h"
#include "base/options/command.h"
#include "base/options/job_dir.h"
#include "base/thread.h"
#include "proto/options.h"
#include "proto/publisher.h"
#include "shingle/corpus/stream.h"
#include "shingle/store/corpus_file.h"
#include "shingle/tools/follow.h"

#define DEAF 75 /* exit status of a publisher that another has to replace */
#define LIFE SIGUSR1 /* its sign of life: it is ready, and still at work */

enum {
    RECORD_MOST = 256 * 1024,
    BURST = 32,
    LOOK_MS = 100,   /* between two looks for new documents */
    RETRY_MS = 1000, /* after a fault that may pass */
    TOPIC_SIZE = 64
};

extern const struct command command_publish;

/* Where messages go: the publisher, or stdout. */
struct sink {
    struct publisher *publisher; /* NULL: stdout */
    struct str topic;            /* messages of topics that begin so */
    struct buf head, record;
    uint64_t sent;
};

static void
topic_of(const struct verdict_place *p, char out[TOPIC_SIZE])
{
    static const char *const groups[CORPUS_GROUPS_N] = {
        [CORPUS_KEPT] = "kept",
        [CORPUS_REJECTED] = "rejected",
        [CORPUS_EXACT_DUPLICATE] = "exact_duplicate",
        [CORPUS_NEAR_DUPLICATE] = "near_duplicate",
        [CORPUS_VERDICTS] = "verdict",
    };

    if (p->group == CORPUS_VERDICTS)
        snprintf(out, TOPIC_SIZE, "verdict");
    else
        snprintf(out, TOPIC_SIZE, "%s/%.*s", groups[p->group], STRF(p->suffix));
}

static bool
is_wanted(const struct sink *s, const struct verdict_place *p)
{
    char topic[TOPIC_SIZE];

    topic_of(p, topic);
    return str_starts(str_c(topic), s->topic);
}

static enum status
send_record(struct sink *s, const struct verdict_line *line,
            const struct verdict_place *p, struct str record)
{
    char topic[TOPIC_SIZE];
    enum status st = ST_OK;

    topic_of(p, topic);
    buf_clear(&s->head);
    buf_printf(&s->head, "%s %llu ", topic, (unsigned long long)line->number);
    stream_text(&s->head, p->group, p->part, p->suffix);
    buf_printf(&s->head, " %llu %llu %.*s\n", (unsigned long long)p->at,
               (unsigned long long)p->bytes, STRF(line->id));
    if (s->publisher == NULL) {
        fwrite(s->head.p, 1, s->head.n, stdout);
        fwrite(record.p, 1, record.n, stdout);
    } else {
        st = publisher_send(s->publisher, buf_view(&s->head),
                            record.n <= RECORD_MOST ? record : S(""));
        if (++s->sent % BURST == 0)
            clock_sleep_ms(1);
    }
    return st;
}

/* A document: its verdict, then its records. */
static enum status
send_document(struct sink *s, struct follow *f, const struct followed *d)
{
    enum status st = ST_OK;

    if (is_wanted(s, &d->place))
        st = send_record(s, &d->line, &d->place, d->text);
    for (size_t i = 0; i < d->line.places_n && st == ST_OK; i++) {
        const struct verdict_place *p = &d->line.place[i];

        if (!is_wanted(s, p))
            continue;
        st = follow_record(f, p, &s->record);
        if (st == ST_OK)
            st = send_record(s, &d->line, p, buf_view(&s->record));
        else if (st == ST_NONE) {
            log_warn("publish",
                     "document %llu: part %llu of its records is not there any "
                     "more",
                     (unsigned long long)d->line.number,
                     (unsigned long long)p->part);
            st = ST_OK;
        }
    }
    return st;
}

/* ---- published as they are stored ---- */

/* Wait that long, or for a signal to end.  False: it has come. */
static bool
go_on_after(uint64_t ms, const sigset_t *signals)
{
    const struct timespec t = {(time_t)(ms / 1000),
                               (long)(ms % 1000) * 1000000};

    return sigtimedwait(signals, NULL, &t) < 0;
}

/* A publisher at work. */
struct publish_work {
    struct sink sink;
    struct follow *follow; /* NULL: there is no log of verdicts yet */
    const char *dir;
    const struct opts *opts;
    sigset_t signals;
    pid_t watcher;
    uint64_t sign_every_ms, signed_ms; /* 0: once, when it is ready */
    /* The document to go on with, 0: those from now on.  Outlives the process.
     */
    _Atomic uint64_t *next;
};

static void
give_sign(struct publish_work *w)
{
    uint64_t now = clock_steady_ms();

    if (w->signed_ms > 0 &&
        (w->sign_every_ms == 0 || now - w->signed_ms < w->sign_every_ms))
        return;
    w->signed_ms = now;
    (void)kill(w->watcher, LIFE);
}

/* Wait for a log of verdicts.  ST_NONE: there is none by now. */
static enum status
open_log(struct publish_work *w)
{
    uint64_t last;
    enum status st = follow_open(&w->follow, w->dir, w->opts->dedup_map_gib);

    if (st == ST_NONE && *w->next == 0) {
        log_info("publish",
                 "dir=%s no verdicts yet: waiting for a dedup service with "
                 "dedup.pub",
                 w->dir);
        *w->next = 1; /* all that will come is new */
    }
    if (st != ST_OK)
        return st;
    if (*w->next == 0 && (st = follow_last(w->follow, &last)) == ST_OK)
        *w->next = last + 1;
    return st == ST_OK ? follow_seek(w->follow, *w->next) : st;
}

/* All that is there now.  ST_NONE: done. */
static enum status
send_new(struct publish_work *w)
{
    struct followed d;
    enum status st;

    while ((st = follow_next(w->follow, &d)) == ST_OK) {
        *w->next = d.line.number + 1;
        st = send_document(&w->sink, w->follow, &d);
        if (st != ST_OK || publisher_is_deaf(w->sink.publisher))
            break;
        give_sign(w);
        if (!go_on_after(0, &w->signals))
            return ST_STOPPED;
    }
    return st;
}

static int
publish(struct publish_work *w, const char *url)
{
    const struct endpoint_options options = endpoint_options_publisher(w->opts);
    enum status st = publisher_open(&w->sink.publisher, url, &options);

    if (st != ST_OK)
        return command_exit(st);
    log_info("publish", "url=%s dir=%s ready", url, w->dir);
    do {
        give_sign(w);
        st = w->follow == NULL ? open_log(w) : ST_OK;
        if (w->follow != NULL && st == ST_OK)
            st = send_new(w);
        if (publisher_is_deaf(w->sink.publisher))
            return DEAF;
    } while ((st == ST_OK || st == ST_NONE || st == ST_IO || st == ST_BUSY) &&
             go_on_after(st == ST_IO ? RETRY_MS : LOOK_MS, &w->signals));
    log_info("publish", "url=%s messages=%llu stopped", url,
             (unsigned long long)w->sink.sent);
    publisher_close(w->sink.publisher);
    follow_close(w->follow);
    buf_free(&w->sink.head);
    buf_free(&w->sink.record);
    return st == ST_INVALID || st == ST_STORE || st == ST_NOMEM ? EXIT_FAILED
           : st == ST_USAGE                                     ? EXIT_USAGE
                                                                : EXIT_DONE;
}

/* What who has started the command is told. */
struct watched {
    bool ready, told; /* it works; it is to end */
};

static void
heard_of_child(struct watched *w)
{
    if (!w->ready)
        notify_ready();
    w->ready = true;
    notify_watchdog();
}

/* Wait for the child, which is told of a signal to end.  Its exit status; DEAF
 * also when it was killed. */
static int
watch(pid_t child, const sigset_t *blocked, struct watched *w)
{
    int status, number;

    while (waitpid(child, &status, WNOHANG) == 0) {
        if (sigwait(blocked, &number) != 0 || number == SIGCHLD)
            continue;
        if (number == LIFE) {
            heard_of_child(w);
            continue;
        }
        if (!w->told)
            notify_stopping();
        w->told = true;
        kill(child, SIGTERM);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : DEAF;
}

/* Publish in a child, and in another one when that can go on no more. */
static int
publish_for_ever(const struct invocation *in, const char *dir)
{
    struct path url = path_printf("%.*s", STRF(in->opts.dedup_pub));
    struct publish_work w = {.dir = dir,
                             .opts = &in->opts,
                             .watcher = getpid(),
                             .sign_every_ms = notify_watchdog_every_ms()};
    struct watched watched = {false, false};
    sigset_t blocked;
    int code;

    w.next = mmap(NULL, sizeof *w.next, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (w.next == MAP_FAILED)
        return EXIT_FAILED;
    thread_end_signals(&w.signals);
    blocked = w.signals;
    sigaddset(&blocked, SIGCHLD);
    sigaddset(&blocked, LIFE);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    for (;;) {
        pid_t child = fork();

        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != w.watcher)
                _exit(EXIT_DONE); /* it was killed before that */
            _exit(publish(&w, url.z));
        }
        code = child > 0 ? watch(child, &blocked, &watched) : DEAF;
        if (code != DEAF || watched.told)
            break;
        log_warn("publish",
                 "url=%s the publisher admits no subscribers any more, or has "
                 "ended: a new one goes on with document %llu",
                 url.z, (unsigned long long)*w.next);
        if (!go_on_after(RETRY_MS, &w.signals))
            break;
    }
    munmap(w.next, sizeof *w.next);
    return code == DEAF ? EXIT_DONE : code;
}

/* ---- printed again ---- */

static int
print_again(const struct invocation *in, const char *dir, uint64_t from,
            uint64_t to)
{
    const char *topic = invocation_flag(in, "topic");
    struct sink s = {.topic = topic ? str_c(topic) : S("")};
    struct follow *f;
    struct followed d;
    enum status st = follow_open(&f, dir, in->opts.dedup_map_gib);

    if (st == ST_NONE)
        log_error("publish",
                  "%s: no log of verdicts: its service does not run "
                  "with dedup.pub",
                  dir);
    if (st != ST_OK)
        return st == ST_NONE ? EXIT_USAGE : command_exit(st);
    st = follow_seek(f, from);
    while (st == ST_OK && !ferror(stdout) &&
           (st = follow_next(f, &d)) == ST_OK && d.line.number <= to)
        st = send_document(&s, f, &d);
    follow_close(f);
    buf_free(&s.head);
    buf_free(&s.record);
    if (fflush(stdout) != 0 && st == ST_OK)
        st = ST_IO;
    return st == ST_OK || st == ST_NONE ? EXIT_DONE : EXIT_FAILED;
}

/* A number from 1 on; absent: `preset`. */
static bool
number(const struct invocation *in, const char *flag, uint64_t preset,
       uint64_t *out)
{
    const char *given = invocation_flag(in, flag);

    *out = preset;
    return given == NULL || (str_u64(str_c(given), out) && *out > 0);
}

static int
run(struct invocation *in)
{
    const char *given = invocation_flag(in, "dir");
    bool again = invocation_flag(in, "from") != NULL;
    struct str dir = given              ? str_c(given)
                     : in->words_n == 1 ? in->words[0]
                     : in->job.n > 0    ? job_dir(in->job)
                                        : S("");
    struct path folder = path_printf("%.*s", STRF(dir));
    uint64_t from, to;

    if (in->words_n + (given != NULL) > 1 || dir.n == 0)
        return command_usage(in, "give it one folder, or the job of one");
    if (!number(in, "from", 1, &from) || !number(in, "to", UINT64_MAX, &to))
        return command_usage(in, "documents are numbered from 1 on");
    if (again)
        return print_again(in, folder.z, from, to);
    if (invocation_flag(in, "to") || invocation_flag(in, "topic"))
        return command_usage(in, "--to and --topic go with --from");
    if (in->opts.dedup_pub.n == 0)
        return command_usage(
            in, "dedup.pub is empty: it names the address to publish at, for "
                "the service and for this command: ipc:///PATH or "
                "tcp://127.0.0.1:PORT");
    return publish_for_ever(in, folder.z);
}

static const struct flag flags[] = {
    FLAG_ON_DISK("dir", "DIR",
                 "The folder of the service; else the job's name."),
    FLAG("from", "N", "Print what is stored from document N on, and end."),
    FLAG("to", "N", "With --from: up to document N."),
    FLAG("topic", "TOPIC", "With --from: only topics that begin so."),
    {0}};

const struct command command_publish = {
    .name = "publish",
    .group = COMMANDS_CRAWLING,
    .usage = "JOB.ini [--dir DIR] | DIR --from N [--to N] [--topic TOPIC]",
    .summary = "Publish documents and verdicts as they are stored (nng PUB).",
    .help =
        "Publishes at dedup.pub of the job what the dedup service of DIR\n"
        "stores from now on.  Any nng (or nanomsg) client in any language can\n"
        "subscribe with a SUB socket.  The service must run with the same\n"
        "dedup.pub, and is neither asked nor held up.  A message is\n"
        "\n"
        "  TOPIC NUMBER FILE AT BYTES ID\\n RECORD\n"
        "\n"
        "TOPIC is verdict, kept/FORMAT, rejected/FORMAT, "
        "exact_duplicate/FORMAT\n"
        "or near_duplicate/FORMAT, FORMAT the ending of its files (jsonl, "
        "xml,\n"
        "shingles ...; output.format).  NUMBER counts documents from 1 on: a\n"
        "subscriber of `verdict` who misses none sees every number.  The "
        "record\n"
        "stands in the text of FILE at byte AT, BYTES long; records over 256 "
        "KiB\n"
        "are not sent, only their line.\n"
        "\n"
        "Who reads too slowly misses the oldest messages.  --from prints the\n"
        "same messages again out of the files, with every record whole.\n"
        "\n"
        "  winnow publish job.ini --dir crawl --set "
        "dedup.pub=ipc:///run/winnow.pub\n"
        "  winnow publish crawl --from 1200 --to 1300 --topic kept/jsonl\n",
    .flags = flags,
    .job_first = true,
    .run = run};
