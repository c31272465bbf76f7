/* thread.c -- see base/thread.h. */
#include "base/thread.h"

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
    int number = 0;

    sigwait(held, &number);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, held, NULL);
    return number;
}
