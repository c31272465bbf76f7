/* outcome_class.c -- see outcome_class.h: the names are those of the crawl
 * log's reasons. */
#include "outcome_class.h"

static const char *const outcome_class_names[CLASS_N] = {
    [CLASS_KEPT] = "kept",
    [CLASS_SHORT] = "short",
    [CLASS_LANGUAGE] = "language",
    [CLASS_BADNESS] = "badness",
    [CLASS_EXACT] = "exact_duplicate",
    [CLASS_NEAR] = "near_duplicate",
    [CLASS_OTHER] = "other",
    [CLASS_ERROR] = "error",
    [CLASS_REFUSED] = "refused",
    [CLASS_REDIRECT] = "redirect",
    [CLASS_LINKS] = "latest_links",
    [CLASS_LINKS_DEAD] = "latest_links_dead",
    [CLASS_OPENED] = "links_opened",
    [CLASS_OUTLINKS] = "links_ended",
    [CLASS_OUTLINKS_KEPT] = "links_kept",
};

const char *
outcome_class_name(enum outcome_class c)
{
    return outcome_class_names[c];
}

bool
outcome_is_interstitial(struct str reason)
{
    static const struct str names[] = {STR("challenge"), STR("consent"),
                                       STR("paywall"), STR("blocked")};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(reason, names[i]))
            return true;
    return false;
}

enum outcome_class
outcome_class_of_failure(struct str reason)
{
    return outcome_is_interstitial(reason) ? CLASS_OTHER : CLASS_ERROR;
}

enum outcome_class
outcome_class_of(struct str reason)
{
    for (int i = 0; i < CLASS_OTHER; i++)
        if (str_eq(reason, str_c(outcome_class_names[i])))
            return (enum outcome_class)i;
    return CLASS_OTHER;
}
