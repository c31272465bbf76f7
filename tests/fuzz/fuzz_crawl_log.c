/* fuzz_crawl_log.c -- any bytes as a line of the crawl log: no crash, and what
 * is accepted is written and accepted again. */
#include <stdlib.h>

#include "base/buf.h"
#include "crawler/report/crawl_log.h"
#include "fuzz.h"

static void
take_again(void *self, const struct crawl_log_entry *e)
{
    (void)e;
    *(bool *)self = true;
}

static void
take(void *self, const struct crawl_log_entry *e)
{
    struct buf line = {0};
    bool again = false;

    (void)self;
    crawl_log_line(e, &line);
    if (!crawl_log_parse(str_trim(buf_view(&line)), take_again, &again) ||
        !again)
        abort();
    buf_free(&line);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    crawl_log_parse(str_n((const char *)data, n), take, NULL);
    return 0;
}
