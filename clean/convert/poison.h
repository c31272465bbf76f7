/* poison.h -- documents whose conversion failed, so that it is tried twice at
 * most, whatever is restarted meanwhile.
 *
 * A document is known by the hash of its bytes, so another URL does not help
 * it. A file with a line for each failure, synced before the next document.
 * Thread-safe. */
#ifndef CLEAN_CONVERT_POISON_H
#define CLEAN_CONVERT_POISON_H

#include "base/hash.h"
#include "base/status.h"

#define POISON_TRIES 2u

struct poison; /* opaque; see clean/convert/poison.c */

/* `path` NULL: only in memory.  ST_IO: reported. */
enum status poison_open(struct poison **out, const char *path);
void poison_close(struct poison *p); /* NULL is allowed */

/* How often its conversion has failed. */
unsigned poison_failures(struct poison *p, struct hash128 document);

/* Once more.  What cannot be written is logged, and known until the end. */
void poison_failed(struct poison *p, struct hash128 document);

#endif
