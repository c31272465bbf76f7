/* fuzz_response_header.c -- any lines as the header fields of a response: what
 * is kept of them is bounded. */
#include <stdlib.h>

#include "crawler/fetch/fetch_reply.h"
#include "fuzz.h"

#define VALUE_MAX 8200u /* of a field that is kept, and a separator */
#define DAY_MS (24u * 3600u * 1000u)
#define NOW_MS 1790000000000u

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str rest = str_n((const char *)data, n), line;
    struct fetch_reply r = {0};

    while (str_cut(&rest, '\n', &line)) {
        size_t colon = str_find(line, ':', 0);

        if (str_starts(line, S("HTTP/")))
            fetch_reply_begins(&r);
        if (colon < line.n)
            fetch_reply_header(&r, str_sub(line, 0, colon),
                               str_sub(line, colon + 1, line.n), NOW_MS);
        if (fetch_retry_after_ms(line, NOW_MS) > DAY_MS)
            abort();
    }
    buf_add(&r.head, data, n);
    fetch_reply_headers(&r, NOW_MS);
    if (r.content_type.n > VALUE_MAX || r.x_robots_tag.n > 2 * VALUE_MAX ||
        r.location.n > VALUE_MAX || r.etag.n > VALUE_MAX ||
        r.last_modified.n > VALUE_MAX || r.retry_after_ms > DAY_MS)
        abort();
    fetch_reply_may_be_html(&r);
    fetch_reply_free(&r);
    return 0;
}
