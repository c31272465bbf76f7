/* thread.c -- see winnow/thread.h. */
#include "winnow/thread.h"

#include <signal.h>

bool
thread_start(pthread_t *out, void *(*run)(void *self), void *self)
{
    sigset_t all, before;
    bool started;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    started = pthread_create(out, NULL, run, self) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
