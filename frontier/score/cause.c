/* cause.c -- see cause.h: the names are those of the crawl log's reasons. */
#include "cause.h"

static const char *const cause_names[CAUSE_N] = {
    [CAUSE_KEPT] = "kept",
    [CAUSE_SHORT] = "short",
    [CAUSE_LANGUAGE] = "language",
    [CAUSE_BADNESS] = "badness",
    [CAUSE_EXACT] = "exact_duplicate",
    [CAUSE_NEAR] = "near_duplicate",
    [CAUSE_OTHER] = "other",
    [CAUSE_ERROR] = "error",
    [CAUSE_REFUSED] = "refused",
    [CAUSE_REDIRECT] = "redirect",
    [CAUSE_LINKS] = "latest_links",
    [CAUSE_LINKS_DEAD] = "latest_links_dead",
    [CAUSE_OPENED] = "links_opened",
    [CAUSE_HEIRS] = "links_ended",
    [CAUSE_HEIRS_KEPT] = "links_kept",
};

const char *
cause_name(enum cause c)
{
    return cause_names[c];
}

bool
cause_is_interstitial(struct str reason)
{
    static const struct str names[] = {STR("challenge"), STR("consent"),
                                       STR("paywall"), STR("blocked")};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(reason, names[i]))
            return true;
    return false;
}

enum cause
cause_of_failure(struct str reason)
{
    return cause_is_interstitial(reason) ? CAUSE_OTHER : CAUSE_ERROR;
}

enum cause
cause_of(struct str reason)
{
    for (int i = 0; i < CAUSE_OTHER; i++)
        if (str_eq(reason, str_c(cause_names[i])))
            return (enum cause)i;
    return CAUSE_OTHER;
}
