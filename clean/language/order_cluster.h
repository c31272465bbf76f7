/* order_cluster.h -- sorts items into classes by what they follow and what
 * follows them. */
#ifndef CLEAN_ORDER_CLUSTER_H
#define CLEAN_ORDER_CLUSTER_H

#include <stdint.h>

#include "base/arena.h"

/* pairs[i * items_n + k]: how often item k comes right after item i.  Sets the
 * class of every item, 0 .. classes_n - 1, so that the class of an item tells
 * most about the class of the next (mutual information).  Item 0 is in class 0.
 * Items come in order of falling frequency.  Scratch memory from `a`. */
void order_cluster(uint8_t *class, const uint32_t *pairs, uint32_t items_n,
                   uint32_t classes_n, struct arena *a);

#endif
