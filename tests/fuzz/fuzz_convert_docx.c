/* fuzz_convert_docx.c -- documents of this kind, or what their program writes,
 * are read without a fault. */
#include "clean/convert/reader.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct buf html = {0};
    const char *why;

    if (convert_read(CONVERT_DOCX, str_n((const char *)data, n), &html, &why) !=
            ST_OK &&
        why == NULL)
        __builtin_trap();
    buf_free(&html);
    return 0;
}
