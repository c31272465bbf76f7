/* page_kind.h -- what kind of page this is: article, forum, listing ...
 *
 * A softmax over what the page's features say and what they say in the mean of
 * the blocks that the first pass holds for text.  An estimate, one share a kind
 * (document.h has them); the context pass sees it.  The file is text, written
 * by `winnow train`:
 *
 *     winnow page kinds 1
 *     inputs=N
 *     kinds=article documentation ...
 *     then the means of the inputs, a line; what they are multiplied with; and
 *     a line a kind: its weights, then what is added
 *
 * Read-only once it is made, shared by threads. */
#ifndef CLEAN_PAGE_KIND_H
#define CLEAN_PAGE_KIND_H

#include "base/status.h"
#include "features.h"

#define PAGE_KIND_AROUND_N 36u /* ancestors and class words */
#define PAGE_KIND_INPUTS_N                                                     \
    (FEATURES_PAGE_N + FEATURES_LOCAL_N + PAGE_KIND_AROUND_N)
#define PAGE_KIND_FILE_BYTES ((size_t)1 << 20)

struct page_kind_model {
    float mean[PAGE_KIND_INPUTS_N], scale[PAGE_KIND_INPUTS_N];
    float weight[PAGE_KINDS_N][PAGE_KIND_INPUTS_N + 1];
};

/* p: probability of text of each block. */
void page_kind_inputs(const struct features *f, const float *p,
                      float out[PAGE_KIND_INPUTS_N]);

/* Sets f->kind. */
void page_kind_run(const struct page_kind_model *m, struct features *f,
                   const float *p);

/* The shares that inputs have, which are scaled in place. */
void page_kind_shares(const struct page_kind_model *m,
                      float in[PAGE_KIND_INPUTS_N], float share[PAGE_KINDS_N]);

/* ST_INVALID: *fault says why; static storage. */
enum status page_kind_parse(struct page_kind_model *m, struct str text,
                            const char **fault);

/* Reported with the path. */
enum status page_kind_load(struct page_kind_model *m, const char *path);
enum status page_kind_save(const struct page_kind_model *m, const char *path);

#endif
