/* listing_order.h -- the listing of a folder in another order, as Apache's
 * mod_autoindex and nginx's fancyindex link it: ?C=M;O=D.  Pure. */
#ifndef FRONTIER_LISTING_ORDER_H
#define FRONTIER_LISTING_ORDER_H

#include <stdbool.h>

#include "base/str.h"

/* The listing itself: eight orders are one page.  False: the URL is none in
 * such an order, *out is not touched. */
bool listing_order_without(struct str *out, struct str url);

#endif
