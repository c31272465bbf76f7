/* crawl_state.c -- what the threads of a crawl tell each other; see
 * crawl_state.h. */
#include "crawl_state.h"

#include <errno.h>
#include <unistd.h>

#include "winnow/clock.h"
#include "winnow/log.h"

void
crawl_wake_loop(struct crawl *c)
{
    uint64_t one = 1;

    if (write(c->wake_fd, &one, sizeof one) < 0 && errno != EAGAIN)
        log_error("crawl", "eventfd: %s", strerror(errno));
}

void
crawl_to_workers(struct crawl *c, struct visit *v)
{
    pthread_mutex_lock(&c->lock);
    c->fetching--;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    workq_push(c->to_workers, v); /* has room: see crawl_state.h */
}

void
crawl_waits(struct crawl *c, size_t i, const char *what)
{
    uint64_t now = clock_steady_ms();

    pthread_mutex_lock(&c->lock);
    if (what == NULL && c->wait[i].what != NULL &&
        now > c->wait[i].since_ms + 2000)
        c->stats.waits++;
    if (what == NULL || c->wait[i].what == NULL)
        c->wait[i] = (struct crawl_wait){what, now};
    pthread_mutex_unlock(&c->lock);
}
