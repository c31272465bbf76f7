/* live.h -- lines on a terminal that are redrawn in place, while log lines
 * scroll by above them.
 *
 * One at a time in a process; show and close from one thread at a time, log
 * lines may come from any. */
#ifndef BASE_LIVE_H
#define BASE_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct live; /* opaque */

/* Whether fd is a terminal that can redraw (TERM is not dumb). */
bool live_can(int fd);

/* NULL: another one is open. */
struct live *live_open(int fd);

/* Take the lines off the screen and close; NULL is allowed. */
void live_close(struct live *l);

/* These lines, without a line end after the last, in place of those before;
 * NULL is allowed. */
void live_show(struct live *l, struct str lines);

/* Characters that a line has room for. */
uint32_t live_columns(int fd);

#endif
