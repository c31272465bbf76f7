/* confine.c -- see confine.h.
 *
 * The filters (libseccomp) name what is allowed.  A program needs more than a
 * reader does: it has to be loaded, and looks for its data; so open() is
 * allowed for reading.  Without bubblewrap that is every file that our user may
 * read: a program that was taken over could put one into its output.  The
 * filter is loaded before the program is, and by bubblewrap from a file.
 *
 * Limits: address space, CPU time, no cores, files of a byte (pipes do not
 * count), few descriptors. */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define WORDS_MAX 48
#define ERRORS_MAX (64 * 1024) /* bytes that a program may complain */

/* Sanitizers reserve terabytes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMITS_MEMORY false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
    __has_feature(memory_sanitizer)
#define LIMITS_MEMORY false
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY true
#endif

static const int of_readers[] = {
    SCMP_SYS(brk),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(futex),
    SCMP_SYS(getpid),
    SCMP_SYS(getrandom),
    SCMP_SYS(gettid),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(madvise),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    SCMP_SYS(read),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(write),
    SCMP_SYS(close),
    SCMP_SYS(lseek),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
};

static const int of_programs[] = {
    SCMP_SYS(access),
    SCMP_SYS(arch_prctl),
    SCMP_SYS(dup),
    SCMP_SYS(execve),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(fadvise64),
    SCMP_SYS(fcntl),
    SCMP_SYS(fstatfs),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents64),
    SCMP_SYS(getegid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getppid),
    SCMP_SYS(getrlimit),
    SCMP_SYS(getrusage),
    SCMP_SYS(getuid),
    SCMP_SYS(lstat),
    SCMP_SYS(pread64),
    SCMP_SYS(prlimit64),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(readv),
    SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(stat),
    SCMP_SYS(statfs),
    SCMP_SYS(statx),
    SCMP_SYS(sysinfo),
    SCMP_SYS(time),
    SCMP_SYS(umask),
    SCMP_SYS(uname),
    SCMP_SYS(wait4),
    SCMP_SYS(writev), /* wait4: of bubblewrap */
    SCMP_SYS(poll),
};

static int
allow(scmp_filter_ctx f, const int *calls, size_t n)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, calls[i], 0);
    return rc;
}

/* Memory of no file; of programs also such that holds their code. */
static int
allow_memory(scmp_filter_ctx f, bool program)
{
    int rc;

    if (program) {
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 0);
        return rc != 0
                   ? rc
                   : seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 0);
    }
    rc = seccomp_rule_add(
        f, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
        SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
        SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS));
    return rc != 0
               ? rc
               : seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                                  SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
}

/* Files are opened to be read and not made. */
static int
allow_reading(scmp_filter_ctx f)
{
    const scmp_datum_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    int rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
                              SCMP_A2(SCMP_CMP_MASKED_EQ, writes, 0));

    if (rc == 0)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
                              SCMP_A1(SCMP_CMP_MASKED_EQ, writes, 0));
    if (rc == 0)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
                              SCMP_A1(SCMP_CMP_EQ, TCGETS, 0));
    return rc;
}

/* NULL: there are no filters here. */
static scmp_filter_ctx
filter(bool program)
{
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int rc;

    if (f == NULL)
        return NULL;
    rc = allow(f, of_readers, sizeof of_readers / sizeof *of_readers);
    if (rc == 0 && program)
        rc = allow(f, of_programs, sizeof of_programs / sizeof *of_programs);
    if (rc == 0 && program)
        rc = allow_reading(f);
    if (rc == 0)
        rc = allow_memory(f, program);
    if (rc == 0)
        return f;
    seccomp_release(f);
    return NULL;
}

/* No function: what a resource is by type differs between C libraries. */
#define LIMIT(what, most)                                                      \
    (setrlimit((what), &(const struct rlimit){(most), (most)}) == 0)

static bool
limits(const struct confine_limits *l, rlim_t file_max)
{
    return LIMIT(RLIMIT_CORE, 0) && LIMIT(RLIMIT_FSIZE, file_max) &&
           LIMIT(RLIMIT_CPU, l->seconds) && LIMIT(RLIMIT_NOFILE, 64) &&
           (!LIMITS_MEMORY || LIMIT(RLIMIT_AS, l->memory));
}

bool
confine_reader(const struct confine_limits *l)
{
    scmp_filter_ctx f = filter(false);
    bool ok = f != NULL && limits(l, 0) &&
              prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
              seccomp_load(f) == 0;

    if (f != NULL)
        seccomp_release(f);
    return ok;
}

/* ---- programs ---- */

/* The filter as a file that bubblewrap loads; -1: none. */
static int
filter_file(void)
{
    scmp_filter_ctx f = filter(true);
    int fd = f != NULL ? memfd_create("filter", 0) : -1;

    if (fd >= 0 &&
        (seccomp_export_bpf(f, fd) != 0 || lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        fd = -1;
    }
    if (f != NULL)
        seccomp_release(f);
    return fd;
}

struct command_line {
    const char *word[WORDS_MAX];
    size_t n;
};

static void
add(struct command_line *w, const char *const *more)
{
    while (*more != NULL && w->n + 1 < WORDS_MAX)
        w->word[w->n++] = *more++;
    w->word[w->n] = NULL;
}

static const char *const bwrap_words[] = {"bwrap",
                                          "--unshare-all",
                                          "--die-with-parent",
                                          "--new-session",
                                          "--cap-drop",
                                          "ALL",
                                          "--ro-bind",
                                          "/usr",
                                          "/usr",
                                          "--symlink",
                                          "usr/lib",
                                          "/lib",
                                          "--symlink",
                                          "usr/lib64",
                                          "/lib64",
                                          "--symlink",
                                          "usr/bin",
                                          "/bin",
                                          "--clearenv",
                                          "--setenv",
                                          "LC_ALL",
                                          "C.UTF-8",
                                          "--setenv",
                                          "HOME",
                                          "/nonexistent",
                                          "--setenv",
                                          "PATH",
                                          "/usr/bin:/bin",
                                          "--chdir",
                                          "/",
                                          NULL};

/* With the document's path in the place of "@". */
static void
add_program(struct command_line *w, const char *const *argv, const char *path)
{
    const char *one[2] = {NULL, NULL};

    for (; *argv != NULL; argv++) {
        one[0] = strcmp(*argv, "@") == 0 ? path : *argv;
        add(w, one);
    }
}

static void
exec_bwrap(int document, const char *const *argv)
{
    char bind[16], load[16];
    const char *const files[] = {
        "--ro-bind-data", bind, "/document", "--seccomp", load, "--", NULL};
    struct command_line w = {.n = 0};
    int filter_fd = filter_file(), copy = dup(document);

    if (filter_fd < 0 || copy < 0)
        return;
    snprintf(bind, sizeof bind, "%d", copy);
    snprintf(load, sizeof load, "%d", filter_fd);
    add(&w, bwrap_words);
    add(&w, files);
    add_program(&w, argv, "/document");
    execvp(w.word[0], (char *const *)w.word);
}

static void
exec_filtered(const char *const *argv)
{
    static const char *const environment[] = {
        "LC_ALL=C.UTF-8", "HOME=/nonexistent", "PATH=/usr/bin:/bin", NULL};
    scmp_filter_ctx f = filter(true);
    struct command_line w = {.n = 0};

    add_program(&w, argv, "/proc/self/fd/0");
    if (w.n > 0 && f != NULL && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
        seccomp_load(f) == 0)
        execvpe(w.word[0], (char *const *)w.word, (char *const *)environment);
}

void
confine_exec(const struct confine_limits *l, bool bwrap, int document, int out,
             int err, const char *const *argv)
{
    if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0 ||
        dup2(document, STDIN_FILENO) < 0 ||
        lseek(STDIN_FILENO, 0, SEEK_SET) != 0)
        return;
    if (close_range(3, ~0u, 0) != 0 ||
        !limits(l, bwrap ? RLIM_INFINITY : (rlim_t)ERRORS_MAX))
        return;
    if (bwrap)
        exec_bwrap(STDIN_FILENO, argv);
    else
        exec_filtered(argv);
}

bool
confine_has_bwrap(void)
{
    const struct confine_limits l = {10, (size_t)512 << 20};
    static const char *const argv[] = {"true", NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), status = -1;
    pid_t pid;

    if (null < 0)
        return false;
    if ((pid = fork()) == 0) {
        confine_exec(&l, true, null, null, null, argv);
        _exit(127);
    }
    close(null);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}
