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
    size_t target[PROFILES_MAX], targets_n; /* in the operator's order */
    double enough; /* clean.badness_break; 0: the best of all */
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
            return ST_USAGE;
        }
    }
    for (size_t i = 0; i < profiles_n(j->profiles) && languages->n == 0; i++)
        j->target[j->targets_n++] = i;
    return ST_OK;
}

static enum status
load(struct judge *j, const struct opts *o, struct arena *a)
{
    struct str folder;

    if (o->clean_profiles.n > 0)
        return profiles_load_files(&j->profiles, &o->clean_profiles);
    folder = arena_printf(a, "%.*s/profiles", STRF(data_dir(a, o)));
    return profiles_load(&j->profiles, folder.p);
}

static enum status
open_judge(void **self, const struct opts *o)
{
    struct judge *j = calloc(1, sizeof *j);
    struct arena *a = arena_new();
    enum status st = ST_NOMEM;

    if (j == NULL)
        goto out;
    j->enough = o->clean_badness_break;
    if ((st = load(j, o, a)) != ST_OK ||
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

    profiles_badness(j->profiles, d, badness);
    for (size_t i = 0; i < profiles_n(j->profiles); i++) {
        struct str language = profiles_at(j->profiles, i)->language;

        if (i == 0 || badness[i] < d->badness_best) {
            d->badness_best = badness[i];
            d->language_best = language;
        }
    }
    for (size_t k = 0; k < j->targets_n; k++) {
        size_t i = j->target[k];

        if (k > 0 && badness[i] >= d->badness)
            continue;
        d->badness = badness[i];
        d->language = profiles_at(j->profiles, i)->language;
        if (d->badness <= j->enough && j->enough > 0)
            break;
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
