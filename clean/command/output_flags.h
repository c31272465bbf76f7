/* output_flags.h -- what `winnow clean` writes and where: by flags, or where
 * these say nothing by the options that a job file sets. */
#ifndef CLEAN_OUTPUT_FLAGS_H
#define CLEAN_OUTPUT_FLAGS_H

#include "base/options/command.h"
#include "outputs.h"

/* Fill *to.  `folder_in`: the inputs are several, or a folder, so results want
 * a folder.  Strings live in the arena.  An exit code: EXIT_DONE, or EXIT_USAGE
 * after the fault was reported. */
int output_flags(const struct invocation *in, bool folder_in, struct arena *a,
                 struct outputs *to);

bool is_folder(const char *path); /* NULL: no */

#endif
