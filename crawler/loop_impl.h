/* loop_impl.h -- the loop thread's own: loop.c and visit_steps.c. */
#ifndef CRAWLER_LOOP_IMPL_H
#define CRAWLER_LOOP_IMPL_H

#include "slots.h"

struct loop {
    struct crawl *c;
    int epoll_fd, signal_fd;
    struct dns *dns;
    struct fetch *fetch;
    struct slots *slots;
    struct status_line *status;
    uint64_t now_ms;     /* steady */
    uint64_t files_ms;   /* when to see again whether any is left */
    uint64_t stopped_ms; /* of the first signal; 0: none yet */
    bool cancelled;
};

/* Takes a visit from the queue on its way: to the workers, sooner or later. */
void visit_start(struct loop *l, struct visit *v);

#endif
