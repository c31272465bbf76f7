/* texrex_impl.h -- shared by the files that read texrex's jobs. */
#ifndef BASE_TEXREX_IMPL_H
#define BASE_TEXREX_IMPL_H

#include "base/options/opt_translator.h"
#include "texrex_value.h"

/* What was read so far grows: a setting, or something to say to people. */
void texrex_set(struct opt_translation *job, struct arena *a,
                const struct opt *row, struct str value, unsigned line);
void texrex_remark(struct opt_translation *job, struct arena *a, unsigned line,
                   bool fault, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* A language to judge by: its profile and its code (or "": by the file). */
struct texrex_language {
    struct str file, code;
    unsigned line;
};

/* Set the n profiles.  When one is not there, ours of the same names. */
void texrex_profiles(struct opt_translation *job, const struct texrex_place *at,
                     const struct texrex_language *x, size_t n);

/* The same for the sections of `text` that job->sections names; `line`: where
 * it names them. */
void texrex_languages(struct opt_translation *job,
                      const struct texrex_place *at, struct str text,
                      unsigned line);

#endif
