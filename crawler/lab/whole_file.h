/* whole_file.h -- a file that is there whole or not at all. */
#ifndef LAB_WHOLE_FILE_H
#define LAB_WHOLE_FILE_H

#include "winnow/status.h"
#include "winnow/str.h"

/* Written beside its place and renamed.  ST_IO, ST_FULL: reported; what was
 * there stays. */
enum status whole_file_write(const char *path, struct str bytes);

#endif
