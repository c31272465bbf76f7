/* loop_impl.h -- the loop thread's own: loop.c and visit_steps.c. */
#ifndef CRAWLER_LOOP_IMPL_H
#define CRAWLER_LOOP_IMPL_H

#include "crawler/fetch/own_address.h"
#include "slots.h"

/* So many different hosts in a row that had been reached before, or at the
 * start any, and a proxy that does not reach them has lost its network. */
#define PROXY_LOST 3
#define PROXY_LOST_EARLY 20

struct loop {
    struct crawl *c;
    int epoll_fd, signal_fd;
    struct dns *dns;
    struct fetch *fetch;
    struct slots *slots;
    struct status_line *status;
    bool proxied;        /* hosts are asked through fetch.proxy */
    bool looks_names_up; /* those of hosts */
    struct own_address own;
    struct buf soon;
    struct {
        bool ever;                 /* a host was reached through the proxy */
        size_t lost_n, all_n;      /* not reached since one was: that had been,
                                      and all */
        uint64_t lost[PROXY_LOST]; /* hashes of the former */
        uint64_t since_ms;         /* the proxy reaches none; 0: it does */
    } far;
    uint64_t now_ms;    /* steady */
    uint64_t boot_ms;   /* likewise, by the clock that runs in a sleep, too */
    uint64_t race_ms;   /* when slow connections are looked at again */
    uint64_t files_ms;  /* when to see again whether any is left */
    uint64_t folder_ms; /* when to see again whether the folder is there */
    uint64_t told_ms;   /* when to tell systemd again how far it is ... */
    uint64_t watchdog_ms,
        watchdog_every_ms; /* ... and that it is alive; 0: never */
    uint64_t stopped_ms;   /* of the first signal; 0: none yet */
    bool cancelled;
};

/* A host that is likely to be visited next: its name is looked up. */
void visit_expect(struct loop *l, struct str host);

/* It has ended, and goes to the workers. */
void visit_finish(struct loop *l, struct visit *v, enum verdict fault);

/* Its transfer through the proxy has ended so: it or the proxy has. */
void visit_proxied_ended(struct loop *l, struct visit *v);

/* Connections that take long get company. */
void visit_race(struct loop *l);

/* Takes a visit from the queue on its way: to the workers, sooner or later. */
void visit_start(struct loop *l, struct visit *v);

#endif
