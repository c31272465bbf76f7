/* warc_dictionary.h -- where the dictionary of a crawl's zstd files comes from:
 * the files that are there, or the first records that are written. */
#ifndef CLEAN_WARC_DICTIONARY_H
#define CLEAN_WARC_DICTIONARY_H

#include "zstd_frame.h"

/* Records to learn from.  Starts as {.enough = n} and ends with
 * warc_samples_free(). */
struct warc_samples {
    size_t enough;          /* bytes */
    struct buf text, sizes; /* of each: a size_t */
};

/* The beginning of a record, as long as there is not enough. */
void warc_samples_add(struct warc_samples *s, struct str record);
bool warc_samples_enough(const struct warc_samples *s);
void warc_samples_free(struct warc_samples *s);

/* Reports how it went.  Not ST_OK: there will be none. */
enum status warc_dictionary_learn(struct zstd_dictionary **out,
                                  const struct warc_samples *s);

/* That of the last of FOLDER/PREFIX*.warc.zst that has one.  ST_NONE: there is
 * no such file, or it cannot be used. */
enum status warc_dictionary_of_folder(struct zstd_dictionary **out,
                                      const char *folder, const char *prefix);

#endif
