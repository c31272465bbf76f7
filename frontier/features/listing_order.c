/* listing_order.c -- see listing_order.h. */
#include "listing_order.h"

#define ORDER_SIZE (sizeof "?C=M;O=D" - 1)

bool
listing_order_without(struct str *out, struct str url)
{
    size_t folder = url.n > ORDER_SIZE ? url.n - ORDER_SIZE : 0;
    const char *q = url.p + folder;

    /* By name, time of the last change, size or description; up or down. */
    if (folder == 0 || q[-1] != '/' || memcmp(q, "?C=", 3) != 0 ||
        memchr("NMSD", q[3], 4) == NULL || (q[4] != ';' && q[4] != '&') ||
        q[5] != 'O' || q[6] != '=' || (q[7] != 'A' && q[7] != 'D'))
        return false;
    *out = str_sub(url, 0, folder);
    return true;
}
