/* local.c -- see local.h: a job on this machine, as a pipe of processes.
 *
 * map | sort | combine | reduce, each of them a child, and sort(1), which sorts
 * in the memory it is given and on the disk.  Since
 * sort brings all lines of a key together, combine would find nothing that
 * reduce does not; it runs all the same, so that a job is run here as it is
 * elsewhere. */
#include "local.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options/command.h"
#include "base/process_end.h"

#define PROCESSES_MAX 4

struct process {
    const char *name;
    bool sorts; /* else it is a phase */
    enum job_phase phase;
    pid_t pid;
};

/* What runs, in order; how many. */
static size_t
plan(const struct corpus_job *j, struct process *p)
{
    size_t n = 0;

    for (enum job_phase phase = JOB_MAP; phase < JOB_PHASES_N; phase++) {
        if (phase == JOB_COMBINE && j->phase[JOB_REDUCE] != NULL)
            p[n++] = (struct process){.name = "sort", .sorts = true};
        if (j->phase[phase] != NULL)
            p[n++] =
                (struct process){.name = job_phase_name[phase], .phase = phase};
    }
    return n;
}

static void
sort(const struct local_job *l, bool first)
{
    size_t files_n = first ? l->files_n : 0;
    const char *const begin[] = {"sort", "-t",      "\t", "-k1,1",
                                 "-S",   l->memory, "--"};
    size_t begin_n = sizeof begin / sizeof *begin;
    const char **word =
        memory_need(calloc(begin_n + files_n + 1, sizeof *word));

    memcpy(word, begin, sizeof begin);
    for (size_t i = 0; i < files_n; i++)
        word[begin_n + i] = l->file[i];
    setenv("LC_ALL", "C", 1);
    execvp("sort", (char *const *)(uintptr_t)word);
    fprintf(stderr, "winnow job: sort: %s\n", strerror(errno));
    _exit(127);
}

/* In the child, whose standard files are set: never returns. */
static void
become(const struct local_job *l, const struct process *p, bool first,
       bool last)
{
    if (!p->sorts)
        _exit(command_flush(l->phase(l->self, p->phase, first, last)));
    sort(l, first);
}

static void
stand_in(int fd, int standard)
{
    if (fd < 0)
        return;
    dup2(fd, standard);
    close(fd);
}

static bool
start_all(const struct local_job *l, struct process *p, size_t n, int out)
{
    int in = -1;
    bool good = true;

    fflush(NULL);
    for (size_t i = 0; i < n && good; i++) {
        int ends[2] = {-1, -1};

        if (i + 1 < n && pipe2(ends, O_CLOEXEC) != 0) {
            good = false;
        } else if ((p[i].pid = fork()) == 0) {
            stand_in(in, STDIN_FILENO);
            stand_in(i + 1 < n ? ends[1] : out, STDOUT_FILENO);
            if (ends[0] >= 0)
                close(ends[0]);
            become(l, &p[i], i == 0, i + 1 == n);
        }
        good = good && p[i].pid > 0;
        if (in >= 0)
            close(in);
        if (ends[1] >= 0)
            close(ends[1]);
        in = ends[0];
    }
    if (in >= 0)
        close(in);
    if (!good)
        log_error("job", "fault=\"%s\"", strerror(errno));
    return good;
}

static int
wait_all(const struct process *p, size_t n)
{
    int code = EXIT_DONE;

    for (size_t i = 0; i < n; i++) {
        char how[PROCESS_END_SIZE];
        int status;

        if (p[i].pid <= 0)
            continue;
        while (waitpid(p[i].pid, &status, 0) < 0 && errno == EINTR)
            ;
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DONE)
            continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_REJECTED &&
            !p[i].sorts) {
            code = code == EXIT_DONE ? EXIT_REJECTED : code;
            continue;
        }
        log_error("job", "process=\"%s\" fault=\"ended with %s\"", p[i].name,
                  process_end(status, how));
        code = EXIT_FAILED;
    }
    return code;
}

/* The output, for this run alone: the processes share the lock, which ends with
 * the last of them.  -1: reported. */
static int
open_part(const struct file_place *place)
{
    int fd = file_place_open_alone(place);

    if (fd < 0)
        log_error("job", "file=%s fault=\"%s\"", place->part,
                  errno == EWOULDBLOCK ? "another run writes it"
                                       : strerror(errno));
    return fd;
}

int
local_run(const struct local_job *l)
{
    struct process p[PROCESSES_MAX];
    size_t n = plan(l->job, p);
    struct file_place place = {.path = NULL};
    int out = -1, code = EXIT_DONE, waited;

    if (l->output != NULL) {
        file_place_find(&place, l->output);
        out = open_part(&place);
        code = out >= 0 ? EXIT_DONE : EXIT_FAILED;
    }
    if (code == EXIT_DONE) {
        code = start_all(l, p, n, out) ? EXIT_DONE : EXIT_FAILED;
        waited = wait_all(p, n);
        code = code == EXIT_DONE ? waited : code;
    }
    if (out >= 0 && close(out) != 0)
        code = EXIT_FAILED;
    if (out >= 0 && !file_place_end(&place, code != EXIT_FAILED))
        code = EXIT_FAILED; /* without its part, which is no other run's */
    if (code == EXIT_FAILED && l->output != NULL)
        log_error("job", "file=%s fault=\"not written\"", l->output);
    file_place_free(&place);
    return code;
}
