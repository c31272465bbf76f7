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
    struct buf soon;
    uint64_t now_ms;     /* steady */
    uint64_t boot_ms;    /* likewise, by the clock that runs in a sleep, too */
    uint64_t race_ms;    /* when slow connections are looked at again */
    uint64_t files_ms;   /* when to see again whether any is left */
    uint64_t folder_ms;  /* when to see again whether the folder is there */
    uint64_t stopped_ms; /* of the first signal; 0: none yet */
    bool cancelled;
};

/* A host that is likely to be visited next: its name is looked up. */
void visit_expect(struct loop *l, struct str host);

/* Connections that take long get company. */
void visit_race(struct loop *l);

/* Takes a visit from the queue on its way: to the workers, sooner or later. */
void visit_start(struct loop *l, struct visit *v);

#endif
