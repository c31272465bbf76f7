/* thread.c -- see base/thread.h. */
#include "base/thread.h"

#include "base/notify.h"

bool
thread_start(pthread_t *out, void *(*run)(void *self), void *self)
{
    sigset_t all, before;
    bool started;

    sigfillset(&all);
    sigdelset(&all, SIGPIPE); /* the fault of a write(2), not news */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    started = pthread_create(out, NULL, run, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void *
pass_lock(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

bool
thread_room(size_t n)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread[THREAD_ROOM_MAX];
    size_t started = 0;

    pthread_mutex_lock(&lock); /* none ends before the last has begun */
    while (started < n && started < THREAD_ROOM_MAX &&
           thread_start(&thread[started], pass_lock, &lock))
        started++;
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    return started == n;
}

void
thread_condition(pthread_cond_t *c)
{
    pthread_condattr_t steady;

    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(c, &steady);
    pthread_condattr_destroy(&steady);
}

static void
forget(struct thread_beside *t)
{
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
}

bool
thread_beside_start(struct thread_beside *t, void *(*run)(void *self),
                    void *self)
{
    t->ended = false;
    pthread_mutex_init(&t->lock, NULL);
    thread_condition(&t->changed);
    if (thread_start(&t->thread, run, self))
        return true;
    forget(t);
    return false;
}

void
thread_beside_end(struct thread_beside *t)
{
    pthread_mutex_lock(&t->lock);
    t->ended = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    forget(t);
}

void
thread_name(const char *name)
{
    (void)pthread_setname_np(pthread_self(), name);
}

void
thread_end_signals(sigset_t *out)
{
    struct sigaction hangup;

    sigemptyset(out);
    sigaddset(out, SIGINT);
    sigaddset(out, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hangup) != 0 || hangup.sa_handler != SIG_IGN)
        sigaddset(out, SIGHUP);
}

void
thread_hold_end(sigset_t *held)
{
    signal(SIGPIPE, SIG_IGN);
    thread_end_signals(held);
    pthread_sigmask(SIG_BLOCK, held, NULL);
}

int
thread_await_end(const sigset_t *held)
{
    uint64_t ms = notify_watchdog_every_ms();
    struct timespec wait = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    int number;

    notify_ready();
    while ((number = ms > 0 ? sigtimedwait(held, NULL, &wait)
                            : sigwaitinfo(held, NULL)) <= 0)
        if (ms > 0)
            notify_watchdog();
    notify_stopping();
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, held, NULL);
    return number;
}
