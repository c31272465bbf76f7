/* Any bytes as a batch of the log of commits: what is read lies inside of them,
 * and can be written and read again.  One of an earlier version may have a
 * count less. */
#include "../../shingle/service/commit_log.h"

#include "fuzz.h"

enum { COUNT_BYTES = 8 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct commit_batch b, again;
    struct buf out = {0};

    if (commit_batch_read(&b, str_n((const char *)data, n))) {
        commit_batch_write(&b, &out);
        MUST(out.n <= n + COUNT_BYTES &&
             commit_batch_read(&again, buf_view(&out)));
        MUST(again.streams_n == b.streams_n &&
             again.index.records.n == b.index.records.n);
    }
    buf_free(&out);
    return 0;
}
