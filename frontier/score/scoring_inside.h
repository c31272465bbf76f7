/* scoring_inside.h -- the module's own state. */
#ifndef FRONTIER_SCORING_INSIDE_H
#define FRONTIER_SCORING_INSIDE_H

#include "scoring.h"

struct scoring {
    const struct scorer *scorer;
    struct scorer_tools tools;
    struct url_store *db;
    bool traps;
    uint64_t host_pages, shape_pages; /* 0: no cap */
    int year;                         /* the present one */
    struct buf said;                  /* a lesson as text */
    uint64_t lag_ms, saved_ms; /* see scoring_save_later(); steady clock */
    bool saving;               /* this transaction has what was learnt */
    frontier_greedy_oracle *oracle;   /* scores instead; NULL: none */
    void *oracle_self;
    frontier_scored *scored; /* is told every score; NULL: nobody */
    void *scored_self;
    frontier_lesson *lesson; /* is told what is learnt; NULL: nobody */
    void *lesson_self;
};

#endif
