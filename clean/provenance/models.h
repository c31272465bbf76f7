/* models.h -- the files that cleaning depends on, by their digests. */
#ifndef CLEAN_MODELS_H
#define CLEAN_MODELS_H

#include "base/arena.h"
#include "base/options/opt.h"

#define MODELS_MAX 32

struct buf;
struct json;

struct model_digest {
    struct str name, digest; /* digest: "sha256:" and 64 hex digits */
};

struct models {
    struct model_digest item[MODELS_MAX];
    size_t n;
};

/* Those of these options, in `a`; what cannot be read is left out (opening the
 * chain will say so).  It reads all of them: some 10 ms. */
void models_of(struct models *m, struct arena *a, const struct opts *o);

/* False: there are MODELS_MAX.  The texts are copied into `a`. */
bool models_add(struct models *m, struct arena *a, struct str name,
                struct str digest);
/* "none": there is no model of that name. */
struct str models_digest(const struct models *m, struct str name);

/* An object NAME: digest. */
void models_json(const struct models *m, struct json *j);
/* Lines model NAME = DIGEST, as in base/facts.h. */
void models_facts(const struct models *m, struct buf *out);

#endif
