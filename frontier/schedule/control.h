/* control.h -- what operators say while a crawl runs. */
#ifndef FRONTIER_SCHEDULE_CONTROL_H
#define FRONTIER_SCHEDULE_CONTROL_H

#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

/* What operators say while a crawl runs; kept in the store and logged.
 * Patterns: frontier/features/pattern.h.  PAUSE: nothing of these hosts, or
 * none of these URLs, is handed out; they keep their places in line.  DELETE:
 * the same for URLs that are not wanted: those queued, which are lost when the
 * store is compacted, and those to come, which are not remembered.  RESUME
 * takes back both.  LOOK changes nothing: `urls` and `sample` are what DELETE
 * would meet in the queue.  PURGE: what is deleted is gone.  What is queued is
 * looked at in pieces: start with an empty `next` and call, each time in a
 * transaction of its own, until it is empty again; who stops earlier leaves the
 * rest to the leases.  ST_USAGE: the pattern cannot be used, RESUME knows none,
 * or what is forgotten would be taken back by one who does not say so. */
enum control_action {
    CONTROL_LIST,
    CONTROL_PAUSE,
    CONTROL_RESUME,
    CONTROL_DELETE,
    CONTROL_LOOK,
    CONTROL_PURGE /* an empty pattern: of all rules */
};
#define CONTROL_SAMPLE_MAX 10u
#define CONTROL_RULES_MAX 10000u /* that stand */
struct buf;
struct control_change {
    enum control_action action;
    struct str pattern;
    bool forgotten;         /* DELETE: for good; RESUME: this, too */
    unsigned char next[32]; /* where a long one goes on */
    size_t next_n;          /* 0: it is finished */
    uint64_t hosts, urls;   /* touched by this call */
    struct buf *sample;     /* of LOOK: so many URLs, a line each; NULL */
    size_t sample_n;
};

struct control_rule {
    enum control_action action;
    struct str pattern; /* lives until the next change */
    uint64_t since_ms;
    bool unfinished; /* not all that was queued has been looked at */
    bool forgotten;  /* DELETE that stays when RESUME does not mean it */
};

/* A line: "pause a.example since 2026-01-01T00:00:00Z". */
void frontier_control_say(const struct control_rule *rule, struct buf *out);

#endif
