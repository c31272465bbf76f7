/* inputs.h -- the files a batch works on and where each result goes.
 *
 * A folder is walked and mirrored: IN/a/b.html goes to OUT/a/b.SUFFIX, of
 * several folders to OUT/IN/a/b.SUFFIX.  Owned by one thread until it is
 * complete, read-only after. */
#ifndef CLEAN_INPUTS_H
#define CLEAN_INPUTS_H

#include "base/arena.h"
#include "base/status.h"

struct input {
    const char *in;    /* path; "-" is standard input */
    const char *out;   /* path, without suffix; NULL: standard output */
    struct str name;   /* path below the folder, or the file as given */
    struct str folder; /* the last name of the folder's path; or empty */
    bool from_folder;  /* found by walking, not named by the operator */
};

struct inputs {
    struct arena *arena;
    struct input *item;
    size_t n, room, folders;
};

void inputs_init(struct inputs *s);
void inputs_free(struct inputs *s);

/* Add a file, a folder with all its files, or "-".  `out` is NULL (standard
 * output), or a folder for what is mirrored into it (when `out_is_folder`), or
 * a file.  ST_IO: not there or unreadable; reported. */
enum status inputs_add(struct inputs *s, const char *in, const char *out,
                       bool out_is_folder);

/* The same for every path that a pattern with wildcards (* ? [) matches; a path
 * without is itself. */
enum status inputs_add_matching(struct inputs *s, const char *pattern,
                                const char *out, bool out_is_folder);
bool inputs_is_pattern(const char *path);

/* Sort by name.  Of results that would share a path all but the first get their
 * whole input name before the suffix, and a number where that is taken, too. */
void inputs_finish(struct inputs *s);

#endif
