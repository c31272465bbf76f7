/* files.h -- how many files may be open (ulimit -n), and what that allows. */
#ifndef CRAWLER_FILES_H
#define CRAWLER_FILES_H

#include "crawl_state.h"

/* Raise the process's limit as far as it may go. */
void files_raise(void);

/* Once the services are open: set how many transfers and connections there may
 * be, from fetch.parallel or from the files that are left; the latter is said.
 * ST_USAGE: not even one transfer is possible (reported). */
enum status files_share(struct crawl *c);

/* Is not a single one left to open? */
bool files_have_run_out(void);

#endif
