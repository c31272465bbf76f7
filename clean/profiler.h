/* profiler.h -- makes a profile (profile.h) out of documents. */
#ifndef CLEAN_PROFILER_H
#define CLEAN_PROFILER_H

#include "profile.h"
#include "words.h"

struct profiler; /* opaque; see clean/profiler.c */

struct profiler *profiler_new(void); /* NULL: out of memory */
void profiler_free(struct profiler *p);

/* Add the text of one document. */
void profiler_add(struct profiler *p, struct str text);

uint64_t profiler_documents_n(const struct profiler *p);
uint64_t profiler_tokens_n(const struct profiler *p);

/* Leave this word (any case) out of the profile. */
void profiler_skip(struct profiler *p, struct str word);

/* The `types_n` most frequent words with their mean and standard deviation,
 * the latter at least `sd_min`.  Strings live in `a`.  ST_INVALID: fewer than
 * two documents or fewer words than asked for. */
enum status profiler_finish(const struct profiler *p, struct profile *out,
                            struct arena *a, struct str language,
                            uint32_t types_n, double sd_min);

#endif
