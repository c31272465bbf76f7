/* corpus_out.h -- a file of records, or several when it is split.
 *
 * A file appears under its name when it is complete, and not before: it is
 * written beside it and renamed.  Belongs to one thread at a time. */
#ifndef CLEAN_CORPUS_OUT_H
#define CLEAN_CORPUS_OUT_H

#include "clean/write/writer.h"
#include "pack.h"

struct corpus_out; /* opaque; see clean/corpus/corpus_out.c */

struct corpus_out_name {
    const char *base;   /* path; folders are made when they are not there */
    const char *suffix; /* base.suffix, with the compression's ending; NULL:
                           base is the whole name */
    enum pack pack;
    bool alone; /* each record is a compressed piece of its own */
    const struct writer *writer; /* whose head and tail go round the records
                                    of each file; NULL: none */
    const struct opts *opts;     /* of that writer */
    uint64_t split_bytes; /* base-00001.suffix and on, each with at least so
                             many bytes of records; 0: one file */
};

/* Nothing is made before the first record.  The strings must stay. */
struct corpus_out *corpus_out_new(const struct corpus_out_name *name);

/* The path of an output that is not split, in `a`. */
const char *corpus_out_path(const struct corpus_out_name *name,
                            struct arena *a);

/* For an output that is split: ST_USAGE, reported, when there are files that an
 * earlier run has made under its names.  A corpus is all files of a name. */
enum status corpus_out_unused(const struct corpus_out_name *name);

/* Where the next record will stand: the name of its file, without folder, and
 * the decompressed bytes before it. */
struct corpus_out_place {
    struct str file; /* until the next call */
    uint64_t offset;
};

/* Opens the file when there is none.  ST_IO, ST_FULL: reported, as below. */
enum status corpus_out_next(struct corpus_out *c, struct corpus_out_place *at);

/* An empty record makes the file too.  ST_IO; ST_FULL: there is no room
 * (base/disk_full.h); reported; the file is given up, later records are
 * refused. */
enum status corpus_out_put(struct corpus_out *c, struct str record);

/* Finish and free: complete the last file (or take it away again when `whole`
 * is false).  NULL is allowed. */
enum status corpus_out_close(struct corpus_out *c, bool whole);

/* A small file, whole or not at all. */
enum status corpus_out_file(const char *path, struct str text);

#endif
