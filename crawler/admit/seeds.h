/* seeds.h -- the operator's URLs, checked before the crawl starts. */
#ifndef CRAWLER_SEEDS_H
#define CRAWLER_SEEDS_H

#include "base/arena.h"
#include "clean/language/link_words.h"
#include "clean/scope/scope.h"
#include "frontier/features/frontier_types.h"

struct seeds {
    struct frontier_link *link;
    size_t n;
    size_t bad; /* lines that were reported and skipped */
};

#define SEEDS_MAX 10000000

/* Read seeds.file, seeds.url and the `flags_n` values of --seed.  A line that
 * cannot be used or is out of scope is reported with its place, skipped and
 * counted.  Strings live in `a`.  ST_IO: the file cannot be read (reported). */
enum status seeds_read(struct seeds *out, struct arena *a, const struct opts *o,
                       const char *const *flags, size_t flags_n,
                       const struct scope *s);
/* Those of a file alone, `from`: what named it, for messages. */
enum status seeds_read_file(struct seeds *out, struct arena *a,
                            const struct opts *o, const char *path,
                            const char *from, const struct scope *s);

/* In which language the words of their paths are: all that a link without a
 * page tells of it.  NULL: nothing is known. */
void seeds_read_words(struct seeds *s, const struct link_words_model *words);

#endif
