/* lab_seeds.h -- where the crawls of an experiment begin. */
#ifndef LAB_SEEDS_H
#define LAB_SEEDS_H

#include "site.h"
#include "winnow/opt.h"

struct lab_seeds {
    struct str *url; /* canonical, on hosts of the folder; in the arena */
    size_t n;
};

/* Those of `file` (NULL: see below) that are on hosts of the folder `dir`;
 * others are reported and skipped.  Without a file: beside the folder
 * seeds.LANGUAGE.txt of the first target language, else every seeds*.txt, else
 * the root of every host.  ST_USAGE: none can be used; ST_IO (reported). */
enum status lab_seeds_of_site(struct lab_seeds *out, struct arena *a,
                              const struct opts *o, const struct site *s,
                              const char *dir, const char *file);

#endif
