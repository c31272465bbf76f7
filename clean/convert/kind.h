/* kind.h -- which documents can be made pages of, and how they are told.
 *
 * What counts are the bytes; what a server says of them, or an ending, decides
 * only whether they are fetched at all, and that text is a document and no page
 * without tags.  Pure, thread-safe. */
#ifndef CLEAN_CONVERT_KIND_H
#define CLEAN_CONVERT_KIND_H

#include "base/options/opt.h"
#include "base/str.h"

enum convert_kind {
    CONVERT_NONE,
#define CONVERT_KIND(id, name, ending, program, package, types) CONVERT_##id,
#include "kind.tbl.h"
#undef CONVERT_KIND
    CONVERT_KINDS_N
};

/* A set of kinds: 1 << kind. */
unsigned convert_wanted(const struct opts *o); /* by convert.types */

const char *convert_kind_name(enum convert_kind k); /* "pdf"; NONE: "html" */
const char *convert_kind_program(enum convert_kind k);
const char *convert_kind_package(enum convert_kind k);

/* What these bytes are, of the kinds that are wanted; NONE: a page, or
 * something else.  `content_type` may be "", `path` (of a URL or a file) too:
 * text is text/plain, or has no type and the ending .txt. */
enum convert_kind convert_kind_of(unsigned wanted, struct str content_type,
                                  struct str path, struct str bytes);

/* What document these bytes are that is not wanted, though they say so
 * themselves (text does not).  NONE: none. */
enum convert_kind convert_kind_left_out(unsigned wanted, struct str path,
                                        struct str bytes);

/* Before there are bytes: may it be one?  By its type, or, if that only says
 * that it is some file, by the ending of the URL. */
bool convert_may_be(unsigned wanted, struct str content_type, struct str url);

#endif
