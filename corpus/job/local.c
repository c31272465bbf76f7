/* local.c -- see local.h: a job on this machine, as a pipe of processes.
 *
 * map | sort | combine | reduce, each of them this program (/proc/self/exe),
 * and sort(1), which sorts in the memory it is given and on the disk.  Since
 * sort brings all lines of a key together, combine would find nothing that
 * reduce does not; it runs all the same, so that a job is run here as it is
 * elsewhere. */
#include "local.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"

#define WORDS_MAX 512
#define PROCESSES_MAX 4

struct process {
    const char *word[WORDS_MAX];
    size_t n;
    pid_t pid;
};

static void
word(struct process *p, const char *w)
{
    if (p->n + 1 < WORDS_MAX)
        p->word[p->n++] = w;
}

static void
phase_words(struct process *p, const struct local_job *l, enum job_phase phase)
{
    word(p, "winnow");
    word(p, "job");
    word(p, l->job->name);
    word(p, job_phase_name[phase]);
    for (size_t i = 0; i < l->defines_n; i++) {
        word(p, "-D");
        word(p, l->define[i]);
    }
}

static void
fields_words(struct process *p, const char *fields)
{
    if (fields == NULL)
        return;
    word(p, "--fields");
    word(p, fields);
}

/* What runs, in order; how many. */
static size_t
plan(const struct local_job *l, struct process *p)
{
    size_t n = 0;

    if (l->job->phase[JOB_MAP] != NULL)
        phase_words(&p[n++], l, JOB_MAP);
    if (l->job->phase[JOB_REDUCE] != NULL) {
        word(&p[n], "sort");
        word(&p[n], "-t");
        word(&p[n], "\t");
        word(&p[n], "-k1,1");
        word(&p[n], "-S");
        word(&p[n], l->memory);
        n++;
        if (l->job->phase[JOB_COMBINE] != NULL)
            phase_words(&p[n++], l, JOB_COMBINE);
        phase_words(&p[n++], l, JOB_REDUCE);
    }
    fields_words(&p[0], n == 1 ? l->fields : l->fields_in);
    if (n > 1)
        fields_words(&p[n - 1], l->fields_out);
    if (l->paths)
        word(&p[0], "--paths");
    for (size_t i = 0; i < l->files_n; i++)
        word(&p[0], l->file[i]);
    return n;
}

/* In the child: never returns. */
static void
become(const struct process *p, int in, int out)
{
    if (in >= 0)
        dup2(in, STDIN_FILENO);
    if (out >= 0)
        dup2(out, STDOUT_FILENO);
    setenv("LC_ALL", "C", 1);
    if (strcmp(p->word[0], "winnow") == 0)
        execv("/proc/self/exe", (char *const *)(uintptr_t)p->word);
    else
        execvp(p->word[0], (char *const *)(uintptr_t)p->word);
    fprintf(stderr, "winnow job: %s: %s\n", p->word[0], strerror(errno));
    _exit(127);
}

static bool
start_all(struct process *p, size_t n, int out)
{
    int in = -1;
    bool good = true;

    fflush(NULL);
    for (size_t i = 0; i < n && good; i++) {
        int ends[2] = {-1, -1};

        if (i + 1 < n && pipe2(ends, O_CLOEXEC) != 0)
            good = false;
        else if ((p[i].pid = fork()) == 0)
            become(&p[i], in, i + 1 < n ? ends[1] : out);
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

static bool
wait_all(const struct process *p, size_t n)
{
    bool good = true;

    for (size_t i = 0; i < n; i++) {
        int status;

        if (p[i].pid <= 0)
            continue;
        while (waitpid(p[i].pid, &status, 0) < 0 && errno == EINTR)
            ;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            log_error("job", "process=\"%s %s\" fault=\"ended with status %d\"",
                      p[i].word[0], p[i].n > 3 ? p[i].word[3] : "", status);
            good = false;
        }
    }
    return good;
}

/* The output, for this run alone: the processes share the lock, which ends with
 * the last of them.  -1: reported. */
static int
open_part(const struct file_place *place)
{
    int fd = file_place_open(place, 0);

    if (fd >= 0 && (place->direct || (flock(fd, LOCK_EX | LOCK_NB) == 0 &&
                                      ftruncate(fd, 0) == 0)))
        return fd;
    log_error("job", "file=%s fault=\"%s\"", place->part,
              errno == EWOULDBLOCK ? "another run writes it" : strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

bool
local_run(const struct local_job *l)
{
    struct process *p = memory_need(calloc(PROCESSES_MAX, sizeof *p));
    size_t n = plan(l, p);
    struct file_place place = {.path = NULL};
    int out = -1;
    bool good = true;

    if (l->files_n + 2 * l->defines_n + 8 > WORDS_MAX) {
        log_error("job", "fault=\"more than %d files\"", WORDS_MAX / 2);
        good = false;
    } else if (l->output != NULL) {
        file_place_find(&place, l->output);
        out = open_part(&place);
        good = out >= 0;
    }
    if (good) {
        good = start_all(p, n, out);
        good = wait_all(p, n) && good;
    }
    if (out >= 0 && close(out) != 0)
        good = false;
    if (good && l->output != NULL)
        good = file_place_end(&place, true);
    if (!good && l->output != NULL)
        log_error("job", "file=%s fault=\"not written\"", l->output);
    file_place_free(&place); /* not another run's part */
    free(p);
    return good;
}
