/* fuzz_cleanse.c -- any text: what is replaced leaves valid UTF-8 that has no
 * more to replace, and words by dictionaries are places in the text. */
#include <stdlib.h>

#include "clean/charset/utf8.h"
#include "clean/text/cleanse.h"
#include "clean/text/words.h"
#include "fuzz.h"

static struct letters *letters;
static struct segmenter *segmenter;

static void
cuts_ascend(struct arena *a, struct str text)
{
    const size_t *cut = segment_cuts(segmenter, a, text);
    size_t last = 0;

    MUST(cut != NULL);
    for (; *cut < text.n; last = *cut++)
        MUST(*cut >= last && ((unsigned char)text.p[*cut] & 0xc0) != 0x80);
    MUST(*cut == text.n);
}

static void
words_agree(struct arena *a, struct str text)
{
    struct words w;

    words_init(&w, letters, a);
    w.segmenter = segmenter;
    MUST(words_add(&w, text) == words_count(&w, text));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena *a = arena_new();
    struct str text = utf8_repair(a, str_n((const char *)data, n)), s;

    if (letters == NULL && ((letters = letters_new()) == NULL ||
                            segmenter_open(&segmenter) != ST_OK))
        abort();
    s = cleanse_tags(a, text);
    MUST(utf8_valid(s) && s.n <= text.n + 1);
    s = cleanse_emails(letters, a, text, S("E"));
    MUST(utf8_valid(s));
    s = cleanse_uris(letters, a, s, S("U"));
    MUST(utf8_valid(s));
    s = cleanse_hashtags(letters, a, s, S("H"));
    MUST(utf8_valid(s));
    MUST(cleanse_hashtags(letters, a, s, S("H")).n == s.n);
    cuts_ascend(a, text);
    words_agree(a, text);
    arena_free(a);
    return 0;
}
