/* sandbox.c -- see sandbox.h.
 *
 * A filter of system calls (seccomp, by libseccomp) that the kernel keeps for
 * one thread; the threads that fetch, ship and write go without.  So each of
 * those that clean has a thread beside it that does only that, and waits
 * meanwhile: the price is two switches a page.  The filter names what is
 * allowed; a path never gets as far as Landlock would look at it, so that is
 * not asked as well.  Threads share their memory: the filter keeps a thread
 * that was taken over from calling the system, not from writing where another
 * one reads.
 *
 * All data of ICU, PCRE2's code and the models are loaded before. */
#include "sandbox.h"

#include <errno.h>
#include <pthread.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/thread.h"

struct sandbox {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t asked, done;
    void (*work)(void *self); /* NULL: nothing to do */
    void *self;
    bool ready, stop;
    enum status filter;
};

static const int allowed[] = {
    SCMP_SYS(brk),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group), /* memory.h */
    SCMP_SYS(futex),
    SCMP_SYS(getpid),
    SCMP_SYS(getrandom),
    SCMP_SYS(gettid),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(madvise),
    SCMP_SYS(membarrier),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    SCMP_SYS(nanosleep),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rseq),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_getaffinity), /* malloc() counts processors */
    SCMP_SYS(sched_yield),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(sigaltstack),
};

static int
add_rules(scmp_filter_ctx f)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < sizeof allowed / sizeof *allowed; i++)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, allowed[i], 0);
    if (rc == 0)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(write), 1,
                              SCMP_A0(SCMP_CMP_EQ, STDERR_FILENO, 0));
    /* Memory, but none that can be executed, and of no file. */
    if (rc == 0)
        rc = seccomp_rule_add(
            f, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
            SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
            SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS));
    if (rc == 0)
        rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                              SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    return rc;
}

/* From here on this thread is in it, for good. */
static enum status
enter(void)
{
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int rc;

    if (f == NULL)
        return ST_NONE;
    /* Old kernels slow every thread with a filter down otherwise. */
    (void)seccomp_attr_set(f, SCMP_FLTATR_CTL_SSB, 1);
    rc = add_rules(f);
    if (rc == 0)
        rc = seccomp_load(f);
    seccomp_release(f);
    return rc == 0 ? ST_OK : ST_NONE;
}

static void *
thread(void *arg)
{
    struct sandbox *s = arg;
    enum status filter;

    thread_name("sandbox");
    filter = enter();
    pthread_mutex_lock(&s->lock);
    s->filter = filter;
    s->ready = true;
    pthread_cond_signal(&s->done);
    while (!s->stop) {
        if (s->work == NULL) {
            pthread_cond_wait(&s->asked, &s->lock);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        s->work(s->self);
        pthread_mutex_lock(&s->lock);
        s->work = NULL;
        pthread_mutex_unlock(&s->lock); /* who is woken does not wait for it */
        pthread_cond_signal(&s->done);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void
release(struct sandbox *s)
{
    pthread_cond_destroy(&s->done);
    pthread_cond_destroy(&s->asked);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

enum status
sandbox_open(struct sandbox **out)
{
    struct sandbox *s = calloc(1, sizeof *s);

    *out = NULL;
    if (s == NULL)
        return ST_NOMEM;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->asked, NULL);
    pthread_cond_init(&s->done, NULL);
    if (!thread_start(&s->thread, thread, s)) {
        release(s);
        return ST_LIMIT;
    }
    pthread_mutex_lock(&s->lock);
    while (!s->ready)
        pthread_cond_wait(&s->done, &s->lock);
    pthread_mutex_unlock(&s->lock);
    if (s->filter != ST_OK) {
        sandbox_close(s);
        return ST_NONE;
    }
    *out = s;
    return ST_OK;
}

void
sandbox_close(struct sandbox *s)
{
    if (s == NULL)
        return;
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_signal(&s->asked);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    release(s);
}

void
sandbox_run(struct sandbox *s, void (*work)(void *self), void *self)
{
    if (s == NULL) {
        work(self);
        return;
    }
    pthread_mutex_lock(&s->lock);
    s->self = self;
    s->work = work;
    pthread_mutex_unlock(&s->lock);
    pthread_cond_signal(&s->asked);
    pthread_mutex_lock(&s->lock);
    while (s->work != NULL)
        pthread_cond_wait(&s->done, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

struct sandboxed_call {
    const struct cleaner *c;
    struct document *d;
    bool all;
    enum status st;
};

static void
clean(void *self)
{
    struct sandboxed_call *call = self;

    call->st = cleaner_run(call->c, call->d, call->all);
}

enum status
sandbox_clean(struct sandbox *s, const struct cleaner *c, struct document *d,
              bool all)
{
    struct sandboxed_call call = {c, d, all, ST_OK};

    sandbox_run(s, clean, &call);
    return call.st;
}

enum status
sandbox_choose(bool *use, const struct opts *o)
{
    const char *why = o->clean_pipe.n > 0 ? "clean.pipe runs a program" : NULL;
    bool must = str_eq(o->clean_sandbox, S("on"));
    struct sandbox *s = NULL;
    enum status st;

    *use = false;
    if (str_eq(o->clean_sandbox, S("off")))
        return ST_OK;
    st = why == NULL ? sandbox_open(&s) : ST_NONE;
    if (st == ST_OK) {
        sandbox_close(s);
        *use = true;
        return ST_OK;
    }
    if (st != ST_NONE) {
        log_error("clean", "no sandbox: the system allows no more memory or "
                           "threads (ulimit -u, ulimit -v, a container's "
                           "limit)");
        return st;
    }
    why = why != NULL ? why : "this system allows no seccomp filter";
    if (must) {
        log_error("clean", "clean.sandbox=on: %s", why);
        return ST_USAGE;
    }
    log_info("clean", "cleaning without a sandbox: %s", why);
    return ST_OK;
}
