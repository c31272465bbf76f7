/* pipe_filter.c -- see pipe_filter.h.
 *
 * Writing and reading go on at the same time (poll), so that neither side can
 * wait for the other with full pipes.  posix_spawn because it runs no handlers
 * of pthread_atfork: the program may have started threads and libraries that do
 * not survive fork().  SIGPIPE is held back for the thread while it writes, so
 * that a library's caller need not ignore it. */
#include "pipe_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"

#define PIECE ((size_t)64 << 10)
#define GROWTH 16u
#define END_MS 200 /* a child may take so long to end by itself */
#define DIGITS_MAX 19u

extern char **environ;

struct pipe_filter {
    char *command;
    enum pipe_framing framing;
    uint64_t timeout_ms, starts;
    pid_t child; /* 0: none */
    int to, from;
};

struct pipe_filter *
pipe_filter_new(struct str command, enum pipe_framing framing,
                uint64_t timeout_ms)
{
    struct pipe_filter *f = memory_zero(1, sizeof *f);

    if (f == NULL || (f->command = strndup(command.p, command.n)) == NULL) {
        memory_free(f);
        return NULL;
    }
    f->framing = framing;
    f->timeout_ms = timeout_ms;
    f->to = f->from = -1;
    return f;
}

uint64_t
pipe_filter_starts(const struct pipe_filter *f)
{
    return f->starts;
}

static void
close_ends(struct pipe_filter *f)
{
    if (f->to >= 0)
        close(f->to);
    if (f->from >= 0)
        close(f->from);
    f->to = f->from = -1;
}

/* End the child, at once or after it had time to do so itself. */
static void
end_child(struct pipe_filter *f, bool at_once)
{
    uint64_t until = clock_steady_ms() + END_MS;
    int status;

    close_ends(f);
    if (f->child == 0)
        return;
    while (!at_once && clock_steady_ms() < until) {
        if (waitpid(f->child, &status, WNOHANG) == f->child) {
            kill(-f->child, SIGKILL); /* what it may have left behind */
            f->child = 0;
            return;
        }
        clock_sleep_ms(1);
    }
    kill(-f->child, SIGKILL);
    while (waitpid(f->child, &status, 0) < 0 && errno == EINTR)
        ;
    f->child = 0;
}

void
pipe_filter_free(struct pipe_filter *f)
{
    if (f == NULL)
        return;
    end_child(f, false);
    free(f->command);
    memory_free(f);
}

static int
spawn(pid_t *child, const char *command, int in, int out)
{
    char *const argv[] = {"sh", "-c", (char *)command, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none, usual;
    int rc;

    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    if ((rc = posix_spawn_file_actions_init(&files)) != 0)
        return rc;
    if ((rc = posix_spawnattr_init(&attr)) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return rc;
    }
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &usual);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK |
                                        POSIX_SPAWN_SETSIGDEF |
                                        POSIX_SPAWN_SETPGROUP);
    if ((rc = posix_spawn_file_actions_adddup2(&files, in, 0)) == 0 &&
        (rc = posix_spawn_file_actions_adddup2(&files, out, 1)) == 0 &&
        (rc = posix_spawn_file_actions_addclosefrom_np(&files, 3)) == 0)
        rc = posix_spawn(child, "/bin/sh", &files, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    return rc;
}

static enum status
start(struct pipe_filter *f)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, rc = 0;

    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        rc = errno;
    else
        rc = spawn(&f->child, f->command, in[0], out[1]);
    if (in[0] >= 0)
        close(in[0]);
    if (out[1] >= 0)
        close(out[1]);
    f->to = in[1];
    f->from = out[0];
    if (rc != 0) {
        log_error("pipe", "command=\"%s\" fault=\"%s\"", f->command,
                  strerror(rc));
        f->child = 0;
        close_ends(f);
        return ST_IO;
    }
    fcntl(f->to, F_SETFL, O_NONBLOCK);
    fcntl(f->from, F_SETFL, O_NONBLOCK);
    f->starts++;
    return ST_OK;
}

/* write(), with SIGPIPE turned into EPIPE for this thread. */
static ssize_t
write_quietly(int fd, const char *p, size_t n)
{
    const struct timespec now = {0, 0};
    sigset_t pipe, before, pending;
    ssize_t done;
    int fault;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    done = write(fd, p, n);
    fault = errno;
    if (done < 0 && fault == EPIPE && !sigismember(&pending, SIGPIPE))
        while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = fault;
    return done;
}

/* What is known of the answer while it comes in. */
struct reply {
    enum pipe_framing framing;
    struct buf *bytes;
    size_t lines_n; /* PIPE_LINES: still to come */
    size_t looked;  /* bytes that were counted */
    size_t head;    /* PIPE_LENGTH: bytes of the number, 0: not yet there */
    size_t wanted, n_max;
};

static enum status
look_for_length(struct reply *r)
{
    struct str all = buf_view(r->bytes);
    size_t end = str_find(all, '\n', 0);
    uint64_t n;

    if (end == all.n)
        return all.n > DIGITS_MAX ? ST_INVALID : ST_NONE;
    if (end > DIGITS_MAX || !str_u64(str_sub(all, 0, end), &n) || n > r->n_max)
        return ST_INVALID;
    r->head = end + 1;
    r->wanted = (size_t)n;
    return ST_OK;
}

/* ST_OK: it is complete; ST_NONE: there is more to come. */
static enum status
look(struct reply *r)
{
    size_t n = r->bytes->n;
    enum status st;

    if (r->framing == PIPE_LENGTH) {
        if (r->head == 0 && (st = look_for_length(r)) != ST_OK)
            return st;
        return n < r->head + r->wanted    ? ST_NONE
               : n == r->head + r->wanted ? ST_OK
                                          : ST_INVALID;
    }
    for (; r->looked < n; r->looked++)
        if (r->bytes->p[r->looked] == '\n') {
            if (r->lines_n == 0)
                return ST_INVALID;
            r->lines_n--;
        }
    if (r->lines_n > 0)
        return n > r->n_max ? ST_INVALID : ST_NONE;
    return n == 0 || r->bytes->p[n - 1] == '\n' ? ST_OK : ST_INVALID;
}

/* Read what is there.  ST_NONE: nothing more for now. */
static enum status
take(struct pipe_filter *f, struct reply *r)
{
    for (;;) {
        ssize_t n;
        enum status st;

        if (!buf_try_reserve(r->bytes, PIECE))
            return ST_NOMEM;
        n = read(f->from, r->bytes->p + r->bytes->n, PIECE);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN ? ST_NONE : ST_IO;
        if (n == 0)
            return ST_IO;
        r->bytes->n += (size_t)n;
        if ((st = look(r)) != ST_NONE)
            return st;
    }
}

static enum status
exchange(struct pipe_filter *f, struct str in, struct reply *r)
{
    uint64_t until = clock_steady_ms() + f->timeout_ms;
    enum status st = look(r); /* nothing asked, nothing to wait for */

    if (st != ST_NONE)
        return st;
    for (;;) {
        struct pollfd fd[2] = {
            {.fd = f->from, .events = POLLIN},
            {.fd = in.n > 0 ? f->to : -1, .events = POLLOUT}};
        uint64_t now = clock_steady_ms();
        int rc;

        if (now >= until)
            return ST_TIMEOUT;
        rc = poll(fd, 2, (int)(until - now));
        if (rc < 0 && errno != EINTR)
            return ST_IO;
        if (rc <= 0)
            continue;
        if (fd[1].revents != 0) {
            ssize_t n = write_quietly(f->to, in.p, in.n);

            if (n >= 0)
                in = str_sub(in, (size_t)n, in.n);
            else if (errno != EAGAIN && errno != EINTR)
                return ST_IO;
        }
        if (fd[0].revents != 0 && (st = take(f, r)) != ST_NONE)
            return st == ST_OK && in.n > 0 ? ST_INVALID : st;
    }
}

/* Whether there is something to read, or the end, before anything was asked: a
 * child that answered more than it should, or that has ended. */
static bool
spoke_unasked(struct pipe_filter *f)
{
    struct pollfd fd = {.fd = f->from, .events = POLLIN};

    return poll(&fd, 1, 0) > 0;
}

enum status
pipe_filter_run(struct pipe_filter *f, struct str in, struct buf *out)
{
    struct reply r = {.framing = f->framing,
                      .bytes = out,
                      .n_max = in.n * GROWTH + PIPE_REPLY_FREE};
    struct buf framed = {0};
    enum status st = ST_OK;

    buf_clear(out);
    if (f->child != 0 && spoke_unasked(f))
        end_child(f, true);
    if (f->child == 0 && (st = start(f)) != ST_OK)
        return st;
    if (!buf_try_reserve(&framed, in.n + DIGITS_MAX + 2))
        return ST_NOMEM;
    if (f->framing == PIPE_LENGTH)
        buf_printf(&framed, "%zu\n", in.n);
    buf_str(&framed, in);
    for (size_t i = 0; f->framing == PIPE_LINES && i < in.n; i++)
        r.lines_n += in.p[i] == '\n';
    st = exchange(f, buf_view(&framed), &r);
    buf_free(&framed);
    if (st != ST_OK) {
        end_child(f, true);
        return st;
    }
    if (f->framing == PIPE_LENGTH) {
        memmove(out->p, out->p + r.head, r.wanted);
        out->n = r.wanted;
    }
    return ST_OK;
}
