/* thread.h -- threads that work for others.  Thread-safe. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Start `run(self)` in a thread that no signal is delivered to: signals are for
 * those who wait for them (pthread_sigmask(3)).  `self` stays the caller's and
 * must outlive the thread; end with pthread_join().  False: there can be no
 * more threads, nothing was started and *out is not to be used. */
bool thread_start(pthread_t *out, void *(*run)(void *self), void *self);

/* Could `n` more threads (THREAD_ROOM_MAX at most) be started now, all at once?
 * For libraries that do not survive it when one of theirs cannot be. */
#define THREAD_ROOM_MAX 64
bool thread_room(size_t n);

/* A condition whose timed waits go by CLOCK_MONOTONIC (clock_steady_ms()). */
void thread_condition(pthread_cond_t *c);

/* A thread beside its owner, and what both need to work together: what they
 * share changes under the lock, and `changed` tells of it (timed waits: by
 * CLOCK_MONOTONIC).  When `ended` is set, under the lock too, `run` returns. */
struct thread_beside {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ended;
    pthread_t thread;
};
/* As thread_start().  False: there is nothing to end. */
bool thread_beside_start(struct thread_beside *t, void *(*run)(void *self),
                         void *self);
/* Says so and waits for it.  Nobody holds the lock, nor takes it any more. */
void thread_beside_end(struct thread_beside *t);

/* What the calling thread does, in at most 15 bytes: top(1), perf(1) and gdb(1)
 * show it. */
void thread_name(const char *name);

/* The signals that ask a program to end what it is doing and go: SIGINT,
 * SIGTERM, and SIGHUP unless it is ignored (nohup(1)). */
void thread_end_signals(sigset_t *out);

/* For a program that only serves and prints nothing: from hold to await these
 * signals wait, also of threads that are started in between.  await tells
 * systemd that the service is ready, and when it ends, and returns the one that
 * came; the next one ends the process at once. */
void thread_hold_end(sigset_t *held);
int thread_await_end(const sigset_t *held);

#endif
