/* progress.h -- long work says how far it is: on a terminal in a line that is
 * redrawn (how much, share, rate, time left), else in a log line now and then.
 *
 *     struct progress *p = progress_begin("load", "URLs", total);
 *     for (...)
 *         progress_add(p, 1);
 *     progress_end(p);
 *
 * Nothing is shown of work that is over in a moment.  Any thread may add; one
 * at a time in a process is shown. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct progress; /* opaque */

/* Time between two log lines, or that nothing is to be shown; set once at
 * start, preset 10 s. */
extern uint64_t progress_every_ms;
#define PROGRESS_OFF UINT64_MAX

#define PROGRESS_BYTES "bytes" /* a unit that is shown as kB, MB, GB */

/* Begin to show; progress_end() ends it.  `what` and `unit` are borrowed until
 * then.  total 0: not known, so no time left.  Never NULL; owned by the caller.
 */
struct progress *progress_begin(const char *what, const char *unit,
                                uint64_t total);
/* So much is done, more or altogether; NULL is allowed. */
void progress_add(struct progress *p, uint64_t more);
void progress_to(struct progress *p, uint64_t done);
/* The total is known better now; NULL is allowed, here and below. */
void progress_total(struct progress *p, uint64_t total);
/* One more figure that is shown beside it ("12 kept"); `label` is borrowed. */
void progress_figure(struct progress *p, const char *label, uint64_t n);
/* Takes the line off the screen, and frees. */
void progress_end(struct progress *p);

/* ---- the texts, for tests ---- */
struct progress_state {
    const char *what, *unit, *label; /* label NULL: no figure */
    uint64_t done, total, figure, elapsed_ms;
    double rate; /* a second, of late */
};
void progress_live(const struct progress_state *s, uint32_t columns,
                   struct buf *out);
void progress_plain(const struct progress_state *s, struct buf *out);

#endif
