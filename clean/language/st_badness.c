/* st_badness.c -- how unlike running text of the target languages a document
 * is, and of any language with a profile (assess.h has the score).
 *
 * Always computed, for rejected documents too: links are scored by it. */
#include <stdlib.h>

#include "assess.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "clean/chain/stage.h"
#include "language_called.h"

struct badness {
    struct profiles *profiles;
    struct assessor *assessor;
    size_t target[PROFILES_MAX], targets_n; /* in the operator's order */
    double enough; /* clean.badness_break; 0: the best of all */
};

static void
close_badness(void *self)
{
    struct badness *j = self;

    if (j == NULL)
        return;
    assessor_free(j->assessor);
    profiles_free(j->profiles);
    memory_free(j);
}

static void
report_unknown(const struct badness *j, struct str language)
{
    struct buf known = {0};
    struct nearest near;
    struct str best, meant = S("");

    nearest_init(&near, language);
    for (size_t i = 0; i < profiles_n(j->profiles); i++) {
        struct str code = profiles_at(j->profiles, i)->language;

        nearest_offer(&near, code);
        if (language_called(language, code))
            meant = code;
        buf_c(&known, i ? " " : "");
        buf_str(&known, code);
    }
    best = meant.n > 0 ? meant : nearest_best(&near);
    log_error("clean",
              "clean.language = %.*s: there is no such profile%s%.*s%s known: "
              "%.*s; `winnow profile` makes one from text in the language",
              STRF(language), best.n ? ", did you mean " : ";", STRF(best),
              best.n ? "?" : "", STRF(buf_view(&known)));
    buf_free(&known);
}

/* No languages: all are targets. */
static enum status
choose_targets(struct badness *j, const struct opt_list *languages)
{
    enum status st = ST_OK;

    for (size_t k = 0; k < languages->n && k < PROFILES_MAX; k++) {
        bool found = false;

        for (size_t i = 0; i < profiles_n(j->profiles); i++)
            if (!found && str_eq(profiles_at(j->profiles, i)->language,
                                 languages->item[k])) {
                j->target[j->targets_n++] = i;
                found = true;
            }
        if (!found) {
            report_unknown(j, languages->item[k]);
            st = ST_USAGE;
        }
    }
    for (size_t i = 0; i < profiles_n(j->profiles) && languages->n == 0; i++)
        j->target[j->targets_n++] = i;
    return st;
}

/* None named: all. */
static unsigned
parts(const struct opt_list *words)
{
    unsigned found = 0;

    for (size_t i = 0; i < words->n; i++) {
        if (str_eq(words->item[i], S("words")))
            found |= ASSESS_WORDS;
        else if (str_eq(words->item[i], S("order")))
            found |= ASSESS_ORDER;
        else if (str_eq(words->item[i], S("foreign")))
            found |= ASSESS_FOREIGN;
        else
            found |= ASSESS_PUBLISHED;
    }
    return found ? found : ASSESS_WORDS | ASSESS_ORDER | ASSESS_FOREIGN;
}

static enum status
open_badness(void **self, const struct opts *o)
{
    struct badness *j = memory_zero(1, sizeof *j);
    struct arena *a = arena_new();
    enum status st = ST_NOMEM;

    if (j == NULL)
        goto out;
    j->enough = o->clean_badness_break;
    if ((st = profiles_open(&j->profiles, o, a)) != ST_OK ||
        (st = choose_targets(j, &o->clean_language)) != ST_OK)
        goto out;
    j->assessor = assessor_new(j->profiles, parts(&o->clean_badness));
    st = j->assessor == NULL ? ST_NOMEM : ST_OK;
out:
    if (st == ST_OK)
        *self = j;
    else
        close_badness(j);
    arena_free(a);
    return st;
}

static enum status
run(const void *self, struct document *d)
{
    const struct badness *j = self;

    assess(j->assessor, d, j->target, j->targets_n, j->enough);
    return ST_OK;
}

const struct stage stage_badness = {
    .name = "badness",
    .needs = DOC_TOKENS,
    .gives = DOC_BADNESS,
    .open = open_badness,
    .run = run,
    .close = close_badness,
};
