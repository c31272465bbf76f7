/* replaced.h -- documents of a crawl that longer copies have replaced.
 *
 * The dedup service lists them in DIR/replaced, beside DIR/corpus: a line is
 * the id that goes, the id that stays, and how much they resemble each other.
 */
#ifndef CORPUS_REPLACED_H
#define CORPUS_REPLACED_H

#include "id_set.h"
#include "paths.h"

/* Add the ids that go, of the crawls in whose corpus folders inputs lie; inputs
 * elsewhere have none.  ST_IO, ST_INVALID: reported. */
enum status replaced_read(struct id_set *s, const struct paths *inputs);

#endif
