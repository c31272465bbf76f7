/* Any bytes as a request to the frontier: decoded as the service does, turned
 * into links and reports, written and read again with the same result. */
#include <stdlib.h>

#include "again.h"
#include "frontier/features/listing_order.h"
#include "frontier/features/pattern.h"
#include "frontier/features/return_url.h"
#include "frontier/features/trap.h"
#include "frontier/service/message.h"
#include "frontier/store/row.h"
#include "fuzz.h"

/* What has been left out is not there any more. */
static void
leave_out_return_url(struct str url)
{
    struct buf once = {0}, twice = {0};

    if (return_url_without(&once, url) &&
        (once.n >= url.n || return_url_without(&twice, buf_view(&once))))
        abort();
    buf_free(&once);
    buf_free(&twice);
}

static void
leave_out_order(struct str url)
{
    if (listing_order_without(&url, url) && listing_order_without(&url, url))
        abort();
}

static void
use_links(const struct frontier_link *links, size_t n)
{
    struct row_url u;

    for (size_t i = 0; i < n; i++) {
        if (!(links[i].boilerplate >= 0 && links[i].boilerplate <= 1))
            abort();
        if (!(links[i].hint >= 0 && links[i].hint <= 1))
            abort();
        if (row_url_split(&u, links[i].url)) {
            row_seen_key(ROW_KEYS_NEW, u.authority, links[i].url);
            leave_out_return_url(links[i].url);
            leave_out_order(links[i].url);
            if (trap_of(u.rest, 2026) >= TRAP_N)
                abort();
        }
    }
}

/* Whatever an operator's pattern is, it can be asked. */
static void
use_pattern(struct str pattern)
{
    pattern_good(pattern);
    pattern_single(pattern);
    pattern_url(pattern, S("http://www.a.example:80/x/y?z"));
    pattern_host(pattern, S("www.a.example:80"));
}

static void
use_report(struct arena *a, const message_done *m)
{
    struct frontier_done d;

    message_to_done(&d, a, m, 1800000000000);
    use_links(d.links, d.links_n);
    message_from_done(a, &d, 1800000000000);
}

static enum status
read(void **out, struct arena *a, struct str bytes)
{
    message_request *m;
    enum status st = message_read_request(&m, a, bytes);

    *out = m;
    return st;
}

static void
write(struct buf *out, const void *message)
{
    message_write_request(out, message);
}

static void
use(struct arena *a, const void *message)
{
    const message_request *m = message;

    if (m->call_case == WINNOW__FRONTIER__REQUEST__CALL_HELLO)
        use_links(message_links(a, m->hello->seeds, m->hello->n_seeds),
                  m->hello->n_seeds);
    if (m->call_case == WINNOW__FRONTIER__REQUEST__CALL_DONE)
        for (size_t i = 0; i < m->done->n_done; i++)
            use_report(a, m->done->done[i]);
    if (m->call_case == WINNOW__FRONTIER__REQUEST__CALL_PUT)
        use_links(message_links(a, m->put->links, m->put->n_links),
                  m->put->n_links);
    if (m->call_case == WINNOW__FRONTIER__REQUEST__CALL_CONTROL)
        use_pattern(str_c(m->control->pattern));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const struct fuzz_message request = {read, write, use};

    return fuzz_again(&request, data, n);
}
