/* tag.h -- a small id for each element name that the cleaner knows.
 *
 * tag_find() is a perfect hash (tag_hash.h, generated): one multiplication, one
 * look-up, one comparison. */
#ifndef CLEAN_TAG_H
#define CLEAN_TAG_H

#include "base/str.h"

enum tag {
    TAG_OTHER, /* any name that is not in the table */
#define TAG(constant, name) TAG_##constant,
#include "tag.tbl.h"
#undef TAG
    TAG_N
};

/* The id of a name in lower case; TAG_OTHER when it has none. */
enum tag tag_find(struct str s);

/* The name of a tag, "" for TAG_OTHER; static storage. */
struct str tag_name(enum tag tag);

#endif
