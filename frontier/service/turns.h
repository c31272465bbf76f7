/* turns.h -- who is served when, by the frontier's service. */
#ifndef FRONTIER_TURNS_H
#define FRONTIER_TURNS_H

#include "frontier/frontier.h"
#include "frontier/schedule/timekeeper.h"
#include "frontier_service.h"
#include "message.h"
#include "proto/endpoint.h"
#include "proto/server.h"

#define TURNS_SPARE 32u

struct turn_job {             /* a request that is being answered */
    message_request *request; /* NULL: malformed */
    message_reply reply;
    size_t at;  /* of what it brings, so much is in */
    bool begun; /* ... and `reply` has its answer so far */
    bool ended; /* the answer is complete */
    struct arena *arena;
};

struct turns {
    struct arena *spare[TURNS_SPARE];
    size_t spare_n;
    size_t rows; /* that a slice may change */
    bool kept;   /* calls were, the last time */
    bool leases; /* the last turn was theirs */
    uint64_t maintained_ms;
    uint64_t leased_ms; /* of the last lease call; clock_steady_ms() */
};

struct frontier_service {
    struct frontier *frontier;
    uint64_t folder_id; /* 0: not known */
    bool has_job;       /* a crawler of this run has said one */
    struct buf decides; /* frontier_decides(), and a NUL */
    struct server *server;
    struct timekeeper time;
    _Atomic(struct server *) alarm; /* the same, once it is started */
    struct arena *arena;            /* of the job in hand */
    struct turns turns;
};

/* The present, as the frontier counts it. */
uint64_t service_now(struct frontier_service *s);

/* Do a part of a job, or all of it; j->ended says whether. */
enum status service_answer(struct frontier_service *s, struct turn_job *j,
                           uint64_t now_ms);

server_handle turns_handle; /* of a frontier_service */
void turns_free(struct turns *t);

#endif
