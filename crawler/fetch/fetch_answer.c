/* fetch_answer.c -- the headers of an answer as they come: where they say that
 * it is no page, it is stopped.
 *
 * libcurl gives them line by line; what it swallows itself (chunk sizes) only
 * the socket knows: fetch_socket.c. */
#include "fetch_inside.h"

#include "base/clock.h"
#include "clean/convert/kind.h"

/* Statuses of challenges, paywalls and block pages; the page says which. */
static bool
refuses(long status)
{
    switch (status) {
    case 202:
    case 401:
    case 402:
    case 403:
    case 405:
    case 406:
    case 418:
    case 429:
    case 503: return true;
    default: return false;
    }
}

/* Then it may be longer than a page. */
static bool
is_document(struct transfer *t)
{
    const char *url = NULL;

    if (t->documents == 0)
        return false;
    curl_easy_getinfo(t->easy, CURLINFO_EFFECTIVE_URL, &url);
    if (!convert_may_be(t->documents, buf_view(&t->reply->content_type),
                        str_c(url)))
        return false;
    t->body_max = t->document_max;
    return true;
}

static bool
headers_end(struct transfer *t)
{
    long status = 0;

    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 100 && status < 200)
        return true;
    t->in_body = true;
    fetch_reply_headers(t->reply, clock_wall_ms());
    fetch_notes_tls(t);
    fetch_keeps_connection(t);
    t->wanted = fetch_reply_has_page((unsigned)status);
    t->refused = refuses(status);
    if (t->wanted && t->html_only && !fetch_reply_may_be_html(t->reply) &&
        !is_document(t))
        return fetch_stop(t, VERDICT_NOT_HTML);
    fetch_body_begins(t);
    return true;
}

size_t
fetch_on_header(char *p, size_t size, size_t n, void *self)
{
    struct transfer *t = self;
    struct str line = {p, size * n};

    t->fetch->unasked = 0;
    t->header_bytes += line.n;
    t->answered = true;
    if (t->header_bytes > t->fetch->header_max) {
        fetch_stop(t, VERDICT_HEADER_SIZE);
        return 0;
    }
    if (t->in_body)
        return line.n;
    if (str_starts(line, S("HTTP/")))
        fetch_reply_begins(t->reply);
    buf_str(&t->reply->head, line);
    if (line.n > 0 && line.p[0] != '\r' && line.p[0] != '\n')
        return line.n; /* one of blanks may go on with a header */
    return headers_end(t) ? line.n : 0;
}
