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

#define LATEST 64u

static void
halve(struct outcome_counts *url_class, struct outcome_counts *host, int i)
{
    uint32_t less = url_class->n[i] / 2;

    url_class->n[i] -= less;
    host->n[i] -= less;
}

void
outcomes_count_latest(struct outcome_counts *url_class,
                      struct outcome_counts *host, int all, int these, bool is)
{
    if (url_class->n[all] >= LATEST) {
        halve(url_class, host, all);
        halve(url_class, host, these);
    }
    url_class->n[all]++;
    host->n[all]++;
    url_class->n[these] += is;
    host->n[these] += is;
}
