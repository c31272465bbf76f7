/* Runs of n-grams: whatever the bytes are, what is read are n-grams in order,
 * each once; runs whose head does not fit are refused. */
#include <string.h>

#include "corpus/run/ngram_runs.h"
#include "fuzz.h"

static void
take(void *self, const uint32_t code[NGRAM_WORDS_MAX], uint64_t count)
{
    uint32_t *last = self;
    unsigned shared = 0;

    while (shared < NGRAM_WORDS_MAX && code[shared] == last[shared])
        shared++;
    MUST(count > 0 && shared < NGRAM_WORDS_MAX && code[shared] > last[shared]);
    for (unsigned i = 0; i < NGRAM_WORDS_MAX; i++) {
        MUST(code[i] >> NGRAM_CODE_BITS == 0);
        MUST(i == 0 || code[i] == 0 || code[i - 1] != 0);
        last[i] = code[i];
    }
}

static enum status
merge(const unsigned char *runs, size_t n)
{
    uint32_t last[NGRAM_WORDS_MAX] = {0};

    return ngram_runs_merge(runs, n, take, last);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    unsigned char *runs = malloc(n + 2 * NGRAM_RUN_HEAD);
    size_t first = n > 0 ? data[0] % n : 0, bytes = 0;
    enum status st;

    MUST(runs != NULL);
    merge(data, n);
    for (size_t at = 0, end = first; at < n; at = end, end = n) {
        if (end == at)
            continue;
        memcpy(runs + bytes + NGRAM_RUN_HEAD, data + at, end - at);
        ngram_run_seal(runs + bytes, end - at);
        bytes += NGRAM_RUN_HEAD + end - at;
    }
    st = merge(runs, bytes);
    MUST(n > 0 || st == ST_OK);
    if (n > 0) {
        runs[bytes - 1] ^= 1;
        MUST(merge(runs, bytes) == ST_IO);
    }
    free(runs);
    return 0;
}
