/* replacer.h -- texrex's normalizer file: FROM<TAB>TO, one rule a line.
 *
 * Rules are applied one after the other over the whole text.  Lines that begin
 * with # are comments; a FROM given again is ignored.  Read-only after it is
 * made; thread-safe. */
#ifndef CLEAN_REPLACER_H
#define CLEAN_REPLACER_H

#include "base/arena.h"
#include "base/status.h"

#define REPLACER_FILE_BYTES ((size_t)16 << 20)
#define REPLACER_RULES_MAX 65536u

struct replacer; /* opaque; see clean/repair/replacer.c */

/* *bad: lines that are no rules.  ST_LIMIT: too many rules. */
enum status replacer_parse(struct replacer **out, struct str text,
                           uint32_t *bad);
void replacer_free(struct replacer *r); /* NULL is allowed */
uint32_t replacer_rules_n(const struct replacer *r);

/* `s` itself when no rule changes it. */
struct str replacer_apply(const struct replacer *r, struct arena *a,
                          struct str s);

#endif
