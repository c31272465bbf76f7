/* fetch_sent.c -- the request as libcurl has sent it, for archives; what a
 * proxy was asked before it is none of it.
 *
 * libcurl tells it to a debug function only; what else it tells there is passed
 * over.  When it sends again on a new connection, the last request counts. */
#include "fetch_inside.h"

static int
on_debug(CURL *easy, curl_infotype type, char *p, size_t n, void *self)
{
    struct transfer *t = self;

    (void)easy;
    if (type != CURLINFO_HEADER_OUT || t->reply == NULL)
        return 0;
    if (str_starts(str_n(p, n), S("GET ")))
        buf_clear(&t->reply->request);
    else if (t->reply->request.n == 0)
        return 0;
    buf_add(&t->reply->request, p, n);
    return 0;
}

void
fetch_keeps_request(struct transfer *t)
{
    curl_easy_setopt(t->easy, CURLOPT_DEBUGFUNCTION, on_debug);
    curl_easy_setopt(t->easy, CURLOPT_DEBUGDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_VERBOSE, 1L);
}
