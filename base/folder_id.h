/* folder_id.h -- which folder it is, for who may meet another one in its place.
 *
 * A random number in a file of the folder, made at the first look, which goes
 * with the folder wherever it is moved.  Thread-safe for different files. */
#ifndef BASE_FOLDER_ID_H
#define BASE_FOLDER_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

/* The number in the file at `path`, never 0.  One that is missing or holds none
 * is written.  ST_IO, ST_FULL: it cannot be read or written, errno says why;
 * what is there stays. */
enum status folder_id_file(const char *path, uint64_t *id);

/* That of a service, in DIR/id; 0: it cannot be had, which is said. */
uint64_t folder_id(const char *dir);

/* Is what a caller began with (0: it does not say) another folder than this one
 * (0: not known)?  And what it is told then. */
bool folder_id_is_other(uint64_t theirs, uint64_t ours);
extern const char folder_id_other[];

#endif
