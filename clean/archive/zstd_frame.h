/* zstd_frame.h -- whole zstd frames in memory, made as the IIPC's "Zstandard
 * Compression for WARC Files 1.0" asks: each says its size, its checksum and
 * its dictionary, and has a window of at most 8 MiB. */
#ifndef CLEAN_ZSTD_FRAME_H
#define CLEAN_ZSTD_FRAME_H

#include "base/buf.h"
#include "base/status.h"

#define ZSTD_DICTIONARY_MAX ((size_t)8 << 20)
#define ZSTD_DICTIONARY_MAGIC "\x5d\x2a\x4d\x18" /* its frame begins so */

/* What frames of similar records need not repeat.  Never changes once it is
 * made: any number of threads may use it. */
struct zstd_dictionary; /* opaque; see clean/archive/zstd_frame.c */

/* From sample[0..n), which stand in `samples` one behind the other.  Takes a
 * second or so.  ST_INVALID: too few or too uniform for a dictionary; ST_NOMEM.
 * Owned by the caller. */
enum status zstd_dictionary_train(struct zstd_dictionary **out,
                                  struct str samples, const size_t *sample,
                                  unsigned n);

/* From the dictionary frame that a file begins with: its first bytes.  ST_NONE:
 * there is none, or no whole one in `begin`; ST_INVALID: it is damaged, or has
 * more than ZSTD_DICTIONARY_MAX bytes.  ST_NOMEM. */
enum status zstd_dictionary_read(struct zstd_dictionary **out,
                                 struct str begin);
void zstd_dictionary_free(struct zstd_dictionary *d); /* NULL is allowed */

/* The frame that a file with its records begins with. */
struct str zstd_dictionary_frame(const struct zstd_dictionary *d);

struct zstd_frame; /* a compressor; belongs to one thread at a time */

struct zstd_frame *zstd_frame_new(void);    /* NULL: out of memory */
void zstd_frame_free(struct zstd_frame *z); /* NULL is allowed */

/* Append `in` to `out` as one frame, with `d` or (NULL) without a dictionary.
 * False: out of memory. */
bool zstd_frame_write(struct zstd_frame *z, const struct zstd_dictionary *d,
                      struct str in, struct buf *out);

#endif
