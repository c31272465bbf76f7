/* fuzz_language_id.c -- any bytes as text are of a language or of none; any
 * bytes as a model are a model, which then judges a text, or none. */
#include "corpus/language/language_id.h"
#include "fuzz.h"

static struct language_model *shipped;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str bytes = str_n((const char *)data, n);
    struct language_model *m;
    struct language_guess g;

    if (shipped == NULL)
        MUST(language_model_open(&shipped, WINNOW_DATA_DIR) == ST_OK);
    language_guess(shipped, bytes, &g);
    MUST(g.language.n > 0 && g.confidence >= 0 && g.confidence <= 1);
    if (language_model_read(&m, bytes) == ST_OK) {
        language_guess(m, S("Any text at all, so that it is looked up"), &g);
        language_model_free(m);
    }
    return 0;
}
