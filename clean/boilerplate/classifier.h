/* classifier.h -- text or boilerplate: the networks at work on a page.
 *
 * One classifier is shared by all threads. */
#ifndef CLEAN_CLASSIFIER_H
#define CLEAN_CLASSIFIER_H

#include "base/status.h"
#include "clean/chain/document.h"

struct classifier; /* opaque; see clean/boilerplate/classifier.c */

/* Load the network at `path`, and of these what is there: the forest beside it,
 * `path`.first; of the context pass the network `path`.second and the forest
 * `path`.forest; what tells kinds of pages, `path`.kinds.  Faults are reported.
 * ST_INVALID: not made for these features. */
enum status classifier_open(struct classifier **out, const char *path);

/* A network that sees texrex's features (texrex_features.h), alone.  What
 * texrex would leave out is boilerplate. */
enum status classifier_open_texrex(struct classifier **out, const char *path);
void classifier_close(struct classifier *j); /* NULL is allowed */

/* Set `boilerplate` of every block, and the page's kind.  Memory from the
 * document's arena. */
void classifier_run(const struct classifier *j, struct document *d);

#endif
