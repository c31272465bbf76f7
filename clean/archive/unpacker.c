/* unpacker.c -- see unpacker.h.  posix_spawn runs nothing of ours in the child
 * but the program; the child gets no descriptor beyond the standard ones, since
 * all of ours are closed on exec. */
#include "unpacker.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/buf.h"
#include "base/log.h"

extern char **environ;

bool
unpacker_is_gzip(int fd)
{
    unsigned char magic[2];

    return pread(fd, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
}

static int
spawn(pid_t *pid, const char *program, const char *path, int out)
{
    struct buf name = {0}; /* that cannot be taken for an option */
    char *argv[] = {(char *)program, "-c", "-d", NULL, NULL};
    posix_spawn_file_actions_t files;
    int rc = posix_spawn_file_actions_init(&files);

    if (rc != 0)
        return rc;
    buf_printf(&name, "%s%s", *path == '-' ? "./" : "", path);
    buf_char(&name, '\0');
    argv[3] = name.p;
    if ((rc = posix_spawn_file_actions_addopen(&files, STDIN_FILENO,
                                               "/dev/null", O_RDONLY, 0)) == 0)
        rc = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    if (rc == 0)
        rc = posix_spawn(pid, program, &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    buf_free(&name);
    return rc;
}

enum status
unpacker_open(struct unpacker *u, const char *program, const char *path)
{
    int ends[2], rc;

    *u = (struct unpacker){.fd = -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        log_error("input", "file=%s pipe=\"%s\"", path, strerror(errno));
        return ST_IO;
    }
    rc = spawn(&u->pid, program, path, ends[1]);
    close(ends[1]);
    if (rc != 0) {
        log_error("input", "file=%s input.gzip=%s fault=\"%s\"", path, program,
                  strerror(rc));
        close(ends[0]);
        u->pid = 0;
        return ST_IO;
    }
    u->fd = ends[0];
    return ST_OK;
}

enum status
unpacker_close(struct unpacker *u, const char *path, bool told)
{
    int state = 0;
    pid_t got;

    if (u->pid == 0)
        return ST_OK;
    close(u->fd);
    do
        got = waitpid(u->pid, &state, 0);
    while (got < 0 && errno == EINTR);
    u->pid = 0;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
        return ST_OK;
    if (told)
        log_error("input", "file=%s input.gzip: it ended with %s %d", path,
                  WIFEXITED(state) ? "exit code" : "signal",
                  WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state));
    return ST_IO;
}
