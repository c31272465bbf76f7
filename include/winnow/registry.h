/* registry.h -- the description of vertical files a corpus manager wants,
 * written beside them: NAME.registry for a file called NAME, else
 * BASE.SUFFIX.registry, in a folder FOLDER/corpus.SUFFIX.registry. */
#ifndef WINNOW_REGISTRY_H
#define WINNOW_REGISTRY_H

#include "winnow/pack.h"
#include "winnow/writer.h"

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

/* ST_IO: reported. */
enum status registry_write(const struct opts *o,
                           const struct registry_files *f);

#endif
