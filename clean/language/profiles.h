/* profiles.h -- all profiles of a folder.
 *
 * Read-only after profiles_open(); shared by all threads. */
#ifndef CLEAN_PROFILES_H
#define CLEAN_PROFILES_H

#include "base/options/opt.h"
#include "profile.h"

#define PROFILES_MAX 200

struct profiles; /* opaque; see clean/language/profiles.c */

/* Those that the job names (clean.profiles: NAME=FILE, or FILE with the
 * language in its name, nl.prof), else every *.prof of the data folder.  ST_IO:
 * unreadable or none there, ST_INVALID: a bad file; reported with file and
 * line.  `a`: for file names. */
enum status profiles_open(struct profiles **out, const struct opts *o,
                          struct arena *a);
void profiles_free(struct profiles *p); /* NULL is allowed */

size_t profiles_n(const struct profiles *p);
const struct profile *profiles_at(const struct profiles *p, size_t i);

#endif
