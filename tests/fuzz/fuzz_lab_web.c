/* fuzz_lab_web.c -- any bytes as a recorded web: no crash, and what is accepted
 * packs to bytes that are accepted again and stay the same. */
#include <stdlib.h>

#include "../../crawler/lab/web_file.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct web *one, *two;
    struct buf first = {0}, second = {0};

    if (web_unpack(&one, str_n((const char *)data, n)) != ST_OK)
        return 0;
    web_pack(one, &first);
    if (web_unpack(&two, buf_view(&first)) != ST_OK)
        abort();
    web_pack(two, &second);
    if (!str_eq(buf_view(&first), buf_view(&second)))
        abort();
    web_free(one);
    web_free(two);
    buf_free(&first);
    buf_free(&second);
    return 0;
}
