/* lab_seeds.h -- where the crawls of an experiment begin. */
#ifndef LAB_SEEDS_H
#define LAB_SEEDS_H

#include "base/arena.h"
#include "base/options/opt.h"

struct lab_seeds {
    struct str *url; /* canonical, on the given hosts; in the arena */
    size_t n;
};

/* Those of `file` that are on these hosts; others are reported and skipped.
 * ST_USAGE: none can be used; ST_IO (both reported). */
enum status lab_seeds_read(struct lab_seeds *out, struct arena *a,
                           const struct opts *o, const struct str *host,
                           size_t hosts_n, const char *file);

/* Those that stand beside a folder of sites: ../seeds.LANGUAGE.txt of the first
 * target language, else every ../seeds*.txt, else the root of every host. */
enum status lab_seeds_beside(struct lab_seeds *out, struct arena *a,
                             const struct opts *o, const struct str *host,
                             size_t hosts_n, const char *dir);

#endif
