/* fann_file.h -- networks in libfann's file format, read and written by it.
 *
 * libfann loads the text only after fann_check() has passed it.  Files of FANN
 * 2.1, texrex's for one, load, too.  Numbers have a point in every locale. */
#ifndef CLEAN_FANN_FILE_H
#define CLEAN_FANN_FILE_H

#include <fann.h>

#include "base/status.h"
#include "base/str.h"

#define FANN_FILE_BYTES ((size_t)256 << 20)

_Static_assert(sizeof(fann_type) == sizeof(float), "the float FANN is used");

/* A network for fann_destroy().  ST_INVALID: *fault says why (static
 * storage); weights, steepnesses and scaling out of range are faults. */
enum status fann_file_parse(struct fann **out, struct str text,
                            const char **fault);

/* Reported under `topic`, with the path.  ST_IO: unreadable; ST_INVALID. */
enum status fann_file_load(struct fann **out, const char *path,
                           const char *topic);

/* The file is replaced as a whole.  ST_IO: reported. */
enum status fann_file_save(struct fann *ann, const char *path,
                           const char *topic);

#endif
