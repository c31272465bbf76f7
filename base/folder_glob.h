/* folder_glob.h -- files below a folder by a pattern, whatever the folder is
 * called: glob(3) would take "crawl[1]" for a pattern, and find nothing. */
#ifndef BASE_FOLDER_GLOB_H
#define BASE_FOLDER_GLOB_H

#include <glob.h>

/* As glob("DIR/PATTERN"), where all characters of `dir` stand for themselves.
 * *found is the caller's to give to globfree(3), whatever is returned. */
int folder_glob(const char *dir, const char *pattern, int flags, glob_t *found);

#endif
