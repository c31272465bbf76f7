/* registry.h -- the description of vertical files a corpus manager wants,
 * written beside them: NAME.registry for a file called NAME, else
 * BASE.SUFFIX.registry, in a folder FOLDER/corpus.SUFFIX.registry. */
#ifndef CLEAN_REGISTRY_H
#define CLEAN_REGISTRY_H

#include "clean/write/writer.h"
#include "pack.h"

enum registry_kind {
    REGISTRY_EXACT,  /* one file, called `base` */
    REGISTRY_ONE,    /* one file, base.SUFFIX and the compression's ending */
    REGISTRY_SPLIT,  /* base-NUMBER.SUFFIX ... */
    REGISTRY_FOLDER, /* all files below the folder `base` */
};

struct registry_files {
    const struct writer *writer; /* has a registry */
    const char *base;
    const char *beside; /* path before .SUFFIX.registry; NULL:
                           by the rule above */
    enum registry_kind kind;
    enum pack pack;
};

/* Write it, whole or not at all.  ST_IO: reported.  The strings are borrowed
 * for the call; not to be called twice at once for the same files. */
enum status registry_write(const struct opts *o,
                           const struct registry_files *f);

#endif
