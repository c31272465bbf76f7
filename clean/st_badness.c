/* st_badness.c -- how unlike running text of the target languages a document
 * is, and of any language with a profile (profile.h has the score).
 *
 * Always computed, for rejected documents too: links are scored by it. */
#include <stdlib.h>

#include "data_dir.h"
#include "profiles.h"
#include "stage.h"
#include "winnow/buf.h"
#include "winnow/log.h"

struct judge {
    struct profiles *profiles;
    bool target[PROFILES_MAX];
};

static void
close_judge(void *self)
{
    struct judge *j = self;

    if (j == NULL)
        return;
    profiles_free(j->profiles);
    free(j);
}

static void
report_unknown(const struct judge *j, struct str language)
{
    struct buf known = {0};

    for (size_t i = 0; i < profiles_n(j->profiles); i++) {
        buf_c(&known, i ? " " : "");
        buf_str(&known, profiles_at(j->profiles, i)->language);
    }
    log_error("clean",
              "clean.language=%.*s error=\"no profile\" known=\"%.*s\"",
              STRF(language), STRF(buf_view(&known)));
    buf_free(&known);
}

/* No languages: all are targets. */
static enum status
choose_targets(struct judge *j, const struct opt_list *languages)
{
    for (size_t k = 0; k < languages->n; k++) {
        bool found = false;

        for (size_t i = 0; i < profiles_n(j->profiles); i++)
            if (str_eq(profiles_at(j->profiles, i)->language,
                       languages->item[k]))
                j->target[i] = found = true;
        if (!found) {
            report_unknown(j, languages->item[k]);
            return ST_USAGE;
        }
    }
    if (languages->n == 0)
        memset(j->target, true, sizeof j->target);
    return ST_OK;
}

static enum status
open_judge(void **self, const struct opts *o)
{
    struct judge *j = calloc(1, sizeof *j);
    struct arena *a = arena_new();
    struct str folder;
    enum status st = ST_NOMEM;

    if (j == NULL)
        goto out;
    folder = arena_printf(a, "%.*s/profiles", STRF(data_dir(a, o)));
    if ((st = profiles_load(&j->profiles, folder.p)) != ST_OK ||
        (st = choose_targets(j, &o->clean_language)) != ST_OK) {
        close_judge(j);
        goto out;
    }
    *self = j;
out:
    arena_free(a);
    return st;
}

static enum status
run(const void *self, struct document *d)
{
    const struct judge *j = self;
    double badness[PROFILES_MAX];
    bool target_found = false;

    profiles_badness(j->profiles, d, badness);
    for (size_t i = 0; i < profiles_n(j->profiles); i++) {
        struct str language = profiles_at(j->profiles, i)->language;

        if (i == 0 || badness[i] < d->badness_best) {
            d->badness_best = badness[i];
            d->language_best = language;
        }
        if (j->target[i] && (!target_found || badness[i] < d->badness)) {
            d->badness = badness[i];
            d->language = language;
            target_found = true;
        }
    }
    return ST_OK;
}

const struct stage stage_badness = {
    .name = "badness",
    .needs = DOC_TOKENS,
    .gives = DOC_BADNESS,
    .open = open_judge,
    .run = run,
    .close = close_judge,
};
