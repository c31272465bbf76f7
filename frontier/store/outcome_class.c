/* outcome_class.c -- see outcome_class.h. */
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
outcome_class_name(int c)
{
    return outcome_class_names[c];
}
