/* warc_rewrite.h -- a complete WARC file of Winnow's again, with some records
 * gone or others in their place. */
#ifndef CLEAN_WARC_REWRITE_H
#define CLEAN_WARC_REWRITE_H

#include "warc_members.h"

/* What becomes of a record. */
enum warc_fate { WARC_STAYS, WARC_GOES, WARC_CHANGES };

struct warc_changes {
    void *self;
    /* at: where it will stand in the file, if it stays */
    enum warc_fate (*fate)(void *self, const struct warc_record *r,
                           uint64_t at);
    /* Of WARC_CHANGES (NULL: there are none): append to *out what stands in
     * place of `text`, both without a record's end. */
    enum status (*change)(void *self, const struct warc_record *r,
                          struct str text, struct buf *out);
};

/* Records that stay are the same bytes.  The file at `path` is replaced by way
 * of PATH.part, and its index made anew.  Killed in between, it may be left
 * without index, and is whole, as it was or as it is to be: the same call does
 * the rest.  Not ST_OK: reported; what was not yet replaced is as it was. */
enum status warc_rewrite(const char *path, const struct warc_changes *how);

/* Does its index stand beside it? */
bool warc_is_indexed(const char *path);
/* Make it.  Faults are reported. */
enum status warc_index(const char *path);

#endif
