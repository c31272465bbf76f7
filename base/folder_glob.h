/* folder_glob.h -- files below a folder by a pattern, whatever the folder is
 * called: glob(3) would take "crawl[1]" for a pattern, and find nothing. */
#ifndef BASE_FOLDER_GLOB_H
#define BASE_FOLDER_GLOB_H

#include <glob.h>

/* For glob(3), which passes over folders that cannot be read: tells of one, by
 * its path, and ends the search (GLOB_ABORTED).  A folder that is not there is
 * no fault. */
int folder_glob_fault(const char *path, int fault);

/* As glob("DIR/PATTERN", flags, folder_glob_fault, found), where all characters
 * of `dir` stand for themselves.  *found is the caller's to give to
 * globfree(3), whatever is returned. */
int folder_glob(const char *dir, const char *pattern, int flags, glob_t *found);

/* As glob(word, flags, folder_glob_fault, found), but a word that is the path
 * of a file is that file, as "page[1].html" is where "page1.html" is, too. */
int word_glob(const char *word, int flags, glob_t *found);

#endif
