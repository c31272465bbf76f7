/* outputs.h -- where the records of `winnow clean` go: each format to standard
 * output, to a file for each input, or to one file for all. */
#ifndef CLEAN_OUTPUTS_H
#define CLEAN_OUTPUTS_H

#include "base/options/format.tbl.h"
#include "clean/corpus/corpus_out.h"
#include "clean/write/writer.h"
#include "inputs.h"

/* One of each format, and the five that have flags of their own. */
#define OUTPUTS_MAX (OUTPUT_FORMATS_N + 5)

struct output {
    const struct writer *writer;
    const char *file;          /* one file for all: its name; else NULL */
    struct corpus_out *joined; /* that file */
    bool begun;                /* something went to standard output */
    /* Of joined files, when not as the others. */
    bool pack_own, split_own;
    enum pack pack;
    uint64_t split_bytes;
};

struct outputs {
    const struct opts *opts;
    struct output item[OUTPUTS_MAX];
    size_t n;
    const char *out; /* as given by the operator: file, folder, prefix; NULL:
                        standard output */
    bool folder;     /* `out` is a folder inputs are mirrored into */
    bool exact;      /* `out` is the whole name of one file */
    bool join;       /* formats go to out.SUFFIX, whatever the input */
    bool pack_given; /* else a named file's ending decides */
    enum pack pack;
    uint64_t split_bytes;      /* of joined files; 0: not split */
    const struct output *tarc; /* whose places other formats name; or NULL */
};

/* The records of one input, one buffer for each output. */
struct outputs_records {
    struct buf item[OUTPUTS_MAX];
};

void outputs_records_clear(struct outputs_records *r);
void outputs_records_free(struct outputs_records *r);

/* ST_LIMIT: more than OUTPUTS_MAX. `file`: NULL for what follows `out`. */
enum status outputs_add(struct outputs *o, const struct writer *w,
                        const char *file);
/* After the last outputs_add(), before any record. */
enum status outputs_open(struct outputs *o);

/* The one file of an output, or its result of the input whose `out` is base, in
 * `a`; NULL: it has none, or more than one. */
const char *outputs_path(const struct outputs *o, const struct output *x,
                         const char *base, struct arena *a);

/* ST_USAGE, reported: a result would stand in the place of an input, or two
 * outputs in one file.  After outputs_open(). */
enum status outputs_spare_inputs(const struct outputs *o,
                                 const struct inputs *inputs);

/* Are there results of this input, of an earlier run? */
bool outputs_are_there(const struct outputs *o, const struct input *x,
                       struct arena *a);
/* Are they all there, and no older than the input?  No, when one of them is in
 * a file for all inputs. */
bool outputs_are_whole(const struct outputs *o, const struct input *x,
                       struct arena *a);

/* Append the records of a document.  Those that name its place in a TARC file
 * are made when they are written: the next calls have the same document (NULL:
 * no page), with its records. */
void outputs_render(const struct outputs *o, const struct document *d,
                    struct outputs_records *r);

/* Write what goes to a file of this input.  Thread-safe. */
enum status outputs_own(const struct outputs *o, const struct input *x,
                        struct document *d, struct outputs_records *r);

/* The same for an input of many documents, piece by piece: open, put, close.
 * The files belong to one thread at a time. */
struct outputs_files {
    struct corpus_out *item[OUTPUTS_MAX]; /* NULL: not to a file of its own */
};
enum status outputs_files_open(const struct outputs *o, const struct input *x,
                               struct outputs_files *f);
enum status outputs_files_put(const struct outputs *o, struct outputs_files *f,
                              struct document *d, struct outputs_records *r);
enum status outputs_files_close(const struct outputs *o,
                                struct outputs_files *f, bool whole);

/* Write what goes to standard output or to joined files: one call at a time,
 * in the order of the inputs. */
enum status outputs_shared(struct outputs *o, const struct input *x,
                           struct document *d, struct outputs_records *r);

/* Complete the joined files (take them away when not `whole`) and write the
 * registries.  ST_IO, ST_FULL: reported. */
enum status outputs_close(struct outputs *o, bool whole);

#endif
