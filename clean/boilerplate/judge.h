/* judge.h -- the networks at work on a page.
 *
 * One judge is shared by all threads. */
#ifndef CLEAN_JUDGE_H
#define CLEAN_JUDGE_H

#include "winnow/document.h"
#include "winnow/status.h"

struct judge; /* opaque; see clean/boilerplate/judge.c */

/* Load the network at `path`, and what judges once more if it is there: the
 * network `path`.second, the forest `path`.forest.
 * Faults are reported.  ST_INVALID: not made for these features. */
enum status judge_open(struct judge **out, const char *path);

/* A network that sees texrex's features (texrex_features.h), alone.  What texrex
 * would leave out is boilerplate. */
enum status judge_open_texrex(struct judge **out, const char *path);
void judge_close(struct judge *j); /* NULL is allowed */

/* Set `boilerplate` of every block.  Memory from the document's arena. */
void judge_page(const struct judge *j, struct document *d);

#endif
