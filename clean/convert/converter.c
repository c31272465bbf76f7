/* converter.c -- see converter.h: the crawl's side.
 *
 * The process is this program again, started anew, not forked: a fork of a
 * process with threads and gigabytes may do next to nothing.  An answer that
 * does not come in time (the process keeps the time, so that is a fault of its
 * own) ends the process, and the next document gets a new one. */
#include "converter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "awake_deadline.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "confine.h"
#include "convert_wire.h"
#include "poison.h"
#include "service.h"

#define SLACK_MS 10000 /* beyond convert.seconds */

struct converter {
    const struct opts *opts;
    struct poison *poison;
    enum convert_sandbox sandbox;
};

struct convert_process {
    struct converter *c;
    const atomic_bool *stop; /* NULL: never */
    pid_t pid;               /* 0: not running */
    int fd;
    struct convert_answer answer;
};

/* ---- what there is ---- */

static void
report_missing(unsigned wanted)
{
    for (unsigned k = 1; k < CONVERT_KINDS_N; k++)
        if ((wanted >> k & 1) != 0 &&
            convert_program_path((enum convert_kind)k) == NULL)
            log_warn("convert",
                     "convert.types has %s, which needs %s (Debian package "
                     "%s): such documents are rejected as no_converter",
                     convert_kind_name((enum convert_kind)k),
                     convert_kind_program((enum convert_kind)k),
                     convert_kind_package((enum convert_kind)k));
}

static enum status
choose_sandbox(struct converter *c)
{
    c->sandbox = CONVERT_SECCOMP;
    if (str_eq(c->opts->convert_sandbox, S("seccomp")))
        return ST_OK;
    if (confine_has_bwrap()) {
        c->sandbox = CONVERT_BWRAP;
        return ST_OK;
    }
    if (str_eq(c->opts->convert_sandbox, S("bwrap"))) {
        log_error("convert", "convert.sandbox=bwrap: bubblewrap (Debian "
                             "package bubblewrap) does not work here");
        return ST_USAGE;
    }
    return ST_OK;
}

enum status
converter_open(struct converter **out, const struct opts *o, const char *poison)
{
    unsigned wanted = convert_wanted(o);
    struct converter *c;
    enum status st;

    *out = NULL;
    if (wanted == 0)
        return ST_OK;
    c = memory_need(calloc(1, sizeof *c));
    c->opts = o;
    if ((st = choose_sandbox(c)) != ST_OK ||
        (st = poison_open(&c->poison, poison)) != ST_OK) {
        free(c);
        return st;
    }
    report_missing(wanted);
    log_info("convert", "sandbox=%s",
             c->sandbox == CONVERT_BWRAP
                 ? "bubblewrap, seccomp, limits"
                 : "seccomp, limits (no bubblewrap: programs can read files)");
    *out = c;
    return ST_OK;
}

void
converter_close(struct converter *c)
{
    if (c == NULL)
        return;
    poison_close(c->poison);
    free(c);
}

/* ---- the process ---- */

static bool
spawn(pid_t *pid, int socket)
{
    static char name[] = "winnow", command[] = "convert", flag[] = "--service";
    char *const argv[] = {name, command, flag, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none;
    bool ok;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attr);
    ok = posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO) == 0 &&
         posix_spawn_file_actions_addclosefrom_np(&files, 3) == 0 &&
         posix_spawnattr_setsigmask(&attr, &none) == 0 &&
         posix_spawnattr_setpgroup(&attr, 0) == 0 &&
         posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK |
                                             POSIX_SPAWN_SETPGROUP) == 0 &&
         posix_spawn(pid, "/proc/self/exe", &files, &attr, argv, environ) == 0;
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    return ok;
}

static bool
start(struct convert_process *p)
{
    int pair[2];

    if (p->pid > 0)
        return true;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    if (!spawn(&p->pid, pair[1])) {
        p->pid = 0;
        close(pair[0]);
        close(pair[1]);
        return false;
    }
    close(pair[1]);
    p->fd = pair[0];
    return true;
}

/* By closing its socket; by force if that does not help. */
static void
end(struct convert_process *p, bool force)
{
    if (p->pid <= 0)
        return;
    close(p->fd);
    if (force)
        kill(p->pid, SIGKILL);
    while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    p->pid = 0;
    p->fd = -1;
}

struct convert_process *
convert_process_open(struct converter *c, const atomic_bool *stop)
{
    struct convert_process *p;

    if (c == NULL)
        return NULL;
    p = memory_need(calloc(1, sizeof *p));
    p->c = c;
    p->stop = stop;
    p->fd = -1;
    return p;
}

void
convert_process_close(struct convert_process *p)
{
    if (p == NULL)
        return;
    end(p, false);
    free(p);
}

/* ---- a document ---- */

static bool
is_stopped(const struct convert_process *p)
{
    return p->stop != NULL && *p->stop;
}

/* Wait until bytes can be moved.  False: the time is over, or we are to stop.
 */
static bool
await(const struct convert_process *p, short events,
      struct awake_deadline *deadline)
{
    struct pollfd fd = {.fd = p->fd, .events = events};
    int ms;

    while ((ms = awake_deadline_wait(deadline, clock_steady_ms())) > 0 &&
           !is_stopped(p))
        if (poll(&fd, 1, ms) > 0)
            return true;
    return false;
}

/* All n bytes before the time is over? */
static bool
move(const struct convert_process *p, char *at, size_t n, bool out,
     struct awake_deadline *deadline)
{
    while (n > 0) {
        ssize_t done;

        if (!await(p, out ? POLLOUT : POLLIN, deadline))
            return false;
        done = out ? send(p->fd, at, n, MSG_NOSIGNAL | MSG_DONTWAIT)
                   : recv(p->fd, at, n, MSG_DONTWAIT);
        if (done == 0 || (done < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        if (done > 0) {
            at += done;
            n -= (size_t)done;
        }
    }
    return true;
}

static bool
ask(struct convert_process *p, enum convert_kind k, struct str bytes,
    struct buf *html)
{
    const struct opts *o = p->c->opts;
    struct convert_request q = {.magic = CONVERT_MAGIC,
                                .kind = k,
                                .seconds = (uint32_t)o->convert_seconds,
                                .memory_mib = (uint32_t)o->convert_memory_mib,
                                .sandbox = p->c->sandbox,
                                .document_n = bytes.n};
    struct convert_answer *a = &p->answer;
    struct awake_deadline deadline = awake_deadline_of(
        (uint64_t)q.seconds * 1000 + SLACK_MS, clock_steady_ms());

    if (!move(p, (char *)&q, sizeof q, true, &deadline) ||
        !move(p, (char *)bytes.p, bytes.n, true, &deadline) ||
        !move(p, (char *)a, sizeof *a, false, &deadline) ||
        a->magic != CONVERT_MAGIC || a->html_n > CONVERT_HTML_MAX)
        return false;
    a->why[sizeof a->why - 1] = '\0';
    buf_reserve(html, (size_t)a->html_n);
    if (!move(p, html->p, (size_t)a->html_n, false, &deadline))
        return false;
    html->n = (size_t)a->html_n;
    return true;
}

static enum verdict
verdict_of(const struct convert_answer *a)
{
    switch ((enum convert_end)a->end) {
    case CONVERT_DONE: return VERDICT_NONE;
    case CONVERT_CANNOT: return VERDICT_UNCONVERTIBLE;
    case CONVERT_LACKS: return VERDICT_NO_CONVERTER;
    case CONVERT_FAILED:
    case CONVERT_STARVED: break;
    }
    return VERDICT_CONVERT_FAULT;
}

/* Whether the document is to blame for a fault. */
static bool
convert(struct convert_process *p, enum convert_kind k, struct str bytes,
        struct buf *html, struct converted *out)
{
    if (!start(p)) {
        out->reject = VERDICT_CONVERT_FAULT;
        out->why = S("no process to be had");
        return false;
    }
    if (!ask(p, k, bytes, html)) {
        end(p, true);
        if (is_stopped(p)) {
            out->reject = VERDICT_RETURNED;
            return false;
        }
        out->reject = VERDICT_CONVERT_FAULT;
        out->why = S("the converter died");
        return true;
    }
    out->reject = verdict_of(&p->answer);
    out->why = str_c(p->answer.why);
    out->cpu_us = p->answer.cpu_us;
    return p->answer.end == CONVERT_FAILED;
}

void
convert_document(struct convert_process *p, enum convert_kind k,
                 struct str bytes, bool cut, struct buf *html,
                 struct converted *out)
{
    struct hash128 key = hash128(bytes);

    *out = (struct converted){.why = S("")};
    buf_clear(html);
    if (cut && k != CONVERT_TXT) {
        out->reject = VERDICT_UNCONVERTIBLE;
        out->why = S("over convert.body_max");
    } else if (poison_failures(p->c->poison, key) >= POISON_TRIES) {
        out->reject = VERDICT_CONVERT_POISON;
    } else if (convert(p, k, bytes, html, out)) {
        poison_failed(p->c->poison, key);
    }
    if (out->reject != VERDICT_NONE)
        buf_clear(html);
}

int
converter_serve(int socket)
{
    return convert_serve(socket);
}
