/* data_dir.h -- where networks and language profiles are. */
#ifndef CLEAN_DATA_DIR_H
#define CLEAN_DATA_DIR_H

#include "base/arena.h"
#include "base/options/opt.h"

/* The option clean.data; else the environment's WINNOW_DATA_DIR; else
 * share/winnow beside the bin or lib folder this code was installed in; else
 * the folder named when it was built.  In `a`.  Thread-safe while nobody
 * changes the environment. */
struct str data_dir(struct arena *a, const struct opts *o);

#endif
