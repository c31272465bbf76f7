/* scorer.tbl.h -- the scorers that frontier.scorer chooses from
 * (frontier/score/scorer.h: scorer_NAME).
 *
 * FRONTIER_SCORERS(FIRST, SCORER) makes FIRST(name, way) SCORER(name, way) ... .
 * way: RANKS links, of which the best that is due is next; or CHOOSES what is
 * next itself (scorer_chooses()). */
#define FRONTIER_SCORERS(FIRST, SCORER)                                        \
    FIRST(bfs, RANKS)                                                          \
    SCORER(random, RANKS)                                                      \
    SCORER(walk, CHOOSES)                                                      \
    SCORER(badness, RANKS)                                                     \
    SCORER(block, RANKS)                                                       \
    SCORER(paper, RANKS)                                                       \
    SCORER(host, RANKS)                                                        \
    SCORER(learned, RANKS)
