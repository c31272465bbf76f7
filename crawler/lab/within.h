/* within.h -- AUC within hosts: can a score tell the pages of one host apart?
 * AUC over all links is mostly which hosts are good; whoever knows hosts alone
 * has one half here. */
#ifndef LAB_WITHIN_H
#define LAB_WITHIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct within_link {
    uint32_t host; /* of the target */
    float score;
    bool kept;
};

/* Chance that of two links to one host, one of them to what is kept, that one
 * has the higher score (equal ones: half); pairs of all hosts count alike.
 * NAN: there is no such pair.  Sorts the links. */
double within_auc(struct within_link *link, size_t n);

#endif
