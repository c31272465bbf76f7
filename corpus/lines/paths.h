/* paths.h -- the files that patterns of the command line name. */
#ifndef CORPUS_PATHS_H
#define CORPUS_PATHS_H

#include "base/options/command.h"
#include "base/status.h"

struct paths {
    char **path; /* sorted, each once */
    size_t n;
};

/* What all values of --FLAG name: the file of that very name, or what matches
 * it, with wildcards as the shell's, but for provenance.json; "-" is standard
 * input.  A usage error (reported) when one of them names nothing, or a folder:
 * false. */
bool paths_of_flag(struct paths *out, const struct invocation *in,
                   const char *flag);
/* Behind those that are there, as it is. */
void paths_add(struct paths *p, const char *path);
void paths_free(struct paths *p);

/* Add FOLDER/NAME, sorted, for each name in the folder that is like `pattern`;
 * wildcards in FOLDER are none.  ST_NONE: there is no such folder; ST_IO: errno
 * says why it cannot be read. */
enum status paths_in_folder(struct paths *p, const char *folder,
                            const char *pattern);

#endif
