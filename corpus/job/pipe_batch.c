/* pipe_batch.c -- see pipe_batch.h.
 *
 * Both ends are served as they are ready, so a command may write as much as it
 * likes before it has read everything.  Its input is a socket: one that goes
 * away without reading is an error here, not a signal. */
#include "pipe_batch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

#define READ_BYTES ((size_t)64 << 10)

/* What the shell ends with when it may not run a program, or finds none. */
enum { SHELL_NOT_RUN = 126, SHELL_NOT_FOUND = 127 };

struct piped {
    pid_t pid;
    int in, out; /* our ends; -1: closed */
    struct str rest;
    struct buf *got;
    size_t most;
};

static void
become(const char *command, int in, int out)
{
    setpgid(0, 0);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(SHELL_NOT_FOUND);
}

static bool
start(struct piped *b, const char *command)
{
    int in[2], out[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0)
        return false;
    if (pipe2(out, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    b->pid = fork();
    if (b->pid == 0)
        become(command, in[1], out[1]);
    if (b->pid > 0)
        setpgid(b->pid, b->pid); /* whoever comes first */
    close(in[1]);
    close(out[1]);
    b->in = in[0];
    b->out = out[0];
    return b->pid > 0;
}

static void
end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void
feed(struct piped *b)
{
    ssize_t n = send(b->in, b->rest.p, b->rest.n, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (n >= 0)
        b->rest = str_sub(b->rest, (size_t)n, b->rest.n);
    else if (errno != EAGAIN && errno != EINTR)
        b->rest.n = 0; /* it reads no more */
    if (b->rest.n == 0)
        end(&b->in);
}

static void
take(struct piped *b)
{
    ssize_t n;

    buf_reserve(b->got, READ_BYTES);
    n = read(b->out, b->got->p + b->got->n, READ_BYTES);
    if (n > 0)
        b->got->n += (size_t)n;
    if (n == 0 || (n < 0 && errno != EINTR) || b->got->n > b->most)
        end(&b->out);
}

/* Until it has written all, or the time is over. */
static bool
serve(struct piped *b, uint64_t until_ms)
{
    if (b->rest.n == 0)
        end(&b->in);
    while (b->out >= 0) {
        struct pollfd p[2] = {{b->out, POLLIN, 0}, {b->in, POLLOUT, 0}};
        uint64_t now = clock_steady_ms();

        if (now >= until_ms)
            return false;
        if (poll(p, 2, until_ms - now > 60000 ? 60000 : (int)(until_ms - now)) <
            0)
            continue;
        if (p[1].revents != 0)
            feed(b);
        if (p[0].revents != 0)
            take(b);
    }
    return b->got->n <= b->most;
}

/* A program that has written something was there. */
static enum pipe_end
end_of(const char *command, int status, bool silent)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

    if (code == 0)
        return PIPE_DONE;
    if (!silent || (code != SHELL_NOT_RUN && code != SHELL_NOT_FOUND))
        return PIPE_DIED;
    log_error("job", "command=\"%s\" fault=\"%s\" status=%d", command,
              code == SHELL_NOT_FOUND ? "there is no such program"
                                      : "the program may not be run",
              code);
    return PIPE_NO_START;
}

enum pipe_end
pipe_batch(const char *command, struct str in, struct buf *out, size_t most,
           uint64_t timeout_ms)
{
    struct piped b = {
        .in = -1, .out = -1, .rest = in, .got = out, .most = out->n + most};
    const size_t begin = out->n;
    int status = 0;
    bool good;

    if (!start(&b, command)) {
        log_error("job", "command=\"%s\" fault=\"%s\"", command,
                  strerror(errno));
        end(&b.in);
        end(&b.out);
        return PIPE_NO_START;
    }
    good = serve(&b, clock_steady_ms() + timeout_ms);
    end(&b.in);
    end(&b.out);
    if (!good)
        kill(-b.pid, SIGKILL);
    while (waitpid(b.pid, &status, 0) < 0 && errno == EINTR)
        ;
    return good ? end_of(command, status, out->n == begin) : PIPE_DIED;
}
