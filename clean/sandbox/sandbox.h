/* sandbox.h -- a thread that can clean pages and do nothing else.
 *
 * What strangers' bytes are read by has no use for files, sockets or other
 * programs.  In the sandbox the system refuses them (EPERM): what is left is
 * memory, waiting for other threads, the clock, and writing to standard
 * error. */
#ifndef CLEAN_SANDBOX_H
#define CLEAN_SANDBOX_H

#include "clean/cleaner/cleaner.h"

struct sandbox; /* opaque; see clean/sandbox/sandbox.c */

/* What clean.sandbox comes to on this system, and a line in the log when that
 * is no sandbox though it may be one.  ST_USAGE: it must be one and cannot;
 * ST_LIMIT, ST_NOMEM: the system has nothing left for one (both reported). */
enum status sandbox_choose(bool *use, const struct opts *o);

/* Start a thread in a sandbox, for one thread at a time; end it with
 * sandbox_close(), before the cleaners that ran there are closed.  ST_LIMIT:
 * the system has no threads; ST_NONE: it has no sandboxes. */
enum status sandbox_open(struct sandbox **out);
void sandbox_close(struct sandbox *s); /* NULL is allowed */

/* work(self) in the sandbox's thread; returns when it is done.  NULL: in the
 * calling thread, without any. */
void sandbox_run(struct sandbox *s, void (*work)(void *self), void *self);

/* cleaner_run() there. */
enum status sandbox_clean(struct sandbox *s, const struct cleaner *c,
                          struct document *d, bool all);

#endif
