/* fuzz_tagger.c -- any bytes: as a treebank, as a model, and as words that a
 * model has to tag. */
#include "corpus/tagger/conllu.h"
#include "corpus/tagger/tagger.h"
#include "fuzz.h"

static struct tagger *shipped;

static void
tag_all(const struct tagger *t, struct arena *a, struct str text)
{
    struct str words[64], own[64];
    uint8_t tags[64];
    size_t n = 0;

    while (n < 64 && str_cut(&text, ' ', &words[n]))
        n++;
    tagger_tag(t, a, words, n, tags);
    tagger_xpos(t, a, words, n, tags, own);
    for (size_t i = 0; i < n; i++) {
        MUST(tags[i] < UPOS_N);
        (void)tagger_lemma(t, a, words[i], tags[i]);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str bytes = str_n((const char *)data, n);
    struct arena *a = arena_new();
    struct conllu c = {.n = 0};
    struct tagger *t;

    if (shipped == NULL)
        MUST(tagger_open(&shipped, S("it"), WINNOW_DATA_DIR) == ST_OK);
    (void)conllu_read(&c, a, bytes, n % 2 == 1);
    tag_all(shipped, a, bytes);
    if (tagger_read(&t, bytes) == ST_OK) {
        tag_all(t, a, S("Any words that are looked up"));
        tagger_free(t);
    }
    arena_free(a);
    return 0;
}
