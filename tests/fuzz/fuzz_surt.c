/* fuzz_surt.c -- a key of an index is one word, and the same for the key's own
 * escapes; the first type of an HTTP header lies in it. */
#include "clean/archive/cdxj.h"
#include "clean/archive/surt.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str text = str_n((const char *)data, n), mime = cdxj_mime(text);
    struct buf key = {0};

    MUST(mime.n == 0 || (mime.p >= text.p && mime.p + mime.n <= text.p + n));
    surt_key(&key, text);
    for (size_t i = 0; i < key.n; i++)
        MUST((unsigned char)key.p[i] > ' ' && (unsigned char)key.p[i] < 0x7f);
    buf_free(&key);
    return 0;
}
