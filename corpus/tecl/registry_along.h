/* registry_along.h -- the registry of vertical text, for what is made of it.
 *
 * A corpus manager wants a description beside the text (clean/corpus/registry.h
 * says how it is called).  That of the input holds for what is left of it,
 * edited or not, but for where text and index are. */
#ifndef CORPUS_REGISTRY_ALONG_H
#define CORPUS_REGISTRY_ALONG_H

#include "base/buf.h"
#include "base/status.h"
#include "clean/registry/registry_place.h"

/* Append the path, with its NUL, of the registry beside a vertical file with
 * this suffix (".vert"), which may be compressed and one of several.  False:
 * there is none. */
bool registry_along_find(const char *file, const char *suffix,
                         struct buf *path);

/* The registry at `from` as one of that place, to `to`.  ST_IO, ST_FULL:
 * reported. */
enum status registry_along_write(const char *from, const char *to,
                                 const struct registry_place *at);

#endif
