/* fuzz_row_log.c -- any bytes as changes of rows; what can be read is the same
 * when it is written again. */
#include <stdlib.h>

#include "frontier/store/row_log.h"
#include "fuzz.h"

static enum status
take(void *self, const struct row_change *c)
{
    row_change_add(self, c);
    return ST_OK;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct buf once = {0}, twice = {0};

    if (row_changes_read(str_n((const char *)data, n), take, &once) == ST_OK &&
        (row_changes_read(buf_view(&once), take, &twice) != ST_OK ||
         !str_eq(buf_view(&once), buf_view(&twice))))
        abort();
    buf_free(&once);
    buf_free(&twice);
    return 0;
}
