/* id_set.h -- document ids, and lists of them in files.
 *
 * A list says of an id that it belongs to the set, or (`!ID`) that another list
 * was wrong about it; an id belongs to the set when more lines say so than say
 * not, so the order of lists does not matter.  Of an id its 128-bit hash is
 * kept, 24 bytes in a table that is half full at most.  Belongs to one thread
 * while it changes. */
#ifndef CORPUS_ID_SET_H
#define CORPUS_ID_SET_H

#include "base/buf.h"
#include "base/hashmap.h"
#include "base/status.h"
#include "base/str.h"

#define ID_BYTES_MAX 256

struct id_set {
    struct hashmap map;
};

void id_set_init(struct id_set *s);
void id_set_free(struct id_set *s);

bool id_set_has(const struct id_set *s, struct str id);
/* By how many lines more say that it belongs than that it does not. */
int32_t id_set_count(const struct id_set *s, struct str id);
bool id_set_add(struct id_set *s, struct str id); /* whether it is new */
size_t id_set_n(const struct id_set *s);          /* ids that were named */

/* A list, however compressed: an id a line, or an id that goes, one that stays
 * and a number.  ST_IO, ST_INVALID (damaged), ST_USAGE (a line is none of
 * these): reported. */
enum status id_set_read(struct id_set *s, const char *path);

/* Any word may be an id, so what is none shows only when no document has it.
 * id_set_has() of a document that is there; ids that belong (*of) and were not
 * met so; the first line of a list with such an id: ST_NONE, there is none. */
bool id_set_meet(struct id_set *s, struct str id);
uint64_t id_set_unmet(const struct id_set *s, uint64_t *of);
enum status id_set_first_unmet(const struct id_set *s, const char *path,
                               uint64_t *line_n, struct buf *id);

#endif
