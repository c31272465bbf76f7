/* scorer.tbl.h -- the scorers that frontier.scorer chooses from
 * (frontier/score/scorer.h: scorer_NAME).
 *
 * FRONTIER_SCORERS(FIRST, SCORER) makes FIRST(name) SCORER(name) ... . */
#define FRONTIER_SCORERS(FIRST, SCORER)                                        \
    FIRST(bfs)                                                                 \
    SCORER(random)                                                             \
    SCORER(walk)                                                               \
    SCORER(badness)                                                            \
    SCORER(block)                                                              \
    SCORER(paper)                                                              \
    SCORER(host)                                                               \
    SCORER(learned)
