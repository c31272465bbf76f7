/* path.h -- names of files and folders, made as printf() does. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/str.h"

struct path {
    char z[4096]; /* no call of the system takes a longer one */
};

#define PATH_FOLDER_MAX 4032u /* of a folder: paths in it fit */

/* One that does not fit becomes a name that says so and under which no file can
 * be, nor under any that is made of it: using it fails. */
struct path path_printf(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* What stands behind its last slash; of a path without one, all of it.  Ends
 * where the path does. */
struct str path_base(struct str path);

#endif
