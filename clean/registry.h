/* registry.h -- the description of vertical files a corpus manager wants,
 * written beside them. */
#ifndef CLEAN_REGISTRY_H
#define CLEAN_REGISTRY_H

#include "pack.h"
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
    enum registry_kind kind;
    enum pack pack;
};

/* ST_IO: reported. */
enum status registry_write(const struct opts *o,
                           const struct registry_files *f);

#endif
