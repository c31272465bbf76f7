/* fuzz_language_words.c -- any bytes as a word list: read, or a line that is
 * named.
 */
#include "corpus/text/language_words.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str text = str_n((const char *)data, n);
    struct language_words *l;
    unsigned line = 0;

    MUST(language_words_open(&l, S("xx"), NULL) == ST_OK);
    if (language_words_read(l, text, &line) == ST_INVALID)
        MUST(line > 0);
    (void)language_words_flags(l, text);
    (void)language_words_contraction(l, str_sub(text, 0, 64));
    language_words_free(l);
    return 0;
}
